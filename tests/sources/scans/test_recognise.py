"""Pictures as words, by the real model."""

import numpy as np
import pytest

from sightline.errors import MissingExtra
from sightline.sources.scans import recognise, text_reader
from sightline.sources.scans._text_reader import HEIGHT, strip_of

from ._draw import LEFTS, ROWS, sheet, table, turned

ALL = sorted(" ".join(row) for row in ROWS)


def _rows(picture: np.ndarray) -> tuple[list[str], int]:
    """The rows of a table, and by how many quarters it was turned."""
    found = recognise(picture, text_reader())
    words = sorted((line.foot, word.x0, word.text) for line in found.lines for word in line.words)
    rows: list[list[tuple[float, str]]] = []
    last = -100.0
    for foot, x0, text in words:
        if foot - last > 30:
            rows.append([])
            last = foot
        rows[-1].append((x0, text))
    return sorted(" ".join(text for _, text in sorted(row)) for row in rows), found.quarters


@pytest.mark.parametrize("degrees", [0.0, 1.3])
def test_table_is_read(degrees: float) -> None:
    """Every word of a table is read, with and without a grid, straight and askew."""
    assert _rows(turned(table(ruled=degrees > 0), degrees)) == (ALL, 0)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_sheet_may_lie_in_any_direction(quarters: int) -> None:
    """A sheet on its side or on its head is turned, and says by how many quarters."""
    assert _rows(np.ascontiguousarray(np.rot90(table(), 4 - quarters))) == (ALL, quarters)


def test_words_have_their_places() -> None:
    """The first word of each column begins where the column begins."""
    found = recognise(table(), text_reader())
    firsts = sorted(line.words[0].x0 for line in found.lines)[:: len(ROWS)]
    assert firsts == pytest.approx(LEFTS, abs=6)
    assert max(line.size for line in found.lines) < 1.1 * min(line.size for line in found.lines)


def test_dashes_are_read() -> None:
    """A dash that stands alone in a cell is a dash, not an ideograph."""
    found = recognise(sheet([("Osric 40 cm", 100, 100, 40), ("-", 600, 100, 40)]), text_reader())
    assert sorted(word.text for line in found.lines for word in line.words) == ["-", "40", "Osric", "cm"]


def test_picture_without_text_has_none() -> None:
    """A blank sheet, a grey one and a single dot give nothing."""
    for picture in (sheet(), np.full((200, 200), 90, dtype=np.uint8), np.zeros((1, 1), dtype=np.uint8)):
        assert not recognise(picture, text_reader()).lines


def test_strip_is_white_beyond_the_edge() -> None:
    """A strip that juts out over the picture is white there, and as high as the model wants it."""
    strip, scale = strip_of(np.zeros((20, 50), dtype=np.uint8), (-10, -10, 60, 30), 1.0)
    assert strip.shape == (HEIGHT, round(70 * scale))
    assert (strip[0].min(), strip[24, 40]) == (255, 0)


def test_missing_engine_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the wheel that carries the model, the error says what to install."""
    from sightline.sources.scans import _text_reader

    _text_reader._loaded.cache_clear()
    monkeypatch.setattr(_text_reader, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"pip install 'sightline-data\[ocr\]'"):
        text_reader()
