"""What speaks for and against a pair of records: one row of figures for each pair."""

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.arrays import FloatArray, LongArray
from sightline.flow.match._columns import (
    Compared,
    TokenRows,
    codes_of,
    codes_written_apart,
    gram_rows,
    is_code,
    numbers_of,
    plain_code,
    plain_number,
    prefixes_of,
    token_rows,
    words_of,
)

EVIDENCE = (
    "letters",
    "words",
    "names contained",
    "ahead of other rights",
    "ahead of other lefts",
    "shared code",
    "codes begin alike",
    "codes differ",
    "numbers differ",
    "numbers shared",
    "price apart",
    "both priced",
    "first word",
)
"""What each figure of a pair says, in the order of the columns of `LikelyPairs.evidence`."""

_MOST_PARTNERS = 10  # of each left record that are compared: 99.8 % of the true pairs of bench/flow are among them
_LONG_CODE = 8  # characters; a shared code of so many isn't an accident
_FAR_PRICE = 2.0  # log of the ratio; prices further apart say no more


class LikelyPairs:
    """Pairs that may match, in rising order of `rows`, with the evidence for each."""

    def __init__(self, rows: LongArray, columns: LongArray, evidence: FloatArray) -> None:
        self.rows: LongArray = rows
        self.columns: LongArray = columns
        self.evidence: FloatArray = evidence

    def __len__(self) -> int:
        return len(self.rows)


class _Tokens:
    """What the records of one side are made of."""

    def __init__(self, side: Compared) -> None:
        self.words = [words_of(name) for name in side.names]
        self.codes = [codes_of(name) for name in side.names]
        self.codes_anywhere = [
            codes_written_apart(name) | codes_of(text) for name, text in zip(side.names, side.descriptions, strict=True)
        ]
        self.numbers = [numbers_of(name) for name in side.names]

    def longest_codes(self) -> LongArray:
        return np.array([max(map(len, codes), default=0) for codes in self.codes], np.int64)


