"""Markdown: whatever a text contains, a reader of CommonMark sees this text, and the structure of its page."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sightline.data import Content, ContentImage, ContentPart, Enclosure, InlineText, Origin, PartMarkup, Value

from ._commonmark import Seen, links_in, read_back, texts_of

# Letters of Markdown far more often than by chance, and anything else that can be written.
MARKS = "ab1.)(#*_`~<>|[]!\\&;:=-+ x/\"'é€"
WORDS = st.one_of(st.text(MARKS), st.text(st.characters(exclude_categories=["Cs", "Cc"]))).map(
    lambda text: " ".join(text.split())
)
TEXTS = WORDS.filter(bool)
STRETCHES = st.lists(
    st.builds(
        InlineText,
        st.one_of(st.text(MARKS, min_size=1), TEXTS),
        st.booleans(),
        st.booleans(),
        st.booleans(),
        st.sampled_from(["", "", "https://x.org/a_(b)", "https://x.org/?a=1&copy;=2|)"]),
    ),
    min_size=1,
)


def part(text: str, *around: Enclosure, kind: str = "p") -> ContentPart:
    """A part inside some elements."""
    return ContentPart(Value(text), kind, PartMarkup(around=around))


def marked(*inline: InlineText) -> ContentPart:
    """A part of marked stretches."""
    return ContentPart(Value("".join(one.text for one in inline)), "p", PartMarkup(inline))


def seen(*parts: ContentPart) -> Seen:
    """What a reader sees of some parts."""
    return read_back(Content(parts).to_markdown())


@given(TEXTS)
@example("1. May was cold")
@example("--- | ---")
@example("[x] done")
@example("[a]: https://x.org")
@example("![a](b)")
def test_text_of_a_paragraph_comes_back(text: str) -> None:
    """Nothing in a text becomes a mark, a list, a heading, a link or a tag."""
    found = seen(part(text))
    assert [(one.tag, one.text, one.inside) for one in found.inside] == [("p", text, [])]


@given(TEXTS, st.integers(1, 6))
@example("C #", 2)
@example("#", 1)
def test_text_of_a_heading_comes_back(text: str, level: int) -> None:
    """Nor does it close a heading."""
    found = seen(part(text, Enclosure(f"h{level}", 1)))
    assert [(one.tag, one.text, one.inside) for one in found.inside] == [(f"h{level}", text, [])]


@given(st.lists(TEXTS, min_size=1), st.sampled_from(["ul", "ol"]), st.integers(0, 10**9 - 30))
def test_text_of_items_comes_back(texts: list[str], kind: str, start: int) -> None:
    """Items stay items of one list, with the number of the first."""
    parts = [part(text, Enclosure(kind, 1), Enclosure("li", 2 + n, start + n)) for n, text in enumerate(texts)]
    (found,) = seen(*parts).inside
    assert (found.tag, texts_of(found, "li")) == (kind, texts)
    assert len(list(found.all("ul", "ol", "h1", "h2", "code", "a"))) == 0
    assert kind == "ul" or int(found.about or 1) == start


@given(TEXTS)
def test_text_of_a_quotation_comes_back(text: str) -> None:
    """In a quotation, too."""
    (found,) = seen(part(text, Enclosure("blockquote", 1))).inside
    assert (found.tag, texts_of(found, "p")) == ("blockquote", [text])


@given(st.lists(st.lists(WORDS, min_size=2, max_size=3), min_size=2, max_size=4))
def test_text_of_cells_comes_back(rows: list[list[str]]) -> None:
    """Every cell stays in its place; empty ones do as well."""
    columns = max(map(len, rows))
    cells = [
        part(text, Enclosure("table", 1, columns), Enclosure("tr", 2 + y), Enclosure("th", 100 + 10 * y + x, x))
        for y, row in enumerate(rows)
        for x, text in enumerate(["x", *row[1:]] if y < 2 else row)
        if text
    ]
    if len({cell.markup.around[2].number for cell in cells if cell.markup}) < 2:
        return  # it has one column, and is no table
    shown = [["x", *row[1:]] if y < 2 else row for y, row in enumerate(rows)]
    wanted = [row + [""] * (columns - len(row)) for row in shown if any(row)]
    (table,) = seen(*cells).inside
    assert [texts_of(row, "td", "th") for row in table.all("tr")] == wanted


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n`~")))
@example("```\na\n```")
def test_code_comes_back(code: str) -> None:
    """Code has the lines that it has, whatever fences are in it."""
    if not code.strip():
        return
    found = seen(part("", Enclosure("pre", 1, language="python", text=code), kind="pre"))
    assert [(one.tag, one.text, one.about) for one in found.inside] == [("fence", f"{code}\n", "python")]


@given(STRETCHES)
@example([InlineText("a"), InlineText('"b"', bold=True), InlineText("c")])
@example([InlineText("a", bold=True), InlineText("b", italic=True), InlineText("c", bold=True)])
@example([InlineText("so!"), InlineText("there", link="https://x.org/a_(b)")])
@example([InlineText("`"), InlineText("a`", code=True), InlineText("`")])
def test_text_of_marked_stretches_comes_back(stretches: list[InlineText]) -> None:
    """However marks meet, none of them becomes text, and links lead where they led."""
    text = " ".join("".join(one.text for one in stretches).split())
    if not text:
        return
    found = seen(marked(*stretches))
    assert [one.tag for one in found.inside] == ["p"]
    assert " ".join(found.text.split()) == text
    linked = [one for one in stretches if one.link and one.text.strip()]
    assert {to.replace("%7C", "|") for _, to in links_in(found)} == {one.link for one in linked}


def test_marks_are_nested() -> None:
    """Bold and italic text, code and links are what they were, also inside each other."""
    found = marked(
        InlineText("Bees "),
        InlineText("dance ", bold=True),
        InlineText("to", bold=True, italic=True),
        InlineText(" tell "),
        InlineText("the ", link="https://x.org/"),
        InlineText("way", code=True, link="https://x.org/"),
        InlineText("."),
    )
    assert Content((found,)).to_markdown() == "Bees **dance *to*** tell [the `way`](https://x.org/)."


@pytest.mark.parametrize(
    "text",
    [
        "snake_case and 2 * 3 = 6, ~5 km, R&D, a < b, [1], (c) #1 - so it is! 5 > 4; e-mail me | or not.",
        "In 1998. 3.5 times; 10) is not first. C:\\temp, #hash, +5, -3 and [sic].",
    ],
)
def test_ordinary_prose_has_no_backslashes(text: str) -> None:
    """What Markdown does not take for a mark is left alone."""
    assert Content((part(text),)).to_markdown() == text


def test_lists_are_nested_and_keep_apart() -> None:
    """A list in an item is indented, a list behind a list has another mark, an item may have several paragraphs."""
    outer, one, two = Enclosure("ol", 1), Enclosure("li", 2, 7), Enclosure("li", 3, 8)
    parts = [
        part("seven", outer, one),
        part("inner", outer, one, Enclosure("ul", 4), Enclosure("li", 5)),
        part("eight", outer, two),
        part("more", outer, two),
        part("next", Enclosure("ol", 6), Enclosure("li", 7, 1)),
    ]
    assert Content(tuple(parts)).to_markdown() == "7. seven\n   - inner\n\n8. eight\n\n   more\n\n1) next"
    first, second = seen(*parts).inside
    assert (first.tag, first.about, second.tag) == ("ol", "7", "ol")
    assert [len(list(item.all("ul"))) for item in first.inside] == [1, 0]


def test_table_without_headings_has_an_empty_one() -> None:
    """Markdown needs a heading, and none is invented; lines in a cell are parted, pipes are text, also in code."""
    table = Enclosure("table", 1, 2)
    first, second = (table, Enclosure("tr", 2)), (table, Enclosure("tr", 3))
    cell = Enclosure("td", 5, 1)
    parts = [
        part("a|b", *first, Enclosure("td", 4, 0)),
        part("one", *first, cell),
        part("two", *first, cell),
        ContentPart(Value("c|d"), "td", PartMarkup((InlineText("c|d", code=True),), (*second, Enclosure("td", 6, 0)))),
    ]
    assert Content(tuple(parts)).to_markdown() == "|  |  |\n| --- | --- |\n| a\\|b | one<br>two |\n| `c\\|d` |  |"
    assert texts_of(seen(*parts), "td") == ["a|b", "one\ntwo", "c|d", ""]


@pytest.mark.parametrize("inner", [Enclosure("table", 9, 2), Enclosure("h3", 9)])
def test_table_for_layout_is_written_as_text(inner: Enclosure) -> None:
    """A table around tables, or around text with headings, is none."""
    around = [
        (Enclosure("table", 1, 2), Enclosure("tr", 2 + y), Enclosure("td", 10 + 2 * y + x, x))
        for y, x in ((0, 0), (0, 1), (1, 0))
    ]
    parts = [
        part("menu", *around[0]),
        part("head", *around[1], inner),
        part("text", *around[1]),
        part("end", *around[2]),
    ]
    assert texts_of(seen(*parts), "table") == []
    assert [text for text in Content(tuple(parts)).to_markdown().split("\n") if text] == [
        "menu",
        "### head" if inner.kind == "h3" else "head",
        "text",
        "end",
    ]


def test_lines_of_a_paragraph_stay_lines() -> None:
    """A line break is a line break; what only turned hidden goes on; another element is another paragraph."""
    markups = [PartMarkup(element=1), PartMarkup(element=1, follows="line"), PartMarkup(element=1, follows="space")]
    texts = ["Rose", "1. is", "a rose"]
    parts = [ContentPart(Value(text), "p", markup) for text, markup in zip(texts, markups, strict=True)]
    other = ContentPart(Value("End"), "p", PartMarkup(element=2, follows="line"))
    assert Content((*parts, other)).to_markdown() == "Rose\\\n1\\. is a rose\n\nEnd"


def test_images_are_written_if_wanted() -> None:
    """Images between parts and inside of them are in their places, and left out otherwise."""
    bee = InlineText("A [bee]", image="https://x.org/bee.png")
    text = ContentPart(
        Value("See it.", origin=Origin("p", (9,))), "p", PartMarkup((InlineText("See "), bee, InlineText(" it.")))
    )
    found = Content(
        (text,), images=(ContentImage("https://x.org/h.png", "", 4), ContentImage("https://x.org/z.png", "Z", 12))
    )
    assert found.to_markdown() == "See it."
    whole = found.to_markdown(images=True)
    assert whole.split("\n\n")[::2] == ["![](https://x.org/h.png)", "![Z](https://x.org/z.png)"]
    assert [one.about for one in read_back(whole).all("image")] == [
        "https://x.org/h.png",
        "https://x.org/bee.png",
        "https://x.org/z.png",
    ]


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_front_matter_quotes_its_values(title: str) -> None:
    """Each value is one line, a JSON string and so a YAML string; what is not known is left out."""
    lines = Content(title=Value(title), address="https://x.org/: #", language="no").to_markdown(front_matter=True)
    first, written, address, language, last = lines.strip().split("\n")
    assert (first, last) == ("---", "---")
    assert json.loads(written.removeprefix("title: ")) == title
    assert (address, language) == ('address: "https://x.org/: #"', 'language: "no"')


def test_parts_without_markup_are_written_by_their_kinds() -> None:
    """A text that was made by hand has headings, lists, quotations, code and lines."""
    kinds = [("Bees", "h2"), ("a", "li"), ("b", "li"), ("q", "blockquote"), ("x = 1", "pre"), ("c", "td"), ("d", "td")]
    found = Content(tuple(ContentPart(Value(text), kind) for text, kind in kinds))
    assert found.to_markdown() == "## Bees\n\n- a\n- b\n\n> q\n\n```\nx = 1\n```\n\nc\\\nd"
