"""From characters to lines: what stands on one line, where its blanks are, and what is raised, turned or broken."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.page import Page
from sightline.sources.pdf._lines import find_lines
from sightline.sources.pdf._sheet import PdfSheet
from sightline.sources.pdf._worker import PdfWorker

from ._bare import lines, sheet, texts
from ._write import pdf, put

WORDS = st.lists(
    st.text("abcdefghkmnopqrstuvwxyzABCDEFGHKLMNOPRSTUVWXYZ", min_size=2, max_size=9), min_size=2, max_size=6
)


def _apart(words: list[str], y: float, gap: float, size: float = 12) -> bytes:
    """Words set one by one, without a blank anywhere in the file, with so much room between them."""
    content, x = b"", 72.0
    for word in words:
        content += put(word, x, y, size=size)
        x += _wide(word, size) + gap
    return content


def _wide(word: str, size: float) -> float:
    """How wide a word is in Helvetica."""
    page = sheet(put(word, 72, 700, size=size))
    box = page.words.box
    return float(box[:, 2].max() - box[:, 0].min()) * 72 / 96


def _style(page: Page, text: str, name: str) -> str:
    """A property of the node with a text."""
    number = next(n for n in range(len(page)) if page.is_text[n] and page.text_of(n) == text)
    return page.node(number).style[name]


def test_blanks_of_the_file_are_blanks() -> None:
    """A text that is written with blanks is read with them, and is one line."""
    assert lines(sheet(put("The quick brown fox", 72, 700))) == ["The quick brown fox"]


def test_blanks_come_from_room_where_the_file_has_none() -> None:
    """Words that are set one by one, as many programs do, are words, not one long one."""
    assert lines(sheet(_apart(["Aperture", "of", "the", "tube"], 700, 3.3))) == ["Aperture of the tube"]


@pytest.mark.parametrize("spacing", [1.0, 2.0, 3.0])
def test_letters_that_are_spaced_out_are_one_word(spacing: float) -> None:
    """Spaced letters look like blanks to a fixed threshold; the line's own spacing tells them."""
    assert lines(sheet(put("CONTENTS", 72, 700, spacing=spacing))) == ["CONTENTS"]
    assert lines(sheet(put("TOTAL SUM", 72, 700, spacing=spacing))) == ["TOTAL SUM"]


def test_texts_far_apart_on_one_height_are_lines_of_their_own() -> None:
    """Cells and columns stay apart: a line ends where much white begins."""
    page = sheet(put("Aperture", 72, 700), put("30 cm", 300, 700))
    assert lines(page) == ["Aperture", "30 cm"]


def test_pieces_of_a_line_may_come_in_any_order() -> None:
    """The order of the file is not the order of reading."""
    first, second = put("Corrie", 72, 700), put("Hill", 72 + _wide("Corrie", 12) + 3.3, 700)
    assert lines(sheet(second, put("below", 72, 680), first)) == ["Corrie Hill", "below"]


def test_justified_line_stays_whole() -> None:
    """A blank as wide as a gutter does not part a line whose neighbour spans both sides; without it, it does."""
    half = ["a justified line whose words are few", "and long"]
    start = 72 + _wide(half[0], 12) + 16  # points: wider than the white between many a pair of columns
    full = "the line above it, which is full from side to side"
    spacing = (start + _wide(half[1], 12) - 72 - _wide(full, 12)) / len(full)
    parts = [put(half[0], 72, 686), put(half[1], start, 686)]
    assert lines(sheet(put(full, 72, 700, spacing=spacing), *parts)) == [full, " ".join(half)]
    assert lines(sheet(*parts)) == half


def test_raised_and_lowered_letters_are_told() -> None:
    """A small figure above the line is `sup`, one below it `sub`, and both belong to their word."""
    after = 72 + _wide("CO", 12)
    page = sheet(put("CO", 72, 700), put("2", after, 698, size=7), put("m", 200, 700), put("3", 210, 706, size=7))
    assert texts(page, "sub") == ["₂"]
    assert texts(page, "sup") == ["³"]
    assert lines(page) == ["CO₂", "m³"]


def test_smaller_text_on_the_line_is_not_raised() -> None:
    """What is only smaller and stands on the same foot is no index."""
    page = sheet(put("Weight", 72, 700), put("kg", 72 + _wide("Weight", 12) + 3, 700, size=8))
    assert not len(page.with_tag("sup", "sub"))


@pytest.mark.parametrize(("turn", "angle"), [(90, "270"), (270, "90")])
def test_turned_text_is_read_in_its_direction(turn: int, angle: str) -> None:
    """A label along the side of a sheet is one line, and says that it is turned."""
    page = sheet(put("upright text that most of the sheet is", 72, 700), put("Quantity sold", 50, 400, turn=turn))
    assert "Quantity sold" in lines(page)
    turned = [page.node(n) for n in page.with_tag("span").tolist() if page.text_of(n) == "Quantity sold"]
    assert [node.attributes.get("data-angle") for node in turned] == [angle]


def test_sheet_that_lies_on_its_side_is_turned() -> None:
    """Where most text is turned the sheet is, and a note says so; width and height change places."""
    page = sheet(*(put(f"line {number} of a wide table", 100 + 20 * number, 100, turn=90) for number in range(5)))
    assert lines(page) == [f"line {number} of a wide table" for number in range(5)]
    assert page.sheets[0].tolist() == pytest.approx([0, 0, 1056, 816])
    assert page.notes == ("Sheet 1 is turned, so that the text reads from left to right.",)