class Compare:
    """Compares the records of two sides; what takes long is done once, when it is made."""

    def __init__(self, left: Compared, right: Compared) -> None:
        self._prices = np.array(left.prices), np.array(right.prices)
        one, two = _Tokens(left), _Tokens(right)
        self._grams = gram_rows(left.names, right.names)
        self._words = token_rows(one.words, two.words)
        self._first = token_rows([words[:1] for words in one.words], [words[:1] for words in two.words])
        self._codes_of_left = token_rows(one.codes, two.codes_anywhere, _certainty)
        self._codes_of_right = token_rows(one.codes_anywhere, two.codes, _certainty)
        self._prefixes = token_rows(map(prefixes_of, one.codes), map(prefixes_of, two.codes), len, by_rarity=False)
        self._longest = one.longest_codes(), two.longest_codes()
        self._numbers = token_rows(one.numbers, two.numbers, _once, by_rarity=False)

    def pairs(self) -> LikelyPairs:
        """The pairs that are worth a look, with their evidence."""
        left, right = self._grams
        rows, columns = candidates(left, right, _MOST_PARTNERS)
        back_columns, back_rows = candidates(right, left, _MOST_PARTNERS)
        width = len(right)
        both = np.union1d(rows * width + columns, back_rows * width + back_columns)
        rows, columns = both // max(width, 1), both % max(width, 1)
        return LikelyPairs(rows, columns, self._evidence(rows, columns))

    def _evidence(self, rows: LongArray, columns: LongArray) -> FloatArray:
        letters = cosines(*self._grams, rows, columns)
        figures = [
            letters,
            cosines(*self._words, rows, columns),
            self._contained(rows, columns),
            letters - best_other(rows, letters),
            letters - best_other(columns, letters),
            *self._code_figures(rows, columns),
            *self._number_figures(rows, columns),
            *self._price_figures(rows, columns),
            (shared_weight(*self._first, rows, columns) > 0).astype(float),
        ]
        return np.stack(figures, axis=1)

    def _contained(self, rows: LongArray, columns: LongArray) -> FloatArray:
        """How much of the shorter name is in the longer one."""
        left, right = self._words
        shorter = np.minimum(left.totals()[rows], right.totals()[columns])
        share: FloatArray = shared_weight(left, right, rows, columns) / np.maximum(shorter, 1e-12)
        return share

    def _code_figures(self, rows: LongArray, columns: LongArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        shared = np.maximum(
            highest_shared(*self._codes_of_left, rows, columns), highest_shared(*self._codes_of_right, rows, columns)
        )
        left, right = self._longest[0][rows], self._longest[1][columns]
        begin = highest_shared(*self._prefixes, rows, columns) / np.maximum(np.maximum(left, right), 1)
        differ = (left > 0) & (right > 0) & (shared == 0)
        return shared, np.where(differ, begin, 0.0), differ.astype(float)

    def _number_figures(self, rows: LongArray, columns: LongArray) -> tuple[FloatArray, FloatArray]:
        left, right = self._numbers
        shared = shared_weight(left, right, rows, columns)
        own, other = left.counts()[rows], right.counts()[columns]
        differ = (own > shared) & (other > shared)
        return differ.astype(float), shared / np.maximum(own + other - shared, 1)

    def _price_figures(self, rows: LongArray, columns: LongArray) -> tuple[FloatArray, FloatArray]:
        left, right = self._prices[0][rows], self._prices[1][columns]
        known = (left > 0) & (right > 0)
        apart = np.abs(np.log(np.where(known, left, 1.0) / np.where(known, right, 1.0)))
        return np.minimum(apart, _FAR_PRICE), known.astype(float)


def _certainty(code: str) -> float:
    """How surely a shared code means the same product."""
    return min(len(code), _LONG_CODE) / _LONG_CODE


def _once(_: str) -> float:
    return 1.0


# -- arithmetic on pairs of records: what they share, and which pairs are worth comparing ---------------------------
# Pairs are two arrays, rows of the left side (in rising order) and rows of the right. A few left rows at a time are
# spread out over the whole vocabulary, so that the tokens of their partners find them by their numbers.

_SPREAD = 4_000_000  # numbers held at once
_FAR_BEHIND = 0.25  # of the score of the best partner; what scores less is none
_RAREST = 24  # tokens of a record by which partners are looked for: the others are too common to tell


def shared_weight(left: TokenRows, right: TokenRows, rows: LongArray, columns: LongArray) -> FloatArray:
    """The sum of the weights of the tokens that both records of each pair have."""
    return _over_pairs(left, right, rows, columns, is_highest=False)


def highest_shared(left: TokenRows, right: TokenRows, rows: LongArray, columns: LongArray) -> FloatArray:
    """The highest weight of a token that both records of each pair have, or 0."""
    return _over_pairs(left, right, rows, columns, is_highest=True)


def cosines(left: TokenRows, right: TokenRows, rows: LongArray, columns: LongArray) -> FloatArray:
    """How alike the records of each pair are, from 0 to 1, rare tokens counting more."""
    dots = shared_weight(_squared(left), _squared(right), rows, columns)
    lengths = np.sqrt(_squared(left).totals())[rows] * np.sqrt(_squared(right).totals())[columns]
    alike: FloatArray = dots / np.maximum(lengths, 1e-12)
    return alike


def _squared(tokens: TokenRows) -> TokenRows:
    return TokenRows(tokens.offsets, tokens.ids, tokens.weights**2, tokens.vocabulary)


def _over_pairs(
    left: TokenRows, right: TokenRows, rows: LongArray, columns: LongArray, *, is_highest: bool
) -> FloatArray:
    result = np.zeros(len(rows))
    left, right = _in_both(left, right)
    for first, last, spread in _spread(left):
        start, stop = np.searchsorted(rows, (first, last))
        if start == stop:
            continue
        sizes = right.offsets[columns[start:stop] + 1] - right.offsets[columns[start:stop]]
        ends = np.cumsum(sizes)
        at = np.arange(int(ends[-1])) + np.repeat(right.offsets[columns[start:stop]] - (ends - sizes), sizes)
        places = np.repeat((rows[start:stop] - first) * left.vocabulary, sizes) + right.ids[at]
        common = np.where(spread[places], right.weights[at], 0.0)
        filled = np.flatnonzero(sizes)
        reduce = np.maximum if is_highest else np.add
        if len(filled):
            result[start + filled] = reduce.reduceat(common, (ends - sizes)[filled])
    return result


def _in_both(left: TokenRows, right: TokenRows) -> tuple[TokenRows, TokenRows]:
    """Only the tokens that both sides have, numbered anew: most model numbers stand on one side alone."""
    on_left, on_right = np.zeros(left.vocabulary, bool), np.zeros(left.vocabulary, bool)
    on_left[left.ids] = True
    on_right[right.ids] = True
    is_shared = on_left & on_right
    numbers = np.cumsum(is_shared) - 1
    return _only(left, is_shared, numbers), _only(right, is_shared, numbers)


def _only(tokens: TokenRows, is_kept: npt.NDArray[np.bool_], numbers: LongArray) -> TokenRows:
    kept = is_kept[tokens.ids]
    offsets = np.concatenate([[0], np.cumsum(kept)])[tokens.offsets]
    return TokenRows(offsets, numbers[tokens.ids[kept]], tokens.weights[kept], max(int(numbers[-1]) + 1, 1))


def _spread(tokens: TokenRows) -> Iterator[tuple[int, int, npt.NDArray[np.bool_]]]:
    """A few records at a time, as rows of yes and no over the vocabulary."""
    step = max(1, _SPREAD // tokens.vocabulary)
    for first in range(0, len(tokens), step):
        last = min(first + step, len(tokens))
        spread = np.zeros((last - first) * tokens.vocabulary, bool)
        own = slice(int(tokens.offsets[first]), int(tokens.offsets[last]))
        local = np.repeat(np.arange(last - first), np.diff(tokens.offsets[first : last + 1]))
        spread[local * tokens.vocabulary + tokens.ids[own]] = True
        yield first, last, spread


def candidates(left: TokenRows, right: TokenRows, most: int) -> tuple[LongArray, LongArray]:
    """For each left record the right records that share most with it, at most so many.

    Only the rarest tokens of a left record look for partners, which bounds the work; what is found is compared by all
    of them afterwards.
    """
    if not len(left) or not len(right):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    starts, owners = _postings(right)
    lengths = np.sqrt(_squared(right).totals())
    step = max(1, _SPREAD // max(len(right), 1))
    rows, columns = [], []
    for first in range(0, len(left), step):
        last = min(first + step, len(left))
        score = _scores(left, first, last, starts, owners, len(right))
        score /= np.maximum(lengths, 1e-12)
        least = np.maximum(_FAR_BEHIND * score.max(axis=1, initial=0.0), 0.0)
        row, column = np.divmod(np.flatnonzero(score > least[:, None]), max(len(right), 1))
        kept = _ranks_within(row, -score[row, column]) < most
        rows.append(first + row[kept])
        columns.append(column[kept])
    return np.concatenate(rows), np.concatenate(columns)


def _postings(tokens: TokenRows) -> tuple[LongArray, LongArray]:
    """Where the records with each token begin, and these records."""
    order = np.argsort(tokens.ids, kind="stable")
    starts = np.searchsorted(tokens.ids[order], np.arange(tokens.vocabulary + 1))
    owners = np.repeat(np.arange(len(tokens)), tokens.counts())
    return starts, owners[order]


def _scores(left: TokenRows, first: int, last: int, starts: LongArray, owners: LongArray, width: int) -> FloatArray:
    """What some left records share with every right one, by their rarest tokens; a token weighs alike on both sides."""
    sizes = np.diff(left.offsets[first : last + 1])
    own = slice(int(left.offsets[first]), int(left.offsets[last]))
    row, token, weight = np.repeat(np.arange(last - first), sizes), left.ids[own], left.weights[own]
    rare = _ranks_within(row, -weight) < _RAREST
    row, token, weight = row[rare], token[rare], weight[rare]
    counts = starts[token + 1] - starts[token]
    ends = np.cumsum(counts)
    at = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(starts[token] - (ends - counts), counts)
    flat = np.repeat(row * width, counts) + owners[at]
    values = np.repeat(weight**2, counts)
    scores = np.bincount(flat, weights=values, minlength=(last - first) * width).reshape(-1, width)
    return scores.astype(np.float64, copy=False)  # without tokens, numpy gives counts


def _ranks_within(groups: LongArray, values: FloatArray) -> LongArray:
    """The rank of each value within its group, the lowest first; groups stand together."""
    order = np.lexsort((values, groups))
    ranks = np.empty(len(groups), np.int64)
    starts = np.searchsorted(groups, groups)
    ranks[order] = np.arange(len(groups)) - starts[order]
    return ranks


def best_other(groups: LongArray, values: FloatArray) -> FloatArray:
    """For each pair the highest value of another pair of its group, or 0.

    >>> best_other(np.array([0, 0, 1]), np.array([0.9, 0.4, 0.7])).tolist()
    [0.4, 0.9, 0.0]
    """
    order = np.lexsort((-values, groups))
    ordered, at = values[order], groups[order]
    is_first = np.concatenate([[True], at[1:] != at[:-1]]) if len(at) else np.zeros(0, bool)
    first_of = np.maximum.accumulate(np.where(is_first, np.arange(len(at)), 0))
    after = np.minimum(first_of + 1, max(len(at) - 1, 0))
    second = np.where((after > first_of) & (at[after] == at), ordered[after], 0.0) if len(at) else ordered
    other = np.empty(len(values))
    other[order] = np.where(is_first, second, ordered[first_of])
    return other


# -- what two records share and where they differ, as spans of their texts, for people to see at once ---------------
# The spans are found by the same words, codes and numbers that the evidence is made of.

MarkKind: TypeAlias = Literal["shared code", "other code", "shared word", "shared number", "other number", "other unit"]
"""What a span says: a model number, word or number that both have, or one that only this record has."""

# Written behind a number, these are a unit; the list is that of the product catalogues of bench/flow, and metric ones.
UNITS = frozenset(
    (
        *("mm", "cm", "m", "km", "in", "inch", "inches", "ft", "yd"),
        *("kg", "g", "mg", "lb", "lbs", "oz", "l", "ml", "cl", "gal"),
        *("w", "kw", "wh", "kwh", "v", "mv", "a", "ma", "mah", "watt", "watts", "volt", "volts"),
        *("hz", "khz", "mhz", "ghz", "bit", "kb", "mb", "gb", "tb"),
        *("mp", "mpx", "megapixel", "megapixels", "k", "p", "fps", "rpm", "db", "dpi", "ppm"),
        *("pages", "sheets", "pack", "pcs", "pc", "h", "hour", "hours", "min", "s", "ms"),
    )
)
_WORD = re.compile(r"\S+")
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)+")  # is a number, however long
_QUANTITY = re.compile(
    r"(\d+(?:[.,]\d+)*(?:-\d+(?:[.,]\d+)*)?)\s?-?([a-zµ]{1,10}(?:/[a-z]{1,4})?|[\"″”'′%])?(?![a-z0-9])", re.IGNORECASE
)
_MARKS_OF_INCH = '"″”'
_LEAST_WORD = 2  # letters; single ones are shared by accident
_ABOUT = 0.05  # of the price: what differs by less is about the same
_TWICE = 1.95  # times as much are told as times, less as per cent


@dataclass(frozen=True)
class TextMark:
    """A span of a text, from `start` up to `end`."""

    start: int
    end: int
    kind: MarkKind


@dataclass(frozen=True)
class RecordMarks:
    """The marks of two records by field, and the texts that were marked, by what they say."""

    left: Mapping[str, tuple[TextMark, ...]]
    right: Mapping[str, tuple[TextMark, ...]]

    def texts(self, side: Literal["left", "right"], kind: MarkKind, fields: Mapping[str, str]) -> list[str]:
        """The different texts that are marked as something on one side."""
        marks = self.left if side == "left" else self.right
        found = [
            fields[name][mark.start : mark.end] for name, own in marks.items() for mark in own if mark.kind == kind
        ]
        return list(dict.fromkeys(found))


@dataclass(frozen=True)
class _Quantity:
    start: int
    end: int
    number: str
    unit: str


class _Side:
    """What the fields of one record are made of, with the places of all of it."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.words = {name: list(_words(text)) for name, text in fields.items()}
        self.quantities = {name: list(_quantities(text)) for name, text in fields.items()}
        amounts = {
            word for name in fields for word in _amount_words(self.words[name], self.quantities[name], fields[name])
        }
        self.codes = {plain for own in self.words.values() for _, _, plain in own if _is_telling(plain)} - amounts
        self.joined = {
            one[2] + two[2] for own in self.words.values() for one, two in pairwise(own) if is_code(one[2] + two[2])
        }
        self.plain = {plain for own in self.words.values() for _, _, plain in own if len(plain) >= _LEAST_WORD}
        self.numbers = {one.number for own in self.quantities.values() for one in own}
        self.amounts = {(one.number, one.unit) for own in self.quantities.values() for one in own if one.unit}

    def without(self, marks: Mapping[str, Sequence[TextMark]]) -> "_Side":
        """The same without numbers that are parts of what is marked already, such as the 1008 of DGS 1008P."""
        left = copy(self)
        left.quantities = {
            name: [one for one in own if not any(one.start < mark.end and mark.start < one.end for mark in marks[name])]
            for name, own in self.quantities.items()
        }
        left.numbers = {one.number for own in left.quantities.values() for one in own}
        left.amounts = {(one.number, one.unit) for own in left.quantities.values() for one in own if one.unit}
        return left


def record_marks(left: Mapping[str, str], right: Mapping[str, str]) -> RecordMarks:
    """The marks of two records, each with its texts by field.

    >>> found = record_marks({"name": "Sony DSCW150 64 GB"}, {"name": "SONY DSC-W150, 32 GB"})
    >>> [(mark.kind, "SONY DSC-W150, 32 GB"[mark.start : mark.end]) for mark in found.right["name"]]
    [('shared word', 'SONY'), ('shared code', 'DSC-W150'), ('other number', '32 GB')]
    """
    one, two = _Side(left), _Side(right)
    codes = _code_marks(one, two), _code_marks(two, one)
    one, two = one.without(codes[0]), two.without(codes[1])
    return RecordMarks(_marks(one, two, codes[0]), _marks(two, one, codes[1]))


def price_words(left: float, right: float) -> str | None:
    """How a price compares with another, in words; None if one is not known.

    >>> price_words(299.0, 99.0), price_words(88.0, 100.0), price_words(101.0, 100.0)
    ('3.0 times as much', '12 % less', 'about the same')
    """
    if left <= 0 or right <= 0:
        return None
    ratio = left / right
    if abs(ratio - 1) < _ABOUT:
        return "about the same"
    if ratio >= _TWICE:
        return f"{ratio:.1f} times as much"
    if ratio <= 1 / _TWICE:
        return f"{ratio:.0%} of it".replace("%", " %")
    return f"{abs(ratio - 1) * 100:.0f} % {'more' if ratio > 1 else 'less'}"


# ---------------------------------------------------------------------- one side against the other


def _marks(own: _Side, other: _Side, codes: Mapping[str, list[TextMark]]) -> dict[str, tuple[TextMark, ...]]:
    differing = _differing_codes(own, other) if _differing_codes(other, own) else set()
    found = {}
    for name in own.words:
        taken = list(codes[name])
        others = [TextMark(start, end, "other code") for start, end, plain in own.words[name] if plain in differing]
        for marks in (_quantity_marks(own, other, name), others, _word_marks(own, other, name)):
            # What was marked first says more.
            taken += [mark for mark in marks if not any(_overlap(mark, before) for before in taken)]
        found[name] = tuple(sorted(taken, key=lambda mark: mark.start))
    return found


def _code_marks(own: _Side, other: _Side) -> dict[str, list[TextMark]]:
    """Model numbers that both have, whatever marks or blanks are in them."""
    found: dict[str, list[TextMark]] = {}
    known = other.codes | other.joined
    for name, words in own.words.items():
        pairs = [(start, end, first + second) for (start, _, first), (_, end, second) in pairwise(words)]
        wide = [TextMark(start, end, "shared code") for start, end, both in pairs if both in other.codes]
        single = [
            TextMark(start, end, "shared code") for start, end, plain in words if plain in own.codes and plain in known
        ]
        found[name] = wide + [mark for mark in single if not any(_overlap(mark, before) for before in wide)]
    return found


def _quantity_marks(own: _Side, other: _Side, name: str) -> Iterator[TextMark]:
    """Numbers that both have, and those that differ; a number with its unit is one."""
    both_differ = bool(own.numbers - other.numbers) and bool(other.numbers - own.numbers)
    for one in own.quantities[name]:
        units = {unit for number, unit in other.amounts if number == one.number}
        if one.number in other.numbers:
            is_other = bool(one.unit and units) and one.unit not in units
            yield TextMark(one.start, one.end, "other unit" if is_other else "shared number")
        elif both_differ:
            yield TextMark(one.start, one.end, "other number")


def _word_marks(own: _Side, other: _Side, name: str) -> Iterator[TextMark]:
    for start, end, plain in own.words[name]:
        if plain in other.plain and not plain.isdigit():
            yield TextMark(start, end, "shared word")


def _differing_codes(own: _Side, other: _Side) -> set[str]:
    """Model numbers that the other has not."""
    return {code for code in own.codes - other.codes if not any(code in one for one in other.joined)}


# ---------------------------------------------------------------------- texts


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    """The words of a text without the marks around them, with their places and as they are compared."""
    for found in _WORD.finditer(text):
        start = found.start() + _leading(found[0])
        end = found.end() - _leading(found[0][::-1])
        plain = plain_code(text[start:end].lower())
        if start < end and plain:
            yield start, end, plain


def _leading(word: str) -> int:
    return next((at for at, letter in enumerate(word) if letter.isalnum()), len(word))


def _quantities(text: str) -> Iterator[_Quantity]:
    """The numbers of a text that are words of their own, each with its unit if it has one."""
    for found in _QUANTITY.finditer(text):
        before = text[found.start() - 1] if found.start() else " "
        if before.isalnum() or (before in "-./" and found.start() > 1 and text[found.start() - 2].isalnum()):
            continue
        said = (found[2] or "").lower()
        unit = "in" if said in (*_MARKS_OF_INCH, "inch", "inches") and said else said
        if said and said.partition("/")[0] not in UNITS and said not in "\"″”'′%":
            if not _ends_word(text, found.end(1)):
                continue  # such as the 10 of 10x42
            yield _Quantity(found.start(), found.end(1), plain_number(found[1]), "")
        else:
            yield _Quantity(found.start(), found.end(2) if said else found.end(1), plain_number(found[1]), unit)


def _amount_words(words: Sequence[tuple[int, int, str]], quantities: Sequence[_Quantity], text: str) -> Iterator[str]:
    """Words that look like model numbers, and are numbers or quantities, such as 1.199,00 and 64GB."""
    places = {(one.start, one.end) for one in quantities if one.unit}
    yield from (plain for start, end, plain in words if (start, end) in places or _AMOUNT.fullmatch(text[start:end]))


def _ends_word(text: str, at: int) -> bool:
    return at >= len(text) or not (text[at].isalnum() or (text[at] == "-" and text[at + 1 : at + 2].isalnum()))


def _is_telling(plain: str) -> bool:
    """Whether letters and digits are mixed, as in model numbers; short ones count as well where people look at them."""
    return len(plain) >= _LEAST_WORD and (is_code(plain) or (not plain.isdigit() and not plain.isalpha()))


def _overlap(one: TextMark, two: TextMark) -> bool:
    return one.start < two.end and two.start < one.end
