"""The kernels in C: they can be turned off, and give what their twins in Python give."""

import math
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sightline import native
from sightline.extract.schemas import Alphabet, outline_of
from sightline.extract.wrappers import induce
from sightline.page import ABSENT, Attributes, Page
from sightline.sources.html import parse
from sightline.testing import element, page_of, shop_pages

from ._wait import LONG

needs_kernels = pytest.mark.skipif(native.kernels is None, reason="the kernels are not compiled")

PIECES = (
    *("<p>", "</p>", "<div class='card'>", "<div id=x hidden>", "</div>", "<b style='display:none'>", "</b>", "<br>"),
    *("<table>", "<tr>", "<td>", "<th>", "</tr>", "</table>", "<input type=hidden>", "<svg>", "</svg>", "<title>"),
    *("<noscript>", "</noscript>", "<script>", "</script>", "<span itemprop=price>", "</span>", "and", "or so", "|"),
    *("Price", "12 €", "  two  words ", "\n", "\u00a0", "&amp;", "·", "née", "日本", "_and_", "x" * 70, "a  b" * 20),
)


@contextmanager
def python_alone() -> Iterator[None]:
    """Do without the kernels."""
    kept, native.kernels = native.kernels, None
    try:
        yield
    finally:
        native.kernels = kept


def _columns(page: Page) -> list[object]:
    held = page.attributes
    arrays = (
        page.parent,
        page.end,
        page.tag,
        page.text,
        held.start,
        held.name,
        held.value,
        page.visible,
        page.is_blank,
    )
    return [page.strings, page.title, page.id, *(array.tolist() for array in arrays)]


def _lists(page: Page) -> list[object]:
    alphabet = Alphabet(frozenset([("div", ".card"), ("span", "@price"), ("td", ":2")]))
    alphabet.share("Price")
    found = outline_of(page, alphabet)
    lists = (found.symbol, found.end, found.first, found.last, found.kid_start, found.kid, found.leaf, found.texts)
    more = (found.shared, found.content, found.token, found.shape, alphabet.names, found.node.tolist())
    return [*lists, *more]


@needs_kernels
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.booleans())
@settings(max_examples=200)
@example("<svg><style>a<b></style></svg>", True)
@example("<plaintext>all that follows", True)
@example("<script><!--<script></script>--></script>", True)
@example("<noscript><p>one</p></noscript>", False)
def test_pages_and_outlines_are_the_same_without_kernels(html: str, scripting: bool) -> None:
    """Every column, the id, what is visible and blank, and the outline in symbols."""
    page = parse(html, scripting=scripting)
    lists = _lists(page)
    with python_alone():
        twin = parse(html, scripting=scripting)
        assert _columns(page) == _columns(twin)
        assert lists == _lists(twin)


@needs_kernels
def test_attributes_without_a_value_or_there_twice_hide_as_in_python() -> None:
    """Files may hold both: the first is no attribute, and of two the last counts."""
    page = parse("<p style='display:none' hidden>a</p><input type=hidden><p class='color:red' style='display:none'>b")
    held, style = page.attributes, page.attribute_id("style")
    absent = np.full_like(held.value, ABSENT)
    twice = np.where(held.name == page.attribute_id("class"), style, held.name)
    for name, value in ((held.name, absent), (twice, held.value), (twice, held.value[::-1])):
        odd = replace(page, attributes=Attributes(start=held.start, name=name, value=value))
        visible = odd.visible.tolist()
        with python_alone():
            assert visible == replace(odd).visible.tolist()


@needs_kernels
def test_a_box_with_an_unknown_edge_cuts_as_in_python() -> None:
    """What is inside it leaves no ink."""
    inner = element("p", "a", box=(0, 0, 50, 20))
    page = page_of(element("div", inner, box=(0, 0, math.nan, 20), style={"overflow-x": "hidden"}))
    visible = page.visible.tolist()
    with python_alone():
        assert visible == replace(page).visible.tolist() == [False, False, False]


@needs_kernels
@pytest.mark.parametrize("tag", ["td", "th"])
def test_outlines_of_a_cell_are_the_same_without_kernels(tag: str) -> None:
    """A cell that is the root of a part has no row, so no place in it."""
    page = parse("<table><tr><td>a<td>b<tr><th>c<tr><td>d</table>")
    part = page.subtree(int(page.with_tag(tag)[0]))
    alphabet = Alphabet(frozenset([(tag, ":1")]))
    assert alphabet.names[outline_of(part, alphabet).symbol[0]] == tag
    lists = _lists(part)
    with python_alone():
        assert alphabet.names[outline_of(part, alphabet).symbol[0]] == tag
        assert lists == _lists(part)


@needs_kernels
def test_wrappers_read_the_same_without_kernels() -> None:
    """What was learned and read by them is what Python learns and reads."""
    wrapper, found = _learned_and_read()
    with python_alone():
        assert (wrapper, found) == _learned_and_read()


def _learned_and_read() -> tuple[str, list[object]]:
    pages = shop_pages(6)
    wrapper = induce(pages[:4])
    return wrapper.dumps(), [wrapper.read(page).records.to_dicts() for page in pages]


