"""Pages as bytes, and back."""

import hashlib
import struct
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
import zstandard
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sightline.errors import LimitError, SightlineError, UnreadableError
from sightline.page import MAGIC, Page, _codec, _packed_words, dumps, loads

from ._build import changed, el, everything, list_page, page, pages, with_rules


def arrays(made: Any) -> list[np.ndarray]:
    """All arrays of a page or column group."""
    found: list[np.ndarray] = []
    for one in fields(made):
        value = getattr(made, one.name)
        found += (
            [value]
            if isinstance(value, np.ndarray)
            else arrays(value)
            if hasattr(value, "__dataclass_fields__")
            else []
        )
    return found


def as_file(payload: bytes, screenshot: bytes = b"") -> bytes:
    """A file with any content and a right checksum."""
    packed = zstandard.ZstdCompressor(level=1).compress(payload)
    body = MAGIC + bytes([_codec.VERSION]) + struct.pack("<QQ", len(packed), len(screenshot)) + packed + screenshot
    return body + hashlib.blake2b(body, digest_size=16).digest()


def use_everywhere(made: Page) -> None:
    """Touch everything that could trip over a bad column."""
    assert len(made.visible) == len(made.position) == len(made.path) == len(made.depth) == len(made)
    if len(made):
        made.text_of(0)
        made.find(made.xpath(len(made) - 1))
        made.node(len(made) - 1).style, made.node(0).attributes
    assert made.region((0, 0, 10, 10)).id != "" and made.path_names is not None


@given(pages())
@settings(max_examples=60)
def test_codec_round_trip_keeps_every_column(made: Page) -> None:
    """A page that was saved and opened is the same page: columns, facts, id."""
    again = loads(dumps(made))
    assert everything(again) == everything(made)
    assert again.id == made.id
    assert dumps(again) == dumps(made)
    assert not any(array.flags.writeable for array in arrays(again))


@given(pages(), st.data())
@settings(max_examples=50)
def test_codec_round_trip_keeps_parts(made: Page, data: st.DataObject) -> None:
    """A part of a page is saved with its place in the whole."""
    part = made.subtree(data.draw(st.integers(0, len(made) - 1)))
    again = loads(dumps(part))
    assert everything(again) == everything(part)
    assert again.whole_id == made.id


def test_codec_keeps_rules_and_sheets() -> None:
    """Drawn lines, their colours and the sheets of a PDF are kept."""
    made = with_rules(list_page())
    assert everything(loads(dumps(made))) == everything(made)


def test_codec_keeps_boxes_off_the_grid() -> None:
    """Boxes that are no multiples of 1/64 pixel come back bit by bit."""
    box = (0.1, 1 / 3, 100.7, 20.000001)
    made = page(el("html", el("p", "some words", box=box), box=box))
    assert loads(dumps(made)).box.tobytes() == made.box.tobytes()
    assert loads(dumps(made)).words.box.tobytes() == made.words.box.tobytes()


def test_codec_takes_boxes_that_are_nowhere_for_none() -> None:
    """A side that is no number, or farther away than any page reaches, makes a row no box."""
    made = list_page()
    box = made.box.copy()
    box[1, 2], box[2, 0], box[3, 1] = np.nan, np.inf, 1e30
    assert np.isnan(loads(dumps(changed(made, box=box))).box[1:4]).all()


def test_codec_keeps_words_that_do_not_follow_the_text() -> None:
    """Words may overlap, leave gaps, or belong to a node without text."""
    made = list_page()
    words = made.words
    odd = type(words)(
        node=words.node[[0, 0, 2]] + np.int32([0, 0, 1]),
        start=np.int32([1, 0, 0]),
        end=np.int32([3, 2, 1]),
        box=words.box[:3],
    )
    assert everything(loads(dumps(changed(made, words=odd)))) == everything(changed(made, words=odd))


def test_codec_keeps_an_empty_page() -> None:
    """A page without nodes can be saved too."""
    empty = list_page().without([0])
    assert len(empty) == 0 and everything(loads(dumps(empty))) == everything(empty)


def test_codec_keeps_lone_surrogates_in_texts_not_in_titles() -> None:
    """Half of a surrogate pair stays in a text and becomes a question mark in a title."""
    made = page(el("html", "a\ud800b", title="\udfff"), title="t\ud800")
    again = loads(dumps(made))
    assert again.node(1).raw_text == "a\ud800b" and again.title == "t?"


def test_codec_size_stays_small_for_tables() -> None:
    """A table of a thousand cells takes less than four bytes a cell on top of its texts."""
    cells = [
        [el("td", f"{row * 7 % 10}", box=(60.0 * at, 20.0 * row, 60.0 * at + 60, 20.0 * row + 20)) for at in range(10)]
        for row in range(100)
    ]
    rows = [el("tr", *line, box=(0, 20.0 * row, 600, 20.0 * row + 20)) for row, line in enumerate(cells)]
    made = page(el("html", el("table", *rows, box=(0, 0, 600, 2000)), box=(0, 0, 600, 2000)))
    assert len(dumps(made)) < 4_000


