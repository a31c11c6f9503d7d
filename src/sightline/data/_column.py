"""One column: its name, its cells, its type, and the typed values."""

import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import accumulate, count

from sightline.data._types import ColumnType, Typed, are_codes, infer, is_unit
from sightline.data._value import Value, values_with
from sightline.errors import CoercionWarning

EXAMPLES, LONGEST_SHOWN = 3, 40


@dataclass(frozen=True)
class Column:
    """A column of a table or of flattened records; None where nothing was found.

    A column has a type only if that loses nothing: one value that does not fit makes it text. `usual` is the type of
    most values, and `misfits` are the texts that stand in its way. `declared` is a type learned from other values; it
    is kept if it fits these. With `coerce` the usual type is kept, and what does not fit has no value.

    >>> column = Column("price", (Value("3,50 €"), None, Value("12 €")), language="de")
    >>> str(column.type), column.values
    ('money EUR', (Decimal('3.50'), None, Decimal('12')))
    >>> column = Column("Weight (kg)[2]", (Value("5"), Value("7.5")))
    >>> column.label, column.unit, column.notes, str(column.type)
    ('Weight', 'kg', ('[2]',), 'measure kg')
    >>> column = Column("time", tuple(map(Value, ("12.31", "12.40", "12.55", "13.02", "DNF"))))
    >>> str(column.type), str(column.usual), column.misfits
    ('text', 'number', ('DNF',))
    """

    name: str
    cells: tuple[Value | None, ...]
    declared: ColumnType | None = None
    language: str | None = None
    coerce: bool = False
    aside: frozenset[int] = frozenset()
    """The places of cells that have no say in the type, such as totals; one that does not fit it has no value."""

    @property
    def label(self) -> str:
        """The name without its unit and the marks of notes."""
        return read_title(self.name).label

    @property
    def unit(self) -> str | None:
        """The unit, currency or scale stated in the name, as written there."""
        return read_title(self.name).unit

    @property
    def notes(self) -> tuple[str, ...]:
        """The marks in the name that point to notes."""
        return read_title(self.name).notes

    @cached_property
    def type(self) -> ColumnType:
        """The type that all texts fit: the usual one, else text."""
        return self.usual if self.coerce or not self.misfits else ColumnType(language=self.language)

    @cached_property
    def usual(self) -> ColumnType:
        """The type of most texts, with plain numbers in the unit of the name; text for codes.

        A declared type that does not fit all of them is decided anew: what was learned elsewhere is a guess here.
        """
        declared = self.declared
        if declared and (self.coerce or declared.kind == "text"):
            return declared
        texts = tuple(cell.text if cell else None for cell in self._deciding)
        if are_codes(self.name, texts):
            return ColumnType(language=self.language)
        if declared is None:
            return infer(texts, self.language, unit=self.unit)
        if not _misfits(_readings(declared, self._deciding), declared):
            return declared
        found = infer(texts, self.language or declared.language, unit=self.unit)
        return declared if found.kind == "text" and _fits_some(declared, texts) else found

    @cached_property
    def misfits(self) -> tuple[str, ...]:
        """The distinct texts that would be lost, in part or as a whole, if all values had the usual type."""
        readings = _readings(self.usual, self._deciding) if self.aside else self._usual_readings
        return _misfits(readings, self.usual)

    @property
    def _deciding(self) -> tuple[Value | None, ...]:
        """The cells that have a say in the type; all of them if there is no other."""
        if not self.aside:
            return self.cells
        return tuple(cell for place, cell in enumerate(self.cells) if place not in self.aside) or self.cells

    @cached_property
    def _usual_readings(self) -> dict[str, Typed | None]:
        return _readings(self.usual, self.cells)

    @property
    def texts(self) -> tuple[str | None, ...]:
        """The texts as seen."""
        return tuple(cell.text if cell else None for cell in self.cells)

    @cached_property
    def values(self) -> tuple[Typed | None, ...]:
        """The typed values: those given with the cells if they fit the column, else parsed from the texts."""
        aside = self.aside if self.type.kind != "text" else frozenset()
        return tuple(
            None if cell is None else self._value_aside(cell) if place in aside else self._value(cell)
            for place, cell in enumerate(self.cells)
        )

    def _value_aside(self, cell: Value) -> Typed | None:
        """The value of a cell without a say, unless its text says more."""
        value = self._value(cell)
        return value if _is_given(cell, self.type) or self.type.is_whole(cell.text, value) else None

    def _value(self, cell: Value) -> Typed | None:
        if _is_given(cell, self.type):
            return cell.value
        return cell.text if self.type.kind == "text" else self._usual_readings[cell.text]

    @cached_property
    def readings(self) -> tuple[Typed | None, ...]:
        """The values by the usual type, each for itself; None where one would lose something, so that its text counts.

        For formats in which every cell has a type of its own.
        """
        if not self.misfits or self.coerce:
            return self.values
        misfits = frozenset(self.misfits)
        usual = replace(self, declared=self.usual, coerce=True)
        pairs = zip(self.texts, usual.values, strict=True)
        return tuple(None if text in misfits else value for text, value in pairs)

    @cached_property
    def typed_cells(self) -> tuple[Value | None, ...]:
        """The cells, each with its typed value."""
        present = [cell for cell in self.cells if cell]
        values = [value for cell, value in zip(self.cells, self.values, strict=True) if cell]
        typed = iter(values_with(present, values))
        return tuple(next(typed) if cell else None for cell in self.cells)


