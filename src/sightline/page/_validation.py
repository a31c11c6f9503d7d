"""Checks that the page in a file is consistent, so that nothing fails later; all checks are on whole columns."""

from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from sightline.page._canonical import NOWHERE, Columns
from sightline.page._columns import PageKind

__all__ = ["check"]

EDGES = 3  # plain, inner, slotted


def check(facts: dict[str, Any], columns: Columns, strings: list[str]) -> None:
    """Raise a ValueError or KeyError at the first inconsistency."""
    _check_facts(facts)
    numbers = facts.get("sheet_numbers", [])
    _hold(all(isinstance(number, int) and number > 0 for number in numbers))
    _hold(not numbers or len(numbers) == len(columns["sheets"]))
    count = len(strings)
    _within(columns["tag"], 0, count)
    _within(columns["text"], -1, count)
    _within(columns["attribute_name"], 0, count)
    _within(columns["attribute_value"], -1, count)
    _within(columns["styles"], -1, count)
    _within(columns["rule_colour"], -1, count)
    _within(columns["edge"], 0, EDGES)
    _within(columns["style_of"], 0, len(columns["styles"]))
    _hold(columns["styles"].shape[1] == len(facts["style_names"]))
    _hold(len(set(strings)) == count)
    for key in ("box", "word_box", "rule_box", "sheets"):
        placed, missing = np.abs(columns[key]) < NOWHERE, np.isnan(columns[key])
        _hold(bool((placed.all(axis=1) | missing.all(axis=1)).all()))
    _check_words(columns, strings)
    if "part" in facts:
        _within(np.diff(columns["part_number"]), 1, 2**31)
        _within(columns["part_number"][:1], 0, 2**31)
        _within(columns["part_position"], 1, 2**31)


def _check_facts(facts: dict[str, Any]) -> None:
    texts = [
        facts["url"],
        facts["title"],
        *facts["style_names"],
        *facts["notes"],
        *facts.get("gaps", ()),
        *facts.get("part", {}).values(),
    ]
    _hold(all(isinstance(text, str) for text in texts))
    _hold(facts["kind"] in get_args(PageKind))
    _hold(len(facts["viewport"]) == 2 and all(isinstance(side, int) for side in facts["viewport"]))
    _hold("part" not in facts or set(facts["part"]) == {"page", "above"})


def _check_words(columns: Columns, strings: list[str]) -> None:
    node, start, end = (columns[f"word_{key}"] for key in ("node", "start", "end"))
    _within(node, 0, len(columns["parent"]))
    length = np.array([*map(len, strings), np.iinfo(np.int32).max])  # the last row serves nodes without a text
    _hold(bool(((start >= 0) & (start < end) & (end <= length[columns["text"][node]])).all()))


def _within(values: npt.NDArray[Any], lowest: int, limit: int) -> None:
    _hold(not values.size or (int(values.min()) >= lowest and int(values.max()) < limit))


def _hold(condition: bool) -> None:  # noqa: FBT001
    if not condition:
        raise ValueError("the columns do not agree")
