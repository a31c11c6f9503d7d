"""What the heading of a column says besides its name: the unit of the values, and marks of notes.

Headings are written by people: "Weight (kg)", "Price [€]", "Area, km²", "Speed in km/h", "GDP (US$ million)*",
"Population[3]". What is not understood as a unit stays a part of the name.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from sightline.data._types import is_unit

__all__ = ["Title", "read_title"]

JOINER = " / "
LONGEST = 300  # characters; longer headings are prose

_NOTE = re.compile(
    r"\s*(\[(?:\d{1,3}|[a-z]{1,2}|[A-Z]|(?:[a-zA-Z]|nb|note|fn|Anm\.) ?\d{1,3}|citation needed)\]"
    r"|[*†‡§¶‖]+|(?<=[^\W\d_]{2})[⁰¹²³⁴-⁹ᵃ-ᶻ]+)\Z"
)
_BRACKETS = re.compile(r"(\s*)([(\[（［])([^()\[\]（）［］]{1,80})[)\]）］]\Z")
_BEHIND = re.compile(r"(.*\S)(?:\s*,|\s+(?:in|en|em))\s+(\S.{0,60})\Z", re.DOTALL)
_IN = re.compile(r"(?:in|en|em)\s+", re.IGNORECASE)
_COUNTER = re.compile(r"(.*\S)( \(\d+\))", re.DOTALL)
_CLOSING = {"(": ")", "[": "]", "（": "）", "［": "］"}


@dataclass(frozen=True, slots=True)
class Title:
    """A parsed heading: its name, the unit as written, and the marks that point to notes."""

    label: str
    unit: str | None = None
    notes: tuple[str, ...] = ()


@lru_cache(maxsize=1024)
def read_title(name: str) -> Title:
    """Parse the name of a column, level by level; of several units, the innermost counts.

    >>> read_title("GDP (US$ million)*")
    Title(label='GDP', unit='US$ million', notes=('*',))
    >>> read_title("Population[3] / 2024")
    Title(label='Population / 2024', unit=None, notes=('[3]',))
    """
    counted = _COUNTER.fullmatch(name) if len(name) <= LONGEST else None
    stem, counter = (counted[1], counted[2]) if counted else (name, "")
    levels: list[Title] = []
    for text in _levels(stem):
        levels.append(_read_level(text, inner=bool(levels)))
    labels = [level.label for level in levels if level.label]
    units = [level.unit for level in levels if level.unit]
    notes = tuple(note for level in levels for note in level.notes)
    if not labels and not units:
        return Title(name)
    return Title(JOINER.join(labels or units[-1:]) + counter, units[-1] if units else None, notes)


def _levels(name: str) -> list[str]:
    """The levels of a name; a stroke inside of brackets does not part any."""
    parts = name.split(JOINER) if len(name) <= LONGEST else []
    depths = accumulate(sum(map(part.count, "([（［")) - sum(map(part.count, ")]）］")) for part in parts)
    levels: list[str] = []
    is_open = False
    for part, depth in zip(parts, depths, strict=True):
        if is_open:
            levels[-1] += JOINER + part
        else:
            levels.append(part)
        is_open = depth > 0
    return levels


def _read_level(text: str, *, inner: bool) -> Title:
    rest, unit = text.strip(), None
    notes: list[str] = []
    while rest:
        if note := _note(rest):
            notes.insert(0, note[1])
            rest = rest[: note.start()].rstrip()
        elif unit is None and (found := _unit_at_end(rest, inner=inner)):
            rest, unit = found
        else:
            break
    return Title(rest, unit, tuple(notes))


def _note(text: str) -> re.Match[str] | None:
    """The mark of a note at the end: not the square of a unit, nor a unit in brackets behind a blank."""
    note = _NOTE.search(text)
    if note is None or is_unit(re.split(r"[\s/([]", text)[-1]):
        return None
    content = note[1].strip("[]")
    may_be_unit = content.isalpha() and (len(content) > 1 or note[0][0].isspace())
    return None if may_be_unit and is_unit(content) else note


def _unit_at_end(text: str, *, inner: bool) -> tuple[str, str] | None:
    """A text without the unit at its end, and that unit: in brackets, behind a comma or "in", or all there is."""
    if is_unit(text, alone=True) and (inner or not text.isalnum()):
        return "", text
    if brackets := _BRACKETS.search(text):
        return _in_brackets(text[: brackets.start()], brackets)
    behind = _BEHIND.fullmatch(text)
    return (behind[1], behind[2]) if behind and is_unit(behind[2]) else None


def _in_brackets(before: str, brackets: re.Match[str]) -> tuple[str, str] | None:
    """The unit in brackets, among what commas separate; the rest stays there. A letter may be a plural (s)."""
    blank, opening, content = brackets.groups()
    if before and not blank and len(content) == 1 and content.isalpha():
        return None
    parts = [content] if is_unit(_without_in(content)) else re.split(r"[,;]\s+", content)
    for place in range(len(parts) - 1, -1, -1):
        unit = _without_in(parts[place])
        if is_unit(unit) and not _is_short_for(unit, before):
            others = ", ".join(parts[:place] + parts[place + 1 :])
            return before + (f"{blank}{opening}{others}{_CLOSING[opening]}" if others else ""), unit
    return None


def _is_short_for(unit: str, label: str) -> bool:
    """Whether letters are the first ones of the words before them: Wins (W), Time (t), Matches played (MP)."""
    initials = "".join(word[0] for word in label.split())
    return unit.casefold() == initials.casefold() and not is_unit(label.strip())


def _without_in(text: str) -> str:
    return _IN.sub("", text.strip(), count=1)
