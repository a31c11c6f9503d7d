"""Headings, paragraphs, items, captions, notes and references: what the blocks of a sheet are."""

from pathlib import Path

import pytest

import sightline as sl
from sightline.extract.structure import structured, trace_structure
from sightline.extract.structure._paragraphs import TextNorms, kinds_of

from ...sources.pdf._bare import bare
from ...sources.pdf._write import drawn, pdf, put, tagged
from ._made import paragraph, sheet
from ._sheets import PROSE, opened, outline, prose

TEXT = " ".join(PROSE)
EXAMPLE = Path(__file__).parents[3] / "examples" / "instruments.pdf"


def test_larger_text_is_a_heading_and_the_rest_paragraphs() -> None:
    """A title, a section's title and two paragraphs, in their order."""
    page = opened(
        put("Instruments of the year", 72, 740, size=20)
        + prose()
        + put("Where they stand", 72, 640, size=13)
        + prose(top=620)
    )
    assert outline(page) == [("h1", "Instruments of the year"), ("p", TEXT), ("h2", "Where they stand"), ("p", TEXT)]


def test_bold_line_is_a_heading_of_a_lower_level() -> None:
    """At the size of the text, bold makes a heading; larger ones stand above it."""
    page = opened(
        put("Instruments", 72, 740, size=18) + prose() + put("Upkeep", 72, 650, size=10, font="B") + prose(top=636)
    )
    assert [(tag, text) for tag, text in outline(page) if tag != "p"] == [("h1", "Instruments"), ("h2", "Upkeep")]


def test_numbers_of_headings_make_their_levels() -> None:
    """1, 1.1 and 1.1.1 go deeper, though they are set alike."""
    numbered = ["1 Optics", "1.1 Mirrors", "1.1.1 Washing", "2 Mounts"]
    content = b"".join(
        put(title, 72, 760 - 90 * n, size=12, font="B") + prose(top=740 - 90 * n) for n, title in enumerate(numbered)
    )
    found = [(tag, text) for tag, text in outline(opened(content)) if tag != "p"]
    assert [text for _, text in found] == numbered
    first = int(found[0][0][1])
    assert [int(tag[1]) - first for tag, _ in found] == [0, 1, 2, 0]


def test_sentence_in_larger_letters_is_no_heading() -> None:
    """A long text with a full stop at its end is a paragraph, however it is set."""
    loud = tuple(f"{line} and so on and on" for line in PROSE)
    page = opened(prose(top=760, size=13, lines=loud) + prose(top=640) + prose(top=560) + prose(top=480))
    assert outline(page)[0][0] == "p"


def test_lines_of_a_paragraph_are_one_text_and_indents_begin_another() -> None:
    """Line ends are blanks; a first line that is set in begins a paragraph."""
    lines = [(72, PROSE[0]), (72, PROSE[1]), (90, PROSE[2]), (72, PROSE[0]), (72, PROSE[1])]
    content = b"".join(put(text, x, 700 - 13 * row, size=10) for row, (x, text) in enumerate(lines))
    assert outline(opened(content)) == [("p", f"{PROSE[0]} {PROSE[1]}"), ("p", f"{PROSE[2]} {PROSE[0]} {PROSE[1]}")]


@pytest.mark.parametrize("marks", [("\u2022", "\u2022", "\u2022"), ("1.", "2.", "3."), ("(a)", "(b)", "(c)")])
def test_items_are_a_list(marks: tuple[str, ...]) -> None:
    """Bullets, numbers and letters in front of texts make one list; an item may have two lines."""
    content = prose()
    for n, mark in enumerate(marks):
        y = 620 - 26 * n
        content += put(mark, 80, y, size=10) + put(f"Item number {n} of the list that is long enough,", 96, y, size=10)
        content += put("and that goes on below.", 96, y - 13, size=10)
    found = outline(opened(content))
    assert [tag for tag, _ in found] == ["p", "ul"]
    assert found[1][1].split("\n") == [
        f"{mark} Item number {n} of the list that is long enough, and that goes on below."
        for n, mark in enumerate(marks)
    ]


def test_caption_without_a_table_is_a_figcaption() -> None:
    """“Figure 2” below a picture is the caption of a figure."""
    page = opened(prose() + put("Figure 2. The dome at dusk", 72, 500, size=9) + prose(top=450))
    assert ("figcaption", "Figure 2. The dome at dusk") in outline(page)


