"""Clean texts: one Unicode form, single blanks, no HTML entities that were left over, one case if wanted."""

import html
import re
import unicodedata
from decimal import Decimal
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sightline.data import ColumnType, infer
from sightline.flow.normalise._cells import Bools, CellColumn
from sightline.flow.normalise._dates import date_storage
from sightline.flow.normalise._normalised import Read, quoted, text_of
from sightline.flow.normalise._normaliser import BatchCells, DistinctNormaliser, Made, sample_shapes
from sightline.flow.normalise._numbers import PRECISION, Decimals, Scaled, ShapeReader
from sightline.flow.normalise._settings import TextSettings
from sightline.flow.normalise._steps import TextStep, TypingStep

# Only with the semicolon: without it, &copy may be a part of an address.
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});", re.ASCII)
# Escaped twice happens (a feed inside a page); more often than that it is a text about entities.
_ROUNDS = 2
# Marks without width that say nothing in any script: soft hyphen, zero-width space, word joiner, byte-order mark.
_NOTHING = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
_CASES = {"lower": str.lower, "upper": str.upper, "fold": str.casefold}


class TextNormaliser(DistinctNormaliser):
    """Clean texts; those with nothing to clean stay as they are."""

    step: TextStep

    def __init__(self, step: TextStep) -> None:
        super().__init__(step, is_decided=True)
        self._unclean = _unclean(step.settings)

    def read(self, value: Any) -> Read:
        """A clean text; None if nothing is left."""
        text = text_of(value)
        return None if text is None else _cleaned(text, self.step.settings) or None, None

    def arrow_type(self, column: CellColumn) -> Any:
        """Texts as they were stored."""
        return column.cells.type if column.is_text else pa.string()

    def make(self, batch: BatchCells) -> Made:
        """Clean the texts that need it."""
        column = batch.cells(self.name)
        if not column.is_text:
            return super().make(batch)
        is_unclean = pc.fill_null(pc.match_substring_regex(column.cells, self._unclean), fill_value=False)
        rows = np.flatnonzero(is_unclean.to_numpy(zero_copy_only=False) | column.is_other)
        return self.made(_PLAIN_CASES[self.step.settings.case](column.cells), rows, column.labels(rows))


_PLAIN_CASES = {
    "keep": lambda texts: texts,
    "lower": pc.ascii_lower,
    "upper": pc.ascii_upper,
    "fold": pc.ascii_lower,
}


def _unclean(settings: TextSettings) -> str:
    """What a text that may change has, besides the case of plain letters: anything else than the signs of ASCII."""
    blanks = "|^ |  | $" if settings.blanks else r"|[^\x00-\x7f]"
    return r"^$|[^ -~]" + blanks + ("|&" if settings.entities else "")


def _cleaned(text: str, settings: TextSettings) -> str:
    """One text, cleaned."""
    if settings.entities and "&" in text:
        for _ in range(_ROUNDS):
            text = _ENTITY.sub(_resolved, text)
    is_plain = text.isascii()  # nothing to compose or to take out
    if settings.form != "keep" and not is_plain:
        text = unicodedata.normalize(settings.form, text)  # type: ignore[arg-type]
    if settings.blanks:
        text = " ".join((text if is_plain else text.translate(_NOTHING)).split())
    return _CASES[settings.case](text) if settings.case in _CASES else text


def _resolved(found: re.Match[str]) -> str:
    return _character(found[0])


@lru_cache(maxsize=4096)
def _character(entity: str) -> str:
    return html.unescape(entity)


# -- column typing: one type for the whole column, decided from all its values --------------------------------------

# No text of so many characters has more digits than a float keeps.
_CERTAINLY_EXACT = 15
# Digits behind the point of typed money where no sample says how many there are; what has more is a problem.
_MOST_SCALE = 10
# No decimal of so many digits is changed by a float, nor is its quotient by a power of ten.
_FLOAT_DIGITS = 15


