"""Rules from values of JSON to what a page shows: found on some records, and right on every one of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, product
from typing import Any, TypeAlias

from sightline.extract.behind._documents import EVERY, told_path
from sightline.extract.behind._forms import TEXT, forms_in, plain, written
from sightline.page import OwnPath

ShownPart: TypeAlias = str | tuple[str, ...] | None
"""What a record shows in one field: a text, several, or nothing."""
Leaves: TypeAlias = Mapping[OwnPath, Any]
"""The plain values of one element, by their paths."""

MOST_TRIED = 400  # pairs of a path and a form for one field; records have some fifty
MOST_MIXED = 64  # ways to fill a text that is made of several values
MOST_SLOTS = 4  # values in one text
LONGEST_MIXED = 300  # characters of a text that is made of several values
LEAST_SEEN = 2  # records for each value that stands for another text, so that no number of an item passes for one
MOST_OTHERS = 12  # rules for one field that hold as well
LEAST_TEXT = 2  # characters of a value that may be a part of a longer text


@dataclass(frozen=True)
class DataSlot:
    """A value in a text: where it stands, and how it is written."""

    path: OwnPath
    form: str = TEXT

    def fill(self, leaves: Leaves) -> str | None:
        """What is written for an element; None if it has no such value."""
        value = leaves.get(self.path)
        return None if value is None else written(value, self.form)


@dataclass(frozen=True)
class DataRule:
    """How the text of a field follows from an element: texts and values, one after another.

    With `words`, its one value stands for other texts, such as true for “In stock”; None for no text. `others` are
    rules that hold as well on all that was seen: where one says something else, nobody knows which is right.

    >>> DataRule(("£", DataSlot(("price",), "number:0:2:,:."))).read({("price",): 1250})
    '£1,250.00'
    """

    pieces: tuple[str | DataSlot, ...]
    words: tuple[tuple[Any, str | None], ...] = ()
    others: "tuple[DataRule, ...]" = ()

    @cached_property
    def slots(self) -> list[DataSlot]:
        """The values in it."""
        return [piece for piece in self.pieces if isinstance(piece, DataSlot)]

    @property
    def is_constant(self) -> bool:
        """Whether it says the same of every record."""
        return not self.slots

    def read(self, leaves: Leaves) -> ShownPart:
        """What is shown of an element; a NoWordError if nobody can know it from what was seen."""
        shown = self._read(leaves)
        for other in self.others:
            if not other._agrees(shown, leaves):
                raise NoWordError(other.slots[0].path, leaves.get(other.slots[0].path))
        return shown

    def _agrees(self, shown: ShownPart, leaves: Leaves) -> bool:
        try:
            return self._read(leaves) == shown
        except NoWordError:  # it knows no better
            return True

    def _read(self, leaves: Leaves) -> ShownPart:
        if self.words:
            return self._in_words(leaves.get(self.slots[0].path))
        if self.slots and EVERY in self.slots[0].path:
            return self._in_every(leaves.get(self.slots[0].path))
        texts = [piece if isinstance(piece, str) else piece.fill(leaves) for piece in self.pieces]
        present = [text for text in texts if text is not None]
        if len(present) < len(texts):
            if any(leaves.get(slot.path) not in (None, "") for slot in self.slots):
                raise NoWordError(self.slots[0].path, leaves.get(self.slots[0].path))
            return None
        if self.slots and not any(slot.fill(leaves) for slot in self.slots):
            return None
        return plain("".join(present))

    def _in_words(self, value: Any) -> str | None:
        for known, word in self.words:
            if known == value and isinstance(known, bool) == isinstance(value, bool):
                return word
        raise NoWordError(self.slots[0].path, value)

    def _in_every(self, values: Any) -> ShownPart:
        if not values:
            return None
        before, slot, after = self.pieces
        assert isinstance(slot, DataSlot)
        texts = [written(value, slot.form) for value in values]
        if None in texts:
            raise NoWordError(slot.path, values)
        return tuple(f"{before}{text}{after}" for text in texts)

    @property
    def told(self) -> str:
        """The rule as people read it."""
        if self.words:
            path = told_path(self.slots[0].path)
            return f"{path} ({', '.join(f'{value}: {word or None}' for value, word in self.words)})"
        return "".join(piece if isinstance(piece, str) else f"{{{told_path(piece.path)}}}" for piece in self.pieces)


def is_readable(rule: DataRule) -> bool:
    """Whether a rule from a file can be read: a value, several in one text, or one that stands for words or a list."""
    if not rule.slots:
        return False
    if rule.words:
        return len(rule.slots) == 1
    if any(EVERY in slot.path for slot in rule.slots):
        return [isinstance(piece, str) for piece in rule.pieces] == [True, False, True]
    return len(rule.slots) <= MOST_SLOTS


class NoWordError(Exception):
    """A value that a rule has never seen the like of, so that nobody knows what the page shows for it."""

    def __init__(self, path: OwnPath, value: object) -> None:
        super().__init__(f"{told_path(path)} is {value!r:.60}, and no page that was seen tells what is shown for that")


def find_rule(shown: Sequence[ShownPart], elements: Sequence[Leaves], language: str) -> DataRule | None:
    """The rule by which all records show a field; None if none of them holds for every record.

    >>> rule = find_rule(["1.50 EUR", "2.00 EUR"], [{("p",): 1.5, ("n",): 7}, {("p",): 2, ("n",): 8}], "en")
    >>> rule.told
    '{p} EUR'
    """
    sample = next((place for place, text in enumerate(shown) if text), None)
    if sample is None:
        return None
    seen = _Seen(shown, elements, shown[sample], elements[sample], language)
    for way in (_single, _in_words, _several, _mixed, _constant):
        if rules := way(seen):
            return replace(rules[0], others=tuple(rules[1:MOST_OTHERS]))
    return None


@dataclass(frozen=True)
class _Seen:
    """What records show in a field, and their elements; one of them, in which it is not empty, is the sample."""

    shown: Sequence[ShownPart]
    elements: Sequence[Leaves]
    text: ShownPart
    leaves: Leaves
    language: str
    _varying: dict[OwnPath, bool] = field(default_factory=dict)

    def holds(self, rule: DataRule) -> bool:
        """Whether a rule is right for every record."""
        try:
            return all(rule.read(one) == (text or None) for text, one in zip(self.shown, self.elements, strict=True))
        except NoWordError:
            return False

    def varies(self, path: OwnPath) -> bool:
        """Whether a value is not the same in every element."""
        if path not in self._varying:
            first = self.leaves.get(path)
            self._varying[path] = any(one.get(path) != first for one in self.elements)
        return self._varying[path]

    def candidates(self, text: str) -> Iterator[tuple[DataSlot, str]]:
        """The values that may stand in the text of the sample, as they are written there."""
        forms = (
            DataSlot(path, form)
            for path, value in self.leaves.items()
            if EVERY not in path
            for form in forms_in(value, text, self.language)
        )
        for slot in islice(forms, MOST_TRIED):
            if value := slot.fill(self.leaves):
                yield slot, value


def _single(seen: _Seen) -> list[DataRule]:
    """One value, with what stands around it in every record."""
    if not isinstance(seen.text, str):
        return []
    found: list[tuple[int, int, DataRule]] = []
    for slot, value in seen.candidates(seen.text):
        for before, after in _around(seen.text, value):
            if (before or after) and ((len(value) < LEAST_TEXT and not value.isdigit()) or not seen.varies(slot.path)):
                continue
            rule = DataRule(tuple(piece for piece in (before, slot, after) if piece))
            if seen.holds(rule):
                found.append((len(before) + len(after), len(slot.path), rule))
    return [rule for *_, rule in sorted(found, key=lambda one: one[:2])]


def _around(text: str, value: str) -> Iterator[tuple[str, str]]:
    """What is before and after each place of a value in a text."""
    at = text.find(value)
    while at >= 0:
        yield text[:at], text[at + len(value) :]
        at = text.find(value, at + 1)


def _in_words(seen: _Seen) -> list[DataRule]:
    """A value that stands for one of a few texts: a yes or no, a status."""
    if not all(text is None or isinstance(text, str) for text in seen.shown) or len(set(seen.shown)) < 2:
        return []
    paths = dict.fromkeys(path for leaves in seen.elements for path in leaves if EVERY not in path)
    return [rule for path in paths if (rule := _words_of(path, seen)) is not None]


def _words_of(path: OwnPath, seen: _Seen) -> DataRule | None:
    values = [leaves.get(path) for leaves in seen.elements]
    if any(not isinstance(value, bool | int | str | None) for value in values):
        return None
    words: dict[tuple[type, Any], ShownPart] = {}
    for value, text in zip(values, seen.shown, strict=True):
        if words.setdefault((type(value), value), text) != text:
            return None
    if len(values) < LEAST_SEEN * len(words):
        return None
    told = tuple((value, text if isinstance(text, str) else None) for (_, value), text in words.items())
    return DataRule((DataSlot(path),), told)


def _several(seen: _Seen) -> list[DataRule]:
    """Several values of a list, each in a text of its own."""
    if not isinstance(seen.text, tuple):
        return []
    first = seen.text[0]
    lists = ((path, values) for path, values in seen.leaves.items() if EVERY in path and len(values) == len(seen.text))
    rules = (
        DataRule((before, DataSlot(path, form), after))
        for path, values in lists
        for form in forms_in(values[0], first, seen.language)
        for before, after in _around(first, written(values[0], form) or first)
    )
    return [rule for rule in rules if seen.holds(rule)]


def _mixed(seen: _Seen) -> list[DataRule]:
    """A text that several values are written into."""
    if not isinstance(seen.text, str) or len(seen.text) > LONGEST_MIXED:
        return []
    slots: dict[str, list[DataSlot]] = {}
    for slot, value in seen.candidates(seen.text):
        if (len(value) >= LEAST_TEXT or value.isdigit()) and seen.varies(slot.path):
            slots.setdefault(value, []).append(slot)
    pieces = _split(seen.text, sorted(slots, key=len, reverse=True))
    if not 2 <= sum(piece in slots for piece in pieces) <= MOST_SLOTS:
        return []
    choices: list[list[str | DataSlot]] = [[*slots[piece]] if piece in slots else [piece] for piece in pieces]
    tried = (DataRule(tuple(way)) for way in islice(product(*choices), MOST_MIXED))
    return [rule for rule in tried if seen.holds(rule)]


def _split(text: str, values: Sequence[str]) -> list[str]:
    """A text cut where one of some values stands, the longest first."""
    pieces, plain_from, at = [], 0, 0
    while at < len(text):
        value = next((value for value in values if text.startswith(value, at)), "")
        if value:
            pieces += [text[plain_from:at]] * (at > plain_from) + [value]
            at = plain_from = at + len(value)
        else:
            at += 1
    return pieces + [text[plain_from:]] * (len(text) > plain_from)


def _constant(seen: _Seen) -> list[DataRule]:
    """The same text in every record, such as that of a button."""
    is_same = len(set(seen.shown)) == 1 and isinstance(seen.text, str) and len(seen.shown) >= LEAST_SEEN
    return [DataRule((seen.text,))] if is_same and isinstance(seen.text, str) else []