def test_sentence_that_speaks_of_a_figure_is_no_caption() -> None:
    """Running text that begins with the name of a figure stays a paragraph."""
    lines = ("Figure 2 shows what the dome looks like at dusk, when it is", *PROSE[1:])
    assert [tag for tag, _ in outline(opened(prose() + prose(top=600, lines=lines)))] == ["p", "p"]


def test_small_text_with_a_mark_at_the_foot_is_a_note() -> None:
    """A footnote is an `aside` with its role; the same text higher up is none."""
    note = (
        put("1", 72, 113, size=5)
        + put("Fits the tube with the guide scope on it.", 77, 110, size=8)
        + drawn(72, 124, 200, 124)
    )
    page = opened(prose() + prose(top=600) + note)
    (aside,) = page.with_tag("aside").tolist()
    assert page.node(aside).attributes["role"] == "doc-footnote"
    assert page.text_of(aside) == "¹ Fits the tube with the guide scope on it."


def test_references_are_told() -> None:
    """What follows a heading that says so has the role of a bibliography's entry."""
    cited = [
        "[1] J. Carme, M. Ceresna, O. Frolich: The Lixto Project. Proc. BTW, pp. 1-15, 2006.",
        "[2] T. Hassan, R. Baumgartner: Table recognition. Proc. ICDAR, vol. 2, pp. 1143-1147, 2007.",
        "[3] A. Nurminen: Algorithmic extraction of data. Thesis, Tampere University, 2013.",
    ]
    content = prose() + put("References", 72, 640, size=13, font="B")
    content += b"".join(put(text, 72, 615 - 20 * n, size=10) for n, text in enumerate(cited))
    page = opened(content)
    entries = [n for n in page.with_tag("div").tolist() if page.node(n).attributes.get("role") == "doc-biblioentry"]
    assert [page.text_of(n) for n in entries] == cited


def test_bold_and_italic_words_are_marked() -> None:
    """A word that is set otherwise than its paragraph is `b` or `i`; a bold paragraph is not full of them."""
    line = (
        put("This word is", 72, 560, size=10)
        + put("heavy", 132, 560, size=10, font="B")
        + put("and this", 165, 560, size=10)
    )
    line += put("slanted", 204, 560, size=10, font="I") + put("in a line of plain text.", 242, 560, size=10)
    page = opened(prose() + line)
    assert [page.text_of(n) for n in page.with_tag("b").tolist()] == ["heavy"]
    assert [page.text_of(n) for n in page.with_tag("i").tolist()] == ["slanted"]
    bold = opened(prose() + put("Upkeep", 72, 600, size=10, font="B"))
    assert not len(bold.with_tag("b"))


def test_hyphen_at_the_end_of_a_line_becomes_soft() -> None:
    """A broken word is one word to read; the break stays in the page, and hyphens of the word stay hyphens."""
    lines = (
        "The well-known instrument was a tele-",
        "scope of thirty centimetres with a low-",
        "cost mount, and it stood for years.",
    )
    page = opened(prose(lines=lines))
    ((_, text),) = outline(page)
    assert "a telescope of thirty" in text
    assert "well-known" in text
    assert any("tele\u00adscope" in string for string in page.strings)
    assert "telescope" in page.to_xhtml()


def test_hyphen_before_a_capital_stays() -> None:
    """What goes on with a capital letter was a hyphen of the word."""
    lines = ("The instrument was made by the firm of Corrie-", "Hill and stood for years on the hill above the")
    page = opened(prose(lines=(*lines, "village, until it was sold to us.")))
    assert "Corrie-" in page.text_of()
    assert not any("\u00ad" in string for string in page.strings)


def test_web_page_is_left_as_it_is() -> None:
    """Structure is for PDFs: any other page comes back itself."""
    page = sl.open(b"<section><p>x</section>", static=True)
    assert structured(page) is page


def test_nothing_of_the_text_is_lost() -> None:
    """Every word of the bare page is a word of the structured one, at the same place, and none twice."""
    content = pdf(prose() + put("Heading", 72, 760, size=18), prose(top=300) + put("7", 300, 30))
    before, after = bare(content), sl.open(content)
    assert sorted(map(tuple, before.words.box.tolist())) == sorted(map(tuple, after.words.box.tolist()))
    assert len(after.with_tag("section")) == 2


def test_every_word_of_a_real_document_is_somewhere() -> None:
    """Tables over several sheets, repeated headings, captions, running headers: all words are on the page, once."""
    content = EXAMPLE.read_bytes()
    before, after = bare(content), sl.open(content)
    assert sorted(map(tuple, before.words.box.tolist())) == sorted(map(tuple, after.words.box.tolist()))


