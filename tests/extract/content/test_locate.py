"""The way back from a text to the text nodes that it consists of."""

from collections.abc import Callable
from html import escape

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sightline as sl
from sightline.extract.content._locate import locate_text, located_share
from sightline.page import Page
from sightline.testing import element, page_of

from ..._effort import growth

WORD = st.text("abcdefghijklmnopqrstuvwxyzäéß日本", min_size=1, max_size=9)
PARTS = st.lists(st.tuples(st.sampled_from(["p", "li", "h2", "b", "a", "td"]), st.lists(WORD, min_size=1, max_size=12)))


def static(body: str) -> Page:
    """A page without a browser."""
    return sl.open(f"<!doctype html><title>unseen title</title><body>{body}".encode(), static=True)


def texts(page: Page, text: str, *, hidden: bool = True) -> list[str]:
    """The texts of the nodes that were found."""
    return [page.node(int(number)).raw_text.strip() for number in locate_text(page, text, hidden=hidden)]


def test_located_gives_text_nodes_in_document_order() -> None:
    """Numbers of text nodes, ascending, of the whole paragraph with its inline elements."""
    page = static("<nav>Home</nav><p>One <b>bold</b> word</p><footer>Imprint</footer>")
    found = locate_text(page, "One bold word")
    assert found.dtype == np.int32
    assert page.is_text[found].all()
    assert texts(page, "one BOLD word") == ["One", "bold", "word"]


def test_located_reads_words_over_elements() -> None:
    """A word in two elements is found, whether the extractor glued it or parted it."""
    page = static("<p><b>H</b>ello dear <i>wor</i>ld</p>")
    assert texts(page, "Hello dear world") == texts(page, "H ello dear wor ld") == ["H", "ello dear", "wor", "ld"]


def test_located_takes_the_heading_beside_the_text() -> None:
    """A title that stands in the navigation as well is that of the article, though other lines lie between."""
    page = static(
        "<nav><a>News</a><a>Storm over the bay</a><a>Sport</a></nav>"
        "<h1>Storm over the bay</h1><div>Share this</div><p>Boats were thrown ashore on Sunday night.</p>"
        "<aside><a>Storm over the bay</a></aside>"
    )
    found = locate_text(page, "Storm over the bay\n\nBoats were thrown ashore on Sunday night.")
    assert [page.xpath(int(number)) for number in found] == [
        "/html[1]/body[1]/h1[1]/text()[1]",
        "/html[1]/body[1]/p[1]/text()[1]",
    ]


def test_located_pairs_repeated_lines_in_order() -> None:
    """Lines that say the same are all found, each between its neighbours, and none outside."""
    items = "".join(f"<h3>Item number {name}</h3><p>Read more</p>" for name in ("one", "two", "three"))
    page = static(f"<ul><li>Read more<li>Read more</ul><main>{items}</main><p>Read more</p>")
    wanted = page.text_of(int(page.with_tag("main")[0]))
    inside = page.subtree(int(page.with_tag("main")[0]))
    assert locate_text(page, wanted).tolist() == inside.numbers[inside.is_text].tolist()


def test_located_finds_what_was_moved() -> None:
    """A long run that the extractor put elsewhere is found as well."""
    page = static(
        "<p>An aside about the old walls of the harbour.</p><p>The main text begins here and goes on for a while.</p>"
    )
    text = "The main text begins here and goes on for a while. An aside about the old walls of the harbour."
    assert len(locate_text(page, text)) == 2


def test_located_prefers_what_can_be_seen() -> None:
    """Of two equal texts the visible one is taken; a hidden one only where there is no other, and on request."""
    page = static(
        "<p hidden>Twice the very same sentence.</p><p>Twice the very same sentence.</p><p hidden>Hidden alone.</p>"
    )
    text = "Twice the very same sentence. Hidden alone."
    paths = [page.xpath(int(number)) for number in locate_text(page, text)]
    assert paths == [f"/html[1]/body[1]/p[{place}]/text()[1]" for place in (2, 3)]
    assert texts(page, text, hidden=False) == ["Twice the very same sentence."]