class TypingNormaliser(DistinctNormaliser):
    """Typed values, by the type that all texts of the column have together; numbers by their shapes.

    A value that does not fit the type is a problem; none is read in another way than the others.
    """

    step: TypingStep

    def __init__(self, step: TypingStep) -> None:
        super().__init__(step, step.type, is_decided=step.type is not None)
        self._scale = _MOST_SCALE
        self._lost = ""
        if step.type is not None:
            self._settle(step.type)

    def sample(self, batch: BatchCells) -> bool:
        """Count the texts, and numbers as texts."""
        sample_shapes(self.seen, batch, self.name, text_of)
        return True

    def decide(self) -> None:
        """The type, and how many digits money has."""
        settings, texts = self.step.settings, self.seen.texts
        decided = infer(texts, settings.language, year=settings.year, unit=settings.unit)
        self._settle(decided)
        if decided.kind == "money" and self.seen.is_whole:
            values = (decided.parse(text) for text in texts)
            scales = (-int(value.as_tuple().exponent) for value in values if isinstance(value, Decimal))
            self._scale = max(min(max(scales, default=0), _MOST_SCALE), 0)
        super().decide()

    def _settle(self, type: ColumnType) -> None:
        self.type = self.report.type = type
        self._reader = ShapeReader(lambda text: _certain(text, type), type.decimal or ".")

    @property
    def notes(self) -> tuple[str, ...]:
        """What is ambiguous about the type, and what the typed values do not say of their texts."""
        lost = (f"exactness: {self._lost} and the like say more than their typed values",) if self._lost else ()
        return (*(self.type.ambiguous if self.type else ()), *lost, *super().notes)

    def read(self, value: Any) -> Read:
        """A typed value; in a column of texts, one that says nothing is none."""
        text, type = text_of(value), self.type or ColumnType()
        if text is None:
            return None, None
        typed = None if type.kind == "text" and type.is_whole(text, None) else type.parse(text)
        if typed is None:
            return None, None if type.is_whole(text, None) else f"{quoted(text)} is not {_noun(type)}."
        if not self._lost and _is_doubtful(text, type) and not type.is_whole(text, typed):
            self._lost = quoted(text)
        return typed, None

    def arrow_type(self, column: CellColumn) -> Any:
        """As the exports of tables store the type."""
        type = self.type or ColumnType()
        match type.kind:
            case "number":
                return pa.int64() if type.integer else pa.float64()
            case "money":
                return pa.decimal128(PRECISION, self._scale)
            case "measure":
                return pa.float64()
            case "date":
                return pa.string() if type.without_year and type.year is None else date_storage(type)
            case "time":
                return pa.time64("us")
        return pa.large_string() if pa.types.is_large_string(column.cells.type) else pa.string()

    def make(self, batch: BatchCells) -> Made:
        """Numbers all at once where their digits say all, and texts that say something as they are."""
        column = batch.cells(self.name)
        if column.is_text and self.type is not None and self.type.kind == "text":
            has_digit = pc.fill_null(pc.match_substring_regex(column.cells, "[0-9]"), fill_value=False)
            rows = np.flatnonzero(~has_digit.to_numpy(zero_copy_only=False))
            return self.made(column.cells, rows, column.labels(rows))
        if not column.is_text or self.type is None or self.type.kind not in ("number", "money"):
            return super().make(batch)
        numbers, _ = self._reader.read(column.filled)
        at_once, good = self._at_once(numbers)
        rows = np.flatnonzero(~good)
        return self.made(at_once, rows, column.labels(rows))

    def _at_once(self, numbers: Scaled) -> tuple[Any, Bools]:
        """Numbers as the type stores them, and which of them could be."""
        whole, power = numbers.numbers, 10**numbers.scale
        if self.type is not None and self.type.kind == "money":
            good = numbers.good & (numbers.scale <= self._scale)
            step = 10 ** max(self._scale - numbers.scale, 0)
            good &= np.abs(whole) < 10**18 // step
            return Decimals(np.where(good, whole, 0) * step, self._scale, good, numbers.digits), good
        good = numbers.good & (np.abs(whole) < 10**_FLOAT_DIGITS)
        if self.type is not None and self.type.integer:
            good &= whole % power == 0
            return pa.array(np.where(good, whole // power, 0)), good
        return pa.array(np.where(good, whole, 0) / float(power)), good


def _certain(text: str, type: ColumnType) -> tuple[Decimal, None] | None:
    """The number of a text that says no more than it."""
    value = type.parse(text)
    if not isinstance(value, int | float | Decimal) or not type.is_whole(text, value):
        return None
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value), None


def _is_doubtful(text: str, type: ColumnType) -> bool:
    """Whether a typed value may say less than its text, such as digits beyond those of a float."""
    return type.kind != "text" and (len(text) > _CERTAINLY_EXACT or "0" in text[:2] or type.kind == "date")


def _noun(type: ColumnType) -> str:
    noun = {"money": f"an amount of {type.currency or 'money'}", "measure": f"a measure in {type.unit}"}
    nouns = {**noun, "url": "an address", "email": "an e-mail address"}
    return nouns.get(type.kind, f"a {type.kind}")
