"""Whether an answer says itself that a list ends with it.

An answer without records, or none at all, says little: a site may give programs less than browsers. What came before it
tells more: a page that is not full, a count that was reached, a `last` that has become true.
"""

import re
from dataclasses import dataclass

from sightline.navigate.behind._turn import values_beside
from sightline.page import OwnPath, PageAnswer

TOTALS = re.compile(
    r"^(?:total|count|(?:total|num(?:ber)?|n)_?(?:of_?)?(?:count|results?|items?|hits|records|elements|entries|found))$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ListEnd:
    """The last answer with records, the one before it, and what was found up to here."""

    before: PageAnswer
    last: PageAnswer
    path: OwnPath
    """Where the array of records stands."""
    is_full: bool
    """Whether the last answer has as many records as the others."""
    is_explicit: bool
    """Whether it says that nothing follows."""
    records: int
    pages: int

    @property
    def is_said(self) -> bool:
        """Whether anything but the missing of more says that this is the end.

        >>> from sightline.page import PageRequest
        >>> def answer(number, last): return PageAnswer(PageRequest(""), {"page": number, "last": last, "items": []})
        >>> ListEnd(answer(1, False), answer(2, True), ("items",), True, False, 16, 2).is_said
        True
        >>> ListEnd(answer(1, False), answer(2, False), ("items",), True, False, 16, 2).is_said
        False
        """
        return not self.is_full or self._has_turned or self._is_counted

    @property
    def counted(self) -> int | None:
        """How many records the answers count in all; None if they do not."""
        before, last = (dict(values_beside(one.data, self.path)) for one in (self.before, self.last))
        counts = [
            value
            for key, value in last.items()
            if _is_count(value) and before.get(key) == value and TOTALS.match(next(map(str, reversed(key)), ""))
        ]
        return max(counts, default=None)

    @property
    def _has_turned(self) -> bool:
        """Whether a yes has become a no, or what was there is no longer."""
        before, last = (dict(values_beside(one.data, self.path)) for one in (self.before, self.last))
        return any(
            _is_flag(value) and _is_flag(last[key]) and value is not last[key] if key in last else bool(value)
            for key, value in before.items()
        ) or any(before.get(key) is not None and value is None for key, value in last.items())

    @property
    def _is_counted(self) -> bool:
        """Whether a number that stays the same counts what was found; that of the page itself grows."""
        before, last = (dict(values_beside(one.data, self.path)) for one in (self.before, self.last))
        counts = {value for key, value in last.items() if before.get(key) == value and _is_count(value)}
        return bool(counts & {self.records, self.pages})


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 1
