"""What is measured of text blocks."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.content._lines import (
    BAR,
    CAPITAL,
    CREDIT_STARTS,
    CREDIT_WORDS,
    CREDITS,
    DIGIT,
    MARKS,
    NOTICE_STARTS,
    NOTICE_WORDS,
    NOTICES,
    TURNS,
    JoinedLines,
    marks_of,
    turn_of,
)
from sightline.extract.content._measures import (
    CREDIT_FILTER,
    NOTICE_FILTER,
    SENTENCE_END,
    Measured,
    _sentence_ends,
    measure,
)
from sightline.extract.content._model import the_model
from sightline.page import Page
from sightline.signals._text_blocks import text_blocks
from sightline.sources.html._parse import parse

from ._pages import HEADING, PARAGRAPHS, article

TEXTS = st.lists(
    st.text(st.sampled_from("aB1 .,!|©_é"), min_size=1).map(str.strip).filter(bool), min_size=1, max_size=8
)
SAID = (
    *(
        "share",
        "shares",
        "terms &privacy",
        "©share",
        "foto ©",
        "foto: dpa",
        "(c)",
        "more.",
        'said."',
        "a: b",
        "(photo by x)",
    ),
    *("read more", "unread", "next…»", "über", "«teilen»", "日本。", "e-mail-adresse", "ap photo", "(photo by x)"),
)


def _measured(page: Page) -> Measured:
    return measure(text_blocks(page))


def _of(page: Page, text: str) -> dict[str, float]:
    """The measures of the block with a text."""
    blocks = text_blocks(page)
    row = blocks.texts.index(text)
    return {name: float(values[row]) for name, values in measure(blocks).columns.items()}


def test_measures_are_those_that_the_trees_ask_for() -> None:
    """Every name in the table of trees is a column, each as long as there are blocks and of numbers."""
    measured = _measured(article())
    assert set(the_model().forest.names) <= set(measured.columns)
    assert {len(values) for values in measured.columns.values()} == {len(measured.counts.blocks)}
    assert measured.matrix.shape == (len(measured.counts.blocks), len(measured.columns))


def test_measures_tell_text_from_links() -> None:
    """A paragraph has many words and no links, an entry of the menu the other way round."""
    page = article()
    text, link = _of(page, PARAGRAPHS[0]), _of(page, "Sport")
    assert (text["words"], text["links"], text["is p"], text["closed"]) == (len(PARAGRAPHS[0].split()), 0, 1, 1)
    assert (link["words"], link["links"], link["is li"], link["in nav"]) == (1, 1, 1, 1)
    assert text["in article"] == text["article"] == 1
    assert link["siblings"] == 8


def test_measures_of_the_heading() -> None:
    """The heading is of the first level, and its words are those of the title."""
    heading = _of(article(), HEADING)
    assert heading["heading"] == 1
    assert heading["in title"] == pytest.approx(5 / 7)
    assert _of(article(), PARAGRAPHS[1])["since heading"] == 3


def test_measures_of_places_are_unknown_without_layout() -> None:
    """A page that was not rendered has no boxes, and everything else all the same."""
    measured = _measured(parse(article().to_html())).columns
    assert np.isnan(measured["left"]).all()
    assert np.isnan(measured["font size"]).all()
    assert not np.isnan(measured["words"]).any()


def test_a_name_around_the_whole_page_says_nothing() -> None:
    """`has-sidebar` at the body is not a sidebar; below it, it is."""
    menu = "<p>one two three</p>" * 9
    pages = (f"<body class=sidebar>{menu}", f"<body><div class=sidebar><p>four</div>{menu}")
    whole, part = (_measured(parse(page)).columns["sidebar"] for page in pages)
    assert not whole.any()
    assert part.tolist() == [1.0] + [0.0] * 9


@given(st.lists(st.tuples(st.sampled_from(["p", "li", "h2", "div", "a", "td", "span", "form"]), st.text()), max_size=8))
def test_measures_never_fail(pieces: list[tuple[str, str]]) -> None:
    """Any text in any elements can be measured, and only measures of places may be unknown."""
    blocks = text_blocks(parse("".join(f"<{tag}>{text}" for tag, text in pieces)))
    if len(blocks):
        known = {name: values for name, values in measure(blocks).columns.items() if not np.isnan(values).all()}
        assert all(np.isfinite(values).all() for values in known.values())


def test_words_are_counted_where_no_blanks_part_them() -> None:
    """A paragraph of Japanese or Thai is as long as one of English; Korean, which has blanks, is counted by them."""
    told = [
        "日本銀行は十九日の会合で政策金利を据え置いた。物価の見通しは、変えていない。",
        "ธนาคารแห่งประเทศไทยคงอัตราดอกเบี้ยนโยบาย",
    ]
    measured = _measured(
        parse("".join(f"<p>{text}</p>" for text in (*told, "한국은행은 금리를 동결했다", "The bank held")))
    ).columns
    assert measured["words"].tolist() == [18.0, 8.0, 3.0, 3.0]
    assert measured["sentences"].tolist() == [2.0, 0.0, 0.0, 0.0]
    assert measured["commas"][0] > 0
    assert measured["closed"].tolist() == [1.0, 0.0, 0.0, 0.0]


def test_captions_stand_beside_pictures() -> None:
    """How many pictures are right before a block, and right after it."""
    measured = _measured(parse("<p>one</p><img src=a><img src=b><p>two</p><p>three</p><img src=c>")).columns
    assert measured["pictures before"].tolist() == [0.0, 2.0, 0.0]
    assert measured["pictures after"].tolist() == [2.0, 0.0, 1.0]


def test_paragraphs_stand_beside_each_other_and_boxes_between_them_do_not() -> None:
    """The words that read like text in the element around a block are those of its neighbours, not those in boxes."""
    text, box = f"<p>{'word ' * 40}</p>", f"<div><div><p>{'word ' * 20}</p></div></div>"
    measured = _measured(parse(f"<article>{text}{box}{text}</article>")).columns
    assert measured["of most beside"].tolist() == [1.0, 0.25, 1.0]
    assert measured["depth off"].tolist() == [0.0, 2.0, 0.0]


def test_what_the_page_says_of_its_text_is_looked_for() -> None:
    """The text in the JSON-LD and the description are compared with each block; without them nothing is known."""
    body = "The comet came a week early, and nobody was there to see it when it passed the moon on the sixth of March."
    data = f'<script type="application/ld+json">{{"@type": "NewsArticle", "articleBody": "{body} {body}"}}</script>'
    head = f'<head><meta property="og:description" content="The comet came early">{data}</head>'
    blocks = f"<p>{body}</p><p>Read more about comets and subscribe to our letter</p><p>Ha</p>"
    told, bare = (_measured(parse(f"{own}<body>{blocks}</body>")).columns for own in (head, ""))
    assert told["in own text"][:2].tolist() == [1.0, 0.0]
    assert np.isnan(told["in own text"][2])  # too short to tell
    assert told["of description"].tolist() == [1.0, 0.0, 0.0]
    assert np.isnan(bare["in own text"]).all()
    assert np.isnan(bare["of description"]).all()


@given(TEXTS)
def test_counting_at_once_is_counting_one_by_one(texts: list[str]) -> None:
    """Searching all texts in one go finds in each what searching it alone does."""
    lines = JoinedLines(texts)
    assert lines.count(lines.places(BAR)).tolist() == [text.count("|") for text in texts]
    assert lines.shares(DIGIT, 3).tolist() == [sum(map(str.isdigit, text[:3])) / len(text[:3]) for text in texts]
    assert lines.shares(CAPITAL, 9).tolist() == [sum(map(str.isupper, text[:9])) / len(text[:9]) for text in texts]
    words = frozenset(["ab", "b", "1"])
    small = [text.lower() for text in texts]
    alone = [len(words & set(re.findall(r"\w+", text))) for text in small]
    assert JoinedLines(small).with_words(words).tolist() == alone


@given(st.lists(st.lists(st.sampled_from(SAID)).map(" ".join), min_size=1, max_size=5))
def test_filtered_counting_is_counting(texts: list[str]) -> None:
    """Looking only where a notice or credit may begin finds all of them, and where a sentence ends as well."""
    lines = JoinedLines(texts)
    for filtered, pattern in ((NOTICE_FILTER, NOTICES), (CREDIT_FILTER, CREDITS)):
        assert filtered.count(lines).tolist() == [len(pattern.findall(text)) for text in texts]
    assert _sentence_ends(lines).tolist() == [len(SENTENCE_END.findall(text)) for text in texts]


@pytest.mark.parametrize("words", [*NOTICE_WORDS, *CREDIT_WORDS])
def test_first_letters_never_vary(words: str) -> None:
    """Notices and credits are looked for by their first three letters, which all of them have."""
    assert re.match(r"[^\\()\[\]?*+|.]{3}(?![?*+{])", words)
    assert any(words.startswith(start) for start in NOTICE_STARTS | CREDIT_STARTS)


@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("main-nav", ["navigation", "main"]),
        ("articleBody", ["article", "body"]),
        ("teaser__text", ["teaser", "body"]),
        ("post__footer widget", ["article", "footer", "sidebar"]),
        ("uploads", []),
        ("x7f", []),
    ],
)
def test_names_are_read_word_by_word(name: str, marks: list[str]) -> None:
    """Hyphens, underscores and humps part words, and a word begins with its mark."""
    bits = marks_of(["x7f", name])[name]
    found = [mark for number, mark in enumerate(MARKS) if bits >> number & 1]
    assert sorted(found) == sorted(marks)


@pytest.mark.parametrize(
    ("line", "turn"),
    [("12 Comments", "comments"), ("Related stories", "related"), ("Share", "author"), ("The sea", "")],
)
def test_short_lines_begin_other_parts(line: str, turn: str) -> None:
    """What follows such a line is another part of the page, in letters of any case."""
    assert turn_of(line) == turn_of(line.upper()) == (list(TURNS).index(turn) if turn else -1)


def test_notices_are_whole_words() -> None:
    """Each is found once, in any of its forms, and not as a part of another word."""
    assert NOTICES.findall("read more · sign up · cookies · © 2020 all rights reserved") == [
        "read more",
        "sign up",
        "cookies",
        "©",
        "all rights reserved",
    ]
    assert not NOTICES.search("a shareholder commented on unrelated cookiecutters")
