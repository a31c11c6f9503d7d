"""How much of what a page says about itself is read. Whatever is left out is told in `gaps`."""

from typing import Any

# Each is far above what 398 pages of shops, recipes and news hold, on which none of the first three was reached. They
# only keep hostile pages from taking memory and time.
MOST_CHARACTERS = 16_000_000  # of JSON and of texts in the markup, on one page
MOST_REPAIRED = 500_000  # characters for the reader in Python, which takes a second for these
MOST_TRIED = 100_000  # characters of programs that are taken for data at first; 63 such places were in all those pages
LEAST_TRIED = 100  # characters; what every mistake costs
MOST_VALUES = 500_000
CONTAINERS = (dict, list)
DEEPEST = 64  # levels; recursion over data stays far from Python's own limit, also where references are joined


class OwnBudget:
    """What may still be read of a page, and what was not read for want of it.

    >>> budget = OwnBudget(characters=10)
    >>> budget.takes_text(8, "JSON-LD"), budget.takes_text(8, "JSON-LD")
    (True, False)
    >>> budget.gaps
    ('JSON-LD was left out: more than 16,000,000 characters of a page are not read.',)
    """

    def __init__(
        self, *, characters: int = MOST_CHARACTERS, repaired: int = MOST_REPAIRED, values: int = MOST_VALUES
    ) -> None:
        self._characters, self._repaired, self._values = characters, repaired, values
        self._tried = MOST_TRIED
        self._gaps: dict[str, None] = {}

    @property
    def gaps(self) -> tuple[str, ...]:
        """What was left out, a sentence for each reason."""
        return tuple(self._gaps)

    def tell(self, gap: str) -> None:
        """Note something that was left out."""
        self._gaps[gap] = None

    def takes_text(self, characters: int, what: str) -> bool:
        """Whether so many characters may still be read."""
        if characters > self._characters:
            self.tell(f"{what} was left out: more than {MOST_CHARACTERS:,} characters of a page are not read.")
            return False
        self._characters -= characters
        return True

    def takes_repair(self, characters: int, what: str) -> bool:
        """Whether so many characters may still be read by the tolerant reader."""
        if characters > self._repaired:
            self.tell(
                f"{what} was left out: it is not JSON, and more than {MOST_REPAIRED:,} characters are not mended."
            )
            return False
        self._repaired -= characters
        return True

    def may_try(self, what: str) -> bool:
        """Whether more of a program may be taken for data by mistake."""
        if self._tried <= 0:
            self.tell(f"A part of the scripts, such as {what}, was not searched: too much of them looks like data.")
        return self._tried > 0

    def has_tried(self, characters: int) -> None:
        """So many characters were no data."""
        self._tried -= max(characters, LEAST_TRIED)

    def takes_values(self, count: int, what: str) -> bool:
        """Whether so many values may still be kept."""
        if count > self._values:
            self.tell(f"{what} was left out: more than {MOST_VALUES:,} values of a page are not kept.")
            return False
        self._values -= count
        return True

    def bounded(self, data: Any, what: str) -> Any:
        """Data without what is too deep in it, or `None` where it holds too many values.

        >>> budget = OwnBudget(values=2)
        >>> budget.bounded({"a": 1}, "It"), budget.bounded([1, 2, 3], "It")
        ({'a': 1}, None)
        """
        level, count, depth = [data] if isinstance(data, CONTAINERS) else [], 0, 0
        while level:
            depth += 1
            if depth > DEEPEST:
                _empty(level)
                self.tell(f"{what} is cut off {DEEPEST} levels deep.")
                break
            inside: list[Any] = []
            for one in level:
                inside += one.values() if isinstance(one, dict) else one
            count += len(inside)
            level = [one for one in inside if isinstance(one, CONTAINERS)]
        return data if self.takes_values(count, what) else None


def _empty(level: list[Any]) -> None:
    for one in level:
        one.clear()
