"""Clean texts: one Unicode form, single blanks, no HTML entities that were left over, one case if wanted."""

import html
import re
import unicodedata
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sightline.flow.normalise._cells import CellColumn
from sightline.flow.normalise._distinct import DistinctNormaliser
from sightline.flow.normalise._normalised import Read, text_of
from sightline.flow.normalise._normaliser import BatchCells, Made
from sightline.flow.normalise._settings import TextSettings
from sightline.flow.normalise._steps import TextStep

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