def test_letters_printed_twice_are_read_once() -> None:
    """Bold made by printing again, a hair to the right, is no second text; what stands further off is one."""
    worker = PdfWorker()
    with worker.open("x.pdf", pdf(put("Total", 72, 700))) as document:
        (once,) = document.sheets([1])
    worker.close()
    assert isinstance(once, PdfSheet)
    for shift, count in ((1.0, 5), (30.0, 10)):
        moved = once.box + np.array([shift, 0, shift, 0], dtype=np.float32)
        columns = {"code": (once.code, once.code), "box": (once.box, moved), "run": (once.run, once.run)}
        twice = replace(once, **{name: np.concatenate(both) for name, both in columns.items()})
        assert len("".join(find_lines(twice).text)) == count


def test_letters_that_are_double_in_the_word_stay() -> None:
    """Two equal letters side by side are two."""
    assert lines(sheet(put("Ill fill llama 1100", 72, 700))) == ["Ill fill llama 1100"]


def test_hyphen_at_the_end_of_a_line_is_marked() -> None:
    """The bare page keeps the hyphen and says that a line ends with one; others do not."""
    page = sheet(put("a well-known tele-", 72, 700), put("scope", 72, 686))
    marked = [page.text_of(n) for n in page.with_tag("span").tolist() if "data-hyphen" in page.node(n).attributes]
    assert marked == ["a well-known tele-"]


def test_looks_are_kept() -> None:
    """Size in CSS pixels, weight, slant and colour stand in the columns where those of web pages stand."""
    page = sheet(
        put("plain", 72, 700),
        put("heavy", 72, 680, font="B", size=18),
        b"0.8 0 0 rg\n" + put("slanted", 72, 650, font="I"),
    )
    assert _style(page, "plain", "font-size") == "16px"
    assert _style(page, "heavy", "font-size") == "24px"
    assert (_style(page, "plain", "font-weight"), _style(page, "heavy", "font-weight")) == ("400", "700")
    assert (_style(page, "plain", "font-style"), _style(page, "slanted", "font-style")) == ("normal", "italic")
    assert _style(page, "slanted", "color") == "rgb(204, 0, 0)"


def test_what_lies_beyond_the_sheet_or_has_no_size_is_not_there() -> None:
    """Text outside of the paper and of no height is not seen, and not read."""
    page = sheet(put("seen", 72, 700), put("outside", 72, 900), put("dust", 72, 600, size=0.2))
    assert lines(page) == ["seen"]


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(words=WORDS, size=st.sampled_from([7.0, 10.0, 14.5, 24.0]), gap=st.floats(0.28, 0.5))
def test_any_words_come_back(words: list[str], size: float, gap: float) -> None:
    """Whatever words are set with usual blanks between them, in whatever size, are read as these words."""
    content, x = b"", 30.0
    for word in words:
        content += put(word, x, 700, size=size)
        x += _wide(word, size) + gap * size
    page = sheet(content, box=b"0 0 2400 792")
    assert " ".join(lines(page)).split() == words
    assert len(lines(page)) == 1


@settings(max_examples=15)
@given(
    places=st.lists(
        st.tuples(st.integers(20, 500), st.integers(2, 40)), min_size=1, max_size=8, unique_by=lambda p: p[1]
    )
)
def test_words_stand_in_their_lines(places: list[tuple[int, int]]) -> None:
    """Every word lies in the box of its line, every line in its sheet, and nothing is lost or doubled."""
    page = sheet(*(put(f"word{row}", x, 18 * row) for x, row in places))
    assert sorted(lines(page)) == sorted(f"word{row}" for _, row in places)
    wide, tall = page.sheets[0, 2:].tolist()
    for node in page.with_tag("span").tolist():
        x0, y0, x1, y1 = page.box[node].tolist()
        assert 0 <= x0 < x1 <= wide
        assert 0 <= y0 < y1 <= tall


@pytest.mark.parametrize(("gap", "expected"), [(2.5, ["ABCDEF"]), (3.5, ["ABC DEF"])])
def test_wide_gap_among_letters_spaced_out(gap: float, expected: list[str]) -> None:
    """Among letters 4 points apart, a blank must add three quarters of that; less is how the letters are set."""
    first = put("ABC", 72, 700, spacing=4)
    page = sheet(first)
    end = float(page.words.box[:, 2].max()) * 72 / 96
    second = put("DEF", end + 4 + gap, 700, spacing=4)
    assert lines(sheet(first, second)) == expected


def _squeezed(first: str, second: str, room: float) -> bytes:
    """Two words with a blank between them in the file, moved together up to so many thousandths of the size."""
    blank = 278  # thousandths of the size, in Helvetica
    return b"BT /F 12 Tf 72 700 Td [(%s ) %g (%s)] TJ ET\n" % (first.encode(), blank - room, second.encode())


@pytest.mark.parametrize(("gap", "expected"), [(0.09, ["Allgroups of age"]), (0.12, ["All groups of age"])])
def test_words_that_are_set_tight_are_parted(gap: float, expected: list[str]) -> None:
    """In a line whose letters are set evenly, a gap too narrow for a usual blank is one; a narrower one is not."""
    size = 12
    content = put("All", 72, 700, size=size)
    assert lines(sheet(content, put("groups of age", 72 + _wide("All", size) + gap * size, 700, size=size))) == expected


@pytest.mark.parametrize("room", [-60, -20, 0, 10])
def test_blanks_of_the_file_part_letters_without_any_room(room: float) -> None:
    """Two words that touch or overlap a little are two, since the file has a blank between them."""
    assert lines(sheet(_squeezed("All", "groups", room))) == ["All groups"]


def test_a_stroke_that_the_file_calls_a_blank_parts_no_word() -> None:
    """Where an l follows a blank without any room, it may be a Polish ł; and numbers that touch are one."""
    assert lines(sheet(_squeezed("Stanis", "law", 0))) == ["Stanislaw"]
    assert lines(sheet(_squeezed("12", "34", 0))) == ["1234"]
