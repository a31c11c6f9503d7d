"""Wrappers: what was learned about the pages of a site, to read, verify and explain further ones.

How they are learned and what is in their file is described in docs/wrappers.md.
"""

from sightline.extract.wrappers._explain import Explained
from sightline.extract.wrappers._found import Checked, Found, Rules, Training
from sightline.extract.wrappers._lesson import Example, Lesson, Match, Question
from sightline.extract.wrappers._patterns import Patterns
from sightline.extract.wrappers._read import Problem, Verdict
from sightline.extract.wrappers._repair import Change, Proposal
from sightline.extract.wrappers._templates import Templates
from sightline.extract.wrappers._train import induce, trace_induction
from sightline.extract.wrappers._wrapper import Wrapper
from sightline.extract.wrappers.patterns import Condition, Judged, Pattern, Rule, TeachSettings

__all__ = [
    "Change",
    "Checked",
    "Condition",
    "Example",
    "Explained",
    "Found",
    "Judged",
    "Lesson",
    "Match",
    "Pattern",
    "Patterns",
    "Problem",
    "Proposal",
    "Question",
    "Rule",
    "Rules",
    "TeachSettings",
    "Templates",
    "Training",
    "Verdict",
    "Wrapper",
    "induce",
    "trace_induction",
]
