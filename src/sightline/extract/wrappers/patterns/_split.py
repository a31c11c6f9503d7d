"""Several values in one text: "Drama, Comedy and Crime" shown as three."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from sightline.extract.schemas import collapse_spaces
from sightline.extract.wrappers.patterns._locate import MOST_PLACES, Located
from sightline.extract.wrappers.patterns._view import View

__all__ = ["MARKS", "JoinedText", "run_of", "separators_like", "split_text", "text_with"]

MARKS = (",", ";", "/", "|", "&", "·", "•", "+")
"""The marks that may part two values of one text; words that do are in `_GAP`."""

ENUMERATING = (",", ";", "&", "and", "und", "et")
"""Those that go together in one enumeration: where one of them parts values, another one may do so on the next page."""

_GAP = re.compile(r"\s*([,;/|&·•+])?\s*(?:(?<![^\s,;])(and|und|et|e|y|en|och|og)\s)?\s*")


@dataclass(frozen=True, slots=True)
class JoinedText:
    """Values that are parts of one text, from the first to the last, and what parts them."""

    located: Located
    separators: tuple[str, ...]


def split_text(text: str, separators: tuple[str, ...]) -> list[str]:
    """The parts of a text between separators.

    >>> split_text("Drama, Comedy and Crime", (",", "and"))
    ['Drama', 'Comedy', 'Crime']
    """
    return [part for piece in _expression(separators).split(text) if (part := piece.strip())]


@lru_cache(maxsize=100)
def _expression(separators: tuple[str, ...]) -> re.Pattern[str]:
    """Words part only where there are blanks around them."""
    forms = [rf"(?<=\s){re.escape(one)}(?=\s)" if one.isalpha() else re.escape(one) for one in separators]
    return re.compile("|".join(forms), re.IGNORECASE)


def separators_like(shown: Collection[str], values: Sequence[str]) -> tuple[str, ...]:
    """The separators that were shown, and those of an enumeration that no value has in it.

    >>> separators_like([";"], ["Ann Lee", "Lee & Sons"])
    (',', ';', 'and', 'et', 'und')
    """
    more = ENUMERATING if not set(ENUMERATING).isdisjoint(shown) else ()
    unseen = {mark for mark in more if all(len(split_text(value, (mark,))) == 1 for value in values)}
    return tuple(sorted({*shown, *unseen}))


def run_of(view: View, wanted: Sequence[Located]) -> JoinedText | None:
    """The text that has several values one after the other with nothing but separators between them, if there is one.

    One value may be all of a text, or the part of one.
    """
    if len(wanted) == 1:
        return JoinedText(wanted[0], ())
    parts = [located for located in wanted if located.part and located.take == "text"]
    found: dict[str, list[int]] = {}
    separators: set[str] = set()
    for node in parts[0].nodes if parts else ():
        text = view.text(node)
        run = _run_in(text, [located.text for located in wanted])
        if run:
            found.setdefault(text[run[0] : run[1]], []).append(node)
            separators.update(run[2])
    if not found:
        return None
    text, nodes = max(found.items(), key=lambda one: len(one[1]))
    return JoinedText(Located(text, tuple(nodes), part=text != view.text(nodes[0])), tuple(sorted(separators)))


def text_with(view: View, values: Sequence[str]) -> int | None:
    """The lowest node whose text is these values and what parts them, and nothing else."""
    for begin, end in view.around(values[0])[:MOST_PLACES] if len(values) > 1 else ():
        node = view.holder(begin, end)
        text = view.text(node)
        run = _run_in(text, values)
        if run and not text[: run[0]].strip() and not text[run[1] :].strip():
            return node
    return None


def _run_in(text: str, values: Sequence[str]) -> tuple[int, int, set[str]] | None:
    """Where values are in a text, and what parts them; None if anything else is between two of them."""
    spans = sorted(span for value in values if (span := _span(text, value)))
    if len(spans) < len(values):
        return None
    separators: set[str] = set()
    for (_, end), (start, _) in pairwise(spans):
        gap = _GAP.fullmatch(text[end:start]) if end <= start else None
        if gap is None or not any(gap.groups()):
            return None
        separators.update(mark.lower() for mark in gap.groups() if mark)
    return spans[0][0], spans[-1][1], separators


def _span(text: str, value: str) -> tuple[int, int] | None:
    words = r"\s*".join(map(re.escape, collapse_spaces(value).split(" ")))
    found = re.search(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE)
    return found.span() if found else None