@needs_kernels
def test_blanks_are_those_of_python() -> None:
    """Every letter that Python takes for white space, and no other."""
    assert native.kernels is not None
    letters = tuple(map(chr, range(sys.maxunicode + 1)))
    told = native.kernels.blank(letters, (np.arange(len(letters), dtype=np.int32),))
    assert list(map(bool, told)) == list(map(str.isspace, letters))


def _made_to_collide(pairs: int) -> list[str]:
    """Two to this power strings with one hash, if that is a product of each eight letters by a number that is known."""
    spread, bits, chance = 0x9E3779B97F4A7C15, (1 << 64) - 1, random.Random(1)

    def hashed(state: int, word: bytes) -> int:
        mixed = (state ^ int.from_bytes(word, "little")) * spread & bits
        return mixed ^ mixed >> 32

    state, strings = pairs * 16 * spread & bits, [b""]
    for _ in range(pairs):
        while True:  # half of all words leave a difference that the next one takes back
            one, next_one = (bytes(chance.choices(b"abcdegh", k=8)) for _ in range(2))
            other = one[:7] + bytes([one[7] ^ 64])
            next_other = next_one[:3] + bytes([next_one[3] ^ 64]) + next_one[4:7] + bytes([next_one[7] ^ 64])
            reached = hashed(hashed(state, one), next_one)
            if reached == hashed(hashed(state, other), next_other):
                break
        state = reached
        strings = [string + end for string in strings for end in (one + next_one, other + next_other)]
    return [string.decode() for string in strings]


@needs_kernels
def test_no_page_can_make_its_strings_collide() -> None:
    """A page of such strings takes about as long as any other, not the square of it."""
    strings = _made_to_collide(14)
    plain = [f"{number:0{len(strings[0])}}" for number in range(len(strings))]
    assert _seconds_of_scan(strings) < 10 * _seconds_of_scan(plain)


def _seconds_of_scan(strings: list[str]) -> float:
    assert native.kernels is not None
    html = f"<p>{'<br>'.join(strings)}</p>"
    began = process_time()
    assert native.kernels.scan(html, True) is not None
    return process_time() - began


@needs_kernels
def test_a_column_of_other_numbers_is_refused() -> None:
    """Not read as if it were the right one."""
    assert native.kernels is not None
    with pytest.raises(TypeError, match="items of 8 bytes"):
        native.kernels.blank(("a",), (np.zeros(1, dtype=np.int64),))  # type: ignore[arg-type]
    with pytest.raises(IndexError):
        native.kernels.blank(("a",), (np.array([7], dtype=np.int32),))


@needs_kernels
def test_columns_that_do_not_go_together_are_refused() -> None:
    """Nothing is read or written beside a column, as Python does not."""
    alphabet = Alphabet(frozenset())
    static = parse("<p class=a>one<p>two")
    rendered = page_of(element("p", "a", box=(0, 0, 50, 20)))
    for page in (static, rendered):
        with pytest.raises(ValueError, match="does not go with"):
            _ = replace(page, tag=page.tag[:1]).visible
    with pytest.raises(ValueError, match="does not go with"):
        _ = replace(static, attributes=Attributes.empty(2)).visible
    with pytest.raises(IndexError, match="style"):
        _ = replace(rendered, style_of=rendered.style_of + 7).visible
    for odd in (replace(static, end=static.end + 1), replace(static, parent=static.parent + len(static))):
        with pytest.raises(IndexError, match="parent or an end"):
            outline_of(odd, alphabet)
    held, none = static.attributes, np.zeros(len(static), dtype=bool)
    beside = replace(static, attributes=Attributes(start=held.start + 1, name=held.name, value=held.value))
    outline_of(beside, alphabet)
    assert native.kernels is not None
    words = (static.attribute_id("hidden"), static.attribute_id("class"), *[ABSENT] * 4)
    columns = (static.end, static.tag + 99, held.start + 1, held.name, held.value + 99)
    assert native.kernels.shown((*columns, none, none), words) == bytes([1] * len(static))


@needs_kernels
def test_kernels_of_other_sources_are_not_used(tmp_path: Path) -> None:
    """After an update of a checkout and before it is installed again, Python works alone, and says so."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/sightline").symlink_to(Path(native.__file__).parent)
    (tmp_path / "native").mkdir()
    (tmp_path / "native/module.c").write_text("/* newer */")
    command = [sys.executable, "-c", "from sightline import native; print(native.kernels, native.in_use())"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
    said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=LONG, env=environment)
    assert said.stdout.startswith("None Python alone") and "other sources" in said.stdout


def test_the_switch_turns_them_off() -> None:
    """A process that is started with it works without them, and says so."""
    command = [sys.executable, "-c", "from sightline import native; print(native.kernels, native.in_use())"]
    said = subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=LONG, env={**os.environ, native.SWITCH: "0"}
    )
    assert said.stdout.strip() == f"None Python alone, because {native.SWITCH}=0"