def test_located_leaves_code_and_titles_alone() -> None:
    """Scripts, styles and the head are no text of the page."""
    page = static("<script>var unseen = 'title'</script><style>p { color: red }</style><p>Text</p>")
    assert texts(page, "unseen title var color red text") == ["Text"]


def test_located_takes_marks_between_its_texts() -> None:
    """A full stop behind a link belongs to the sentence; a bullet between two links that were left out does not."""
    page = static("<p>See <a>the manual</a>.</p><p><a>Home</a> | <a>Help</a></p>")
    assert texts(page, "See the manual.") == ["See", "the manual", "."]


@pytest.mark.parametrize(("text", "count"), [("one two three four", 1), ("one", 0)])
def test_located_asks_for_half_of_a_node(text: str, count: int) -> None:
    """A paragraph that was cut is found if half of it is left."""
    assert len(locate_text(static("<p>one two three four five six</p>"), text)) == count


@pytest.mark.parametrize("text", ["", " ", "…", "\0", "\ud800", "no such words"])
def test_located_finds_nothing_of_other_texts(text: str) -> None:
    """A text that is not of the page, or none at all, gives no nodes."""
    page = page_of(element("html", element("p", "Hello", box=(0, 0, 100, 20))))
    assert not len(locate_text(page, text))
    assert not len(locate_text(static(""), text))


def test_located_share_tells_how_much_was_found() -> None:
    """Letters found of all letters."""
    page = static("<p>abcd</p>")
    assert located_share(page, "") == 1
    assert located_share(page, "abcd efgh") == 0.5


@settings(max_examples=60)
@given(PARTS, st.data())
def test_located_finds_any_blocks_again(parts: list[tuple[str, list[str]]], data: st.DataObject) -> None:
    """The text of some blocks in a row leads back to exactly their text nodes, where no two are alike."""
    blocks = [f"<{tag}>{words[0]}{number} {' '.join(words)}</{tag}>" for number, (tag, words) in enumerate(parts)]
    page = static(
        "".join(f"<div>start{chr(97 + number % 26) * 5}x{number}{block}</div>" for number, block in enumerate(blocks))
    )
    holders = page.with_tag("div")
    first = data.draw(st.integers(0, len(holders)))
    last = data.draw(st.integers(first, len(holders)))
    chosen = holders[first:last]
    text = "\n".join(page.texts_of(chosen))
    expected = [
        number for holder in chosen.tolist() for number in range(holder, page.end[holder]) if page.is_text[number]
    ]
    assert locate_text(page, text).tolist() == expected


@settings(max_examples=60)
@given(st.lists(st.text(max_size=30), max_size=8), st.text(max_size=200))
def test_located_never_raises(parts: list[str], text: str) -> None:
    """Whatever the page and the text say."""
    page = static("".join(f"<p>{escape(part)}</p>" for part in parts))
    found = locate_text(page, text)
    assert (np.diff(found) > 0).all()
    assert 0 <= located_share(page, text) <= 1


@settings(max_examples=50)
@given(st.lists(st.sampled_from(["ab", "ba", "abab", "a", "b"]), max_size=60), st.data())
def test_located_never_raises_on_repeats(words: list[str], data: st.DataObject) -> None:
    """Texts of a few words over and over are the hardest to align."""
    page = static("".join(f"<p>{word}</p>" for word in words))
    mixed = data.draw(st.permutations(words))
    assert len(locate_text(page, " ".join(mixed))) <= len(words)
    assert len(locate_text(page, " ".join(words))) == len(words)


def test_located_grows_with_the_words_alone() -> None:
    """A page of 20,000 words is searched as well, and four times the words are four times the work."""

    def search(count: int) -> Callable[[], list[int]]:
        words = [f"w{number * 7919 % 5003}" for number in range(count)]
        page = static("".join(f"<p>{' '.join(words[start : start + 20])}</p>" for start in range(0, count, 20)))
        text = " ".join(words[count // 10 : count * 3 // 4])
        return lambda: list(locate_text(page, text))

    assert len(search(20_000)()) == 650
    assert growth(search, 1_000) < 6