# ------------------------------------------------------------------ tagged files


def test_tags_tell_what_looks_do_not() -> None:
    """A heading that looks like text is one where the file's tag tree says so; without the rule it is not."""
    content = tagged(("H2", put("where they stand", 72, 740, size=10)), ("P", prose()))
    assert outline(opened(content=content)) == [("h2", "where they stand"), ("p", TEXT)]
    assert outline(opened(content=content, without=("tags",)))[0] == ("p", "where they stand")


def test_tags_tell_of_tables() -> None:
    """Words in columns, which are anything, are a table where the tag tree says so."""
    texts = [["Winter", "Orion", "cold"], ["Spring", "Leo", "mild"], ["Summer", "Lyra", "warm"]]
    parts = [
        ("Table TR TD", put(text, 80 + 130 * column, 600 - 16 * row, size=10))
        for row, line in enumerate(texts)
        for column, text in enumerate(line)
    ]
    page = opened(content=tagged(("P", prose()), *parts))
    assert len(page.with_tag("table")) == 1
    assert len(page.with_tag("td", "th")) == 9


def test_tags_that_lie_do_no_harm() -> None:
    """The tag tree is a witness: a paragraph of many lines that it calls a heading is still read, and once."""
    page = opened(content=tagged(("H1", prose()), ("Span", put("7", 300, 30))))
    assert page.text_of().count(PROSE[0][:30]) == 1


# ------------------------------------------------------------------ single paragraphs


NORMS = TextNorms(10, set())


def _kind(*texts: str, pictures: tuple[tuple[float, ...], ...] = (), **looks: object) -> str:
    """The kind of a paragraph alone on its sheet."""
    (kind,) = kinds_of(NORMS, sheet(pictures=pictures), [paragraph(*texts, **looks)])
    return kind.value


@pytest.mark.parametrize(
    ("text", "share", "expected"),
    [
        ("E = m c 2", 0.6, "formula"),
        ("E = m c 2", 0.3, "formula"),  # few words
        ("E = m c 2", 0.2, "plain"),
        ("E = m c 2 (3.24)", 0.2, "formula"),  # a number at the right
        ("(3.24)", 0.0, "formula"),
        ("where the mass and energy are those", 0.6, "plain"),  # words
    ],
)
def test_formulas(text: str, share: float, expected: str) -> None:
    """A formula is mostly set in fonts for formulas, or has the number of an equation, and few words."""
    assert _kind(text, formula=share) == expected


def test_text_in_a_picture_is_a_figure() -> None:
    """A text inside a picture is its label, unless the picture is the background of the sheet."""
    assert _kind("peak of the year", pictures=((-5, -5, 200, 200),)) == "figure"
    assert _kind("peak of the year", pictures=((-5, -5, 795, 995),)) == "plain"
    assert _kind("peak of the year", pictures=((20, -5, 200, 200),)) == "plain"


@pytest.mark.parametrize(("size", "expected"), [(11.1, "plain"), (11.3, "heading")])
def test_larger_than_the_text(size: float, expected: str) -> None:
    """What is set 1.12 times as large as the text is a heading."""
    assert _kind("Where they stand", size=size) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Upkeep of the dome", "heading"),
        ("upkeep of the dome", "plain"),  # begins in lower case
        ("Upkeep of the dome,", "plain"),  # goes on
        ("The dome was opened again last year.", "plain"),  # a sentence
        ("Introduction", "heading"),
        (" ".join(["Word"] * 23), "plain"),  # too long
        ("12", "plain"),  # no letters
    ],
)
def test_bold_texts(text: str, expected: str) -> None:
    """A bold text is a heading if it is short and does not read as a sentence."""
    assert _kind(text, bold=True) == expected


def test_capitals_are_loud() -> None:
    """A line in capitals is a heading at the size of the text."""
    assert _kind("UPKEEP") == "heading"
    assert _kind("Upkeep") == "plain"


def test_lone_item_is_a_heading_or_text() -> None:
    """A number with a few words and no item beside it is a title; a bullet stays an item."""
    assert _kind("2. Where they stand") == "heading"
    assert _kind("2. It stands on the hill.") == "plain"
    assert _kind("• It stands on the hill.") == "item"


def test_usual_size_is_that_of_most_characters() -> None:
    """The size of the text is taken over all sheets, without what runs at their edges."""
    page = bare(pdf(prose(size=10) + put("Large", 72, 750, size=30)))
    assert trace_structure(page).norms.size == pytest.approx(10 * 4 / 3, abs=0.5)
