"""Wrappers: what was learned about the pages of a site, to read, verify and explain further ones.

How they are learned and what is in their file is described in docs/wrappers.md.
"""

from sightline.extract.wrappers._code import Selector, selectors_of
from sightline.extract.wrappers._found import Checked, Explained, Found, Judged, Problem, Training, WrapperRules
from sightline.extract.wrappers._gathered import Example, LessonStep, step_from_json
from sightline.extract.wrappers._lesson import (
    Completion,
    Lesson,
    Match,
    Preview,
    Question,
    TaughtExample,
)
from sightline.extract.wrappers._repair import Change
from sightline.extract.wrappers._schema_tree import SchemaPart, schema_tree
from sightline.extract.wrappers._wrapper import InductionTrace, Proposal, Wrapper, induce, trace_induction
from sightline.extract.wrappers.patterns import Condition, Pattern, Patterns, Rule, TeachSettings
from sightline.extract.wrappers.templates import Machine, MachineMove, MachineState, Templates, machine_of

__all__ = [
    "Change",
    "Checked",
    "Completion",
    "Condition",
    "Example",
    "Explained",
    "Found",
    "InductionTrace",
    "Judged",
    "Lesson",
    "LessonStep",
    "Machine",
    "MachineMove",
    "MachineState",
    "Match",
    "Pattern",
    "Patterns",
    "Preview",
    "Problem",
    "Proposal",
    "Question",
    "Rule",
    "SchemaPart",
    "Selector",
    "TaughtExample",
    "TeachSettings",
    "Templates",
    "Training",
    "Wrapper",
    "WrapperRules",
    "induce",
    "machine_of",
    "schema_tree",
    "selectors_of",
    "step_from_json",
    "trace_induction",
]