def _is_given(cell: Value, type: ColumnType) -> bool:
    """Whether a cell came with a value that fits the column, so that its text need not be parsed."""
    return cell.value is not None and fits(cell.value, type)


def _readings(type: ColumnType, cells: Iterable[Value | None]) -> dict[str, Typed | None]:
    """What each distinct text reads as, parsed once."""
    if type.kind == "text":
        return {}
    texts = dict.fromkeys(cell.text for cell in cells if cell and not _is_given(cell, type))
    return {text: type.parse(text) for text in texts}


def _misfits(readings: dict[str, Typed | None], type: ColumnType) -> tuple[str, ...]:
    """The texts that say more than what they read as."""
    return tuple(text for text, value in readings.items() if text and not type.is_whole(text, value))


def _fits_some(type: ColumnType, texts: Iterable[str | None]) -> bool:
    return any(type.parse(text) is not None for text in dict.fromkeys(texts) if text)


def fits(value: Typed, type: ColumnType) -> bool:
    """Whether a value given with a cell fits the column, so that it need not be parsed again."""
    if isinstance(value, datetime) or type.kind == "date":
        return type.kind == "date" and _fits_date(value, type)
    if type.kind == "number":
        return isinstance(value, int if type.integer else float) and not isinstance(value, bool)
    expected = {"money": Decimal, "measure": float, "time": time}.get(type.kind, str)
    return isinstance(value, expected) and (not isinstance(value, Decimal) or value.is_finite())


def _fits_date(value: Typed, type: ColumnType) -> bool:
    if type.with_time:
        return isinstance(value, datetime) and bool(value.tzinfo) == type.zoned
    if type.without_year and type.year is None:
        return False
    return isinstance(value, date) and not isinstance(value, datetime)


def coerced(columns: Iterable[Column]) -> tuple[Column, ...]:
    """All columns by their usual types, each that loses something followed by one with its texts, and a warning.

    >>> import warnings
    >>> column = Column("time", tuple(map(Value, ("12.31", "12.40", "12.55", "13.02", "DNF"))))
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     [(part.name, part.values[-2:]) for part in coerced([column])]
    [('time', (13.02, None)), ('time (text)', ('13.02', 'DNF'))]
    >>> str(caught[0].message)
    "time: 1 of 5 values is not a number ('DNF'); the texts are in 'time (text)'."
    """
    several = tuple(columns)
    taken = {column.name for column in several}
    parts: list[Column] = []
    for column in several:
        if not column.misfits:
            parts.append(column)
            continue
        beside = next(name for name in _names_beside(column.name) if name not in taken)
        taken.add(beside)
        parts += [replace(column, declared=column.usual, coerce=True), Column(beside, column.cells, ColumnType())]
        warnings.warn(f"{what_is_lost(column)}; the texts are in {beside!r}.", CoercionWarning, stacklevel=4)
    return tuple(parts)


def what_is_lost(column: Column) -> str:
    """Which values of a column do not have its usual type: how many, and three of them."""
    misfits = frozenset(column.misfits)
    lost = sum(text in misfits for text in column.texts)
    present = sum(text is not None for text in column.texts)
    shown = ", ".join(repr(_short(text)) for text in column.misfits[:EXAMPLES])
    verb = "is" if lost == 1 else "are"
    return f"{column.name}: {lost:,} of {present:,} values {verb} not {_described(column.usual)} ({shown})"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _described(type: ColumnType) -> str:
    article = {"number": "a ", "date": "a ", "time": "a ", "measure": "a ", "url": "a ", "email": "an "}
    return f"{article.get(type.kind, '')}{type}"


def _names_beside(name: str) -> Iterator[str]:
    yield f"{name} (text)"
    yield from (f"{name} (text {number})" for number in count(2))


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names for columns: empty ones get a number, double ones a counter.

    >>> unique_names(["a", "", "a", "a (2)"])
    ('a', 'column 2', 'a (3)', 'a (2)')
    """
    wanted = [name.strip() or f"column {place}" for place, name in enumerate(names, start=1)]
    taken = set(wanted)
    given: set[str] = set()
    counters: dict[str, int] = {}
    result = []
    for name in wanted:
        unique = name
        while unique in given:
            counters[name] = counters.get(name, 1) + 1
            candidate = f"{name} ({counters[name]})"
            unique = name if candidate in taken else candidate
        given.add(unique)
        result.append(unique)
    return tuple(result)


# -- what the heading of a column says besides its name: the unit of the values, and marks of notes -----------------
# Headings are written by people: "Weight (kg)", "Price [€]", "Area, km²", "Speed in km/h", "GDP (US$ million)*",
# "Population[3]". What is not understood as a unit stays a part of the name.

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