def test_id_ignores_how_strings_are_numbered() -> None:
    """Two captures of one page have one id, whatever order their strings have, and however many are unused."""
    made = list_page()
    count = len(made.strings)
    turned = made.strings[::-1]

    def new(column: np.ndarray) -> np.ndarray:
        return np.where(column >= 0, count - 1 - column, column).astype(np.int32)

    attributes = type(made.attributes)(
        start=made.attributes.start, name=new(made.attributes.name), value=new(made.attributes.value)
    )
    other = changed(
        made,
        strings=(*turned, "unused"),
        tag=new(made.tag),
        text=new(made.text),
        styles=np.concatenate([new(made.styles), new(made.styles)]),
        style_of=made.style_of + np.int32(len(made.styles)),
        attributes=attributes,
    )
    assert other.id == made.id and dumps(other) == dumps(made)


def test_id_ignores_the_screenshot_and_nothing_else() -> None:
    """A picture changes no id; a word, an address or a note does."""
    made = list_page()
    assert changed(made, screenshot=b"png").id == made.id
    others = {
        changed(made, url="x").id,
        changed(made, notes=("n",)).id,
        changed(made, box=made.box + np.float32(1)).id,
        changed(made, edge=made.edge + np.int8(1)).id,
        list_page(4).id,
    }
    assert len(others | {made.id}) == 6


def test_id_takes_negative_zero_for_zero() -> None:
    """Boxes that compare as equal have equal ids."""
    made = list_page()
    assert changed(made, box=np.where(made.box == 0, np.float32(-0.0), made.box)).id == made.id


# ---------------------------------------------------------------------- files that are not what they should be


@given(st.binary(max_size=60))
@example(b"")
@example(MAGIC)
@example(MAGIC + bytes([_codec.VERSION]) + b"\xff" * 16)
def test_loads_refuses_other_bytes_with_one_error(content: bytes) -> None:
    """Whatever is not a .page file is refused in one sentence that names it."""
    for start in (b"", MAGIC, MAGIC + bytes([_codec.VERSION])):
        with pytest.raises(UnreadableError, match=r"^x\.page: "):
            loads(start + content, name="x.page")


@given(pages(max_nodes=12), st.data())
@settings(max_examples=60)
def test_loads_refuses_damaged_files(made: Page, data: st.DataObject) -> None:
    """A file that lost its end or one byte of which changed is refused."""
    content = dumps(made)
    with pytest.raises(UnreadableError):
        loads(content[: data.draw(st.integers(0, len(content) - 1))])
    place = data.draw(st.integers(0, len(content) - 1))
    damaged = bytearray(content)
    damaged[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(SightlineError):
        loads(bytes(damaged))


@pytest.mark.slow
@given(pages(max_nodes=12), st.data())
@settings(max_examples=150)
def test_loads_gives_a_sound_page_or_one_error(made: Page, data: st.DataObject) -> None:
    """A crafted file with a right checksum is refused, or else is a page on which everything works."""
    payload = bytearray(b"".join(_codec._chunks(made)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(payload) - 1))
        payload[place] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del payload[data.draw(st.integers(0, len(payload) - 1)) :]
    try:
        again = loads(as_file(bytes(payload)))
    except (UnreadableError, LimitError):
        return
    use_everywhere(again)
    assert everything(loads(dumps(again)))["parent"] == again.parent.tolist()


def test_loads_refuses_another_version() -> None:
    """A file of a later format says so, and what to do."""
    content = bytearray(dumps(list_page()))
    content[len(MAGIC)] += 1
    with pytest.raises(UnreadableError, match="has format 2, this version reads 1; update Sightline"):
        loads(bytes(content))


def test_loads_refuses_what_unpacks_to_too_much() -> None:
    """A file may not hold more bytes or more nodes than the limit allows."""
    content = dumps(list_page())
    with pytest.raises(LimitError, match="decoded_bytes") as problem:
        loads(content, max_bytes=100)
    assert problem.value.limit == "decoded_bytes"
    with pytest.raises(LimitError, match="decoded_bytes"):
        loads(dumps(list_page(400)), max_bytes=30_000)


def test_loads_refuses_a_small_file_of_very_many_rows() -> None:
    """Streams that would unpack to gigabytes are refused before they are."""
    made = list_page()
    chunks = _codec._chunks(made)
    tokens = struct.pack("<IB", 50_000_000, 1) + bytes(50_000_000)
    with pytest.raises(LimitError, match="decoded_bytes"):
        loads(as_file(b"".join([*chunks[:4], tokens])))


def test_codec_keeps_words_of_texts_too_long_to_look_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond so many characters words are kept as they are, since one text may be that of many nodes."""
    monkeypatch.setattr(_packed_words, "MOST_CHARACTERS", 10)
    made = list_page()
    assert everything(loads(dumps(made))) == everything(made)
