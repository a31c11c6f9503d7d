"""Patterns: boolean combinations of readable conditions, learned from a few examples (Lixto).

docs/teaching.md describes how they are learned and what they can express.
"""

from sightline.extract.wrappers.patterns._apply import PatternReading, TakenValue, read_patterns, values_of
from sightline.extract.wrappers.patterns._codec import (
    condition_to_json,
    css_of,
    pattern_from_json,
    pattern_to_json,
    rule_from_json,
    rule_to_json,
    xpath_of,
)
from sightline.extract.wrappers.patterns._conditions import HOLDS_COLUMN, RELATIONS, TESTS, WAYS, Condition, mask_of
from sightline.extract.wrappers.patterns._expression import expression_of
from sightline.extract.wrappers.patterns._learn import (
    LearnedPattern,
    RecordExample,
    RecordShown,
    Taught,
    TeachSettings,
    learn_field,
    learn_set,
    texts_in,
)
from sightline.extract.wrappers.patterns._learn_region import RegionShown, Values, item_at, learn_region
from sightline.extract.wrappers.patterns._pattern import (
    Pattern,
    Rule,
    SearchSpan,
    condition_in_words,
    found_by,
    items_of,
    judge_node,
    lines_in_words,
    pattern_in_words,
    rule_in_words,
    search_span_in,
)
from sightline.extract.wrappers.patterns._patterns import BY_EXAMPLES, Patterns, pattern_paths
from sightline.extract.wrappers.patterns._propose import conditions_on
from sightline.extract.wrappers.patterns._records import (
    is_whole_item,
    repeated_element,
    same_make,
    telling_kinds,
    to_watch,
)
from sightline.extract.wrappers.patterns._relearn import Relearned, mark_unsure, relearn
from sightline.extract.wrappers.patterns._search import Hypothesis
from sightline.extract.wrappers.patterns._split import ADDRESSES, Located, locate_node, locate_point, locate_text
from sightline.extract.wrappers.patterns._stranger import acquainted, without_strangers
from sightline.extract.wrappers.patterns._verify import Verified, named_patterns, profile_of, verify_reading
from sightline.extract.wrappers.patterns._view import View, key_of, label_key

__all__ = [
    "ADDRESSES",
    "BY_EXAMPLES",
    "HOLDS_COLUMN",
    "RELATIONS",
    "TESTS",
    "WAYS",
    "Condition",
    "Hypothesis",
    "LearnedPattern",
    "Located",
    "Pattern",
    "PatternReading",
    "Patterns",
    "RecordExample",
    "RecordShown",
    "RegionShown",
    "Relearned",
    "Rule",
    "SearchSpan",
    "TakenValue",
    "Taught",
    "TeachSettings",
    "Values",
    "Verified",
    "View",
    "acquainted",
    "condition_in_words",
    "condition_to_json",
    "conditions_on",
    "css_of",
    "expression_of",
    "found_by",
    "is_whole_item",
    "item_at",
    "items_of",
    "judge_node",
    "key_of",
    "label_key",
    "learn_field",
    "learn_region",
    "learn_set",
    "lines_in_words",
    "locate_node",
    "locate_point",
    "locate_text",
    "mark_unsure",
    "mask_of",
    "named_patterns",
    "pattern_from_json",
    "pattern_in_words",
    "pattern_paths",
    "pattern_to_json",
    "profile_of",
    "read_patterns",
    "relearn",
    "repeated_element",
    "rule_from_json",
    "rule_in_words",
    "rule_to_json",
    "same_make",
    "search_span_in",
    "telling_kinds",
    "texts_in",
    "to_watch",
    "values_of",
    "verify_reading",
    "without_strangers",
    "xpath_of",
]
