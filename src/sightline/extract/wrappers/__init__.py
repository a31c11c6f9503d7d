"""Wrappers: what was learned about the pages of a site, to read, verify and explain further ones.

How they are learned and what is in their file is described in docs/wrappers.md.
"""

from sightline.extract.wrappers._code import Selector, selectors_of
from sightline.extract.wrappers._found import Checked, Explained, Found, Judged, Problem, Training, WrapperRules
from sightline.extract.wrappers._induce import InductionTrace, induce, trace_induction
from sightline.extract.wrappers._lesson import Example, Lesson, Match, Question
from sightline.extract.wrappers._repair import Change, Proposal
from sightline.extract.wrappers._wrapper import Wrapper
from sightline.extract.wrappers.patterns import Condition, Pattern, Patterns, Rule, TeachSettings
from sightline.extract.wrappers.templates import Templates

__all__ = [
    "Change",
    "Checked",
    "Condition",
    "Example",
    "Explained",
    "Found",
    "InductionTrace",
    "Judged",
    "Lesson",
    "Match",
    "Pattern",
    "Patterns",
    "Problem",
    "Proposal",
    "Question",
    "Rule",
    "Selector",
    "TeachSettings",
    "Templates",
    "Training",
    "Wrapper",
    "WrapperRules",
    "induce",
    "selectors_of",
    "trace_induction",
]
