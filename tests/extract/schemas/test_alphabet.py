"""The letters of a template: elements by what several pages share of them, and the texts that say something."""

import pytest

from sightline.extract.schemas import Alphabet, outline_of
from sightline.extract.schemas._outline import TEXT_SYMBOL, collapse_spaces, outlines_of, readable
from sightline.testing import element, page_of

from .._templates import opened


def _texts(body: str) -> list[str]:
    (page,) = opened(body)
    return [collapse_spaces(page.strings[number]) for number in page.text[readable(page)].tolist()]


@pytest.mark.parametrize("between", [", ", " and ", " | ", " · ", " » ", " / ", " und ", " -> ", ": ", " – "])
def test_what_joins_links_says_nothing(between: str) -> None:
    """Punctuation, arrows and "and" between two links are no texts of the page."""
    assert _texts(f"<p><a>Anna</a>{between}<a>Bert</a></p>") == ["Anna", "Bert"]


@pytest.mark.parametrize("text", ["-", "–", "and", "...", "?", "*"])
def test_a_mark_alone_is_a_value(text: str) -> None:
    """A dash that is all a cell holds is what the page says there."""
    assert _texts(f"<table><tr><td>Weight<td>{text}</table>") == ["Weight", text]


@pytest.mark.parametrize("text", ["$", "€ 5", "0", "android", "Brandy", "5 and 6", "R&D"])
def test_texts_with_words_digits_or_money_say_something(text: str) -> None:
    """Only what is nothing but marks is passed over."""
    assert _texts(f"<p>{text}<b>beside</b></p>") == [text, "beside"]


def test_hidden_texts_and_scripts_cannot_be_read() -> None:
    """What nobody sees is no part of a page."""
    assert _texts("<script>var x = 1</script><p hidden>secret</p><style>p {}</style><p>seen</p>") == ["seen"]


def test_words_that_one_page_has_alone_are_no_letters() -> None:
    """A class, an id or an itemprop counts when two pages have it on the same tag."""
    one, two = opened(
        "<p class='name x1y' id=a>A</p><b class=name>B</b>", "<p class='name z3y' id=b>A</p><i class=name>B</i>"
    )
    names = {outline.alphabet.names[symbol] for outline in outlines_of([one, two]) for symbol in outline.symbol}
    assert names == {"#text", "html", "body", "p .name", "b", "i"}


def test_numbers_in_classes_are_left_open() -> None:
    """`item-17` and `item-18` are one letter where no two pages have the same number."""
    one, two = outlines_of(opened("<p class=item-17>A</p>", "<p class=item-18>B</p>"))
    assert [one.alphabet.names[symbol] for symbol in one.symbol] == ["html", "body", "p .item-0", "#text"]
    assert one.symbol == two.symbol
    later = outline_of(opened("<p class=item-999>C</p>")[0], one.alphabet)
    assert later.symbol == one.symbol


def test_a_further_page_is_written_in_known_letters() -> None:
    """Classes that were not known when a wrapper was learned do not make an element another one."""
    known, _ = outlines_of(opened("<p class=name>A</p>", "<p class=name>B</p>"))
    later = outline_of(opened("<p class='name brand-new' id=unheard>C</p>")[0], known.alphabet)
    assert later.symbol == known.symbol


def test_symbols_have_tags_and_words() -> None:
    """A symbol knows its tag, class words, id and itemprop, in whatever order the page has its classes."""
    alphabet = Alphabet(frozenset({("li", ".a"), ("li", ".b"), ("li", "#main_box"), ("li", "@price")}))
    symbol = alphabet.symbol(("li", "b a c", "main box", "price", ""))
    assert symbol == alphabet.symbol(("li", " a\n b", "main  box", "price", ""))
    assert alphabet.tag(symbol) == "li"
    assert alphabet.words(symbol) == {".a", ".b", "#main_box", "@price"}
    assert alphabet.tag(TEXT_SYMBOL) == "#text"


def test_shared_texts_keep_their_number() -> None:
    """Sharing a text twice is sharing it once; any other text is 0."""
    alphabet = Alphabet(frozenset())
    assert [alphabet.share(text) for text in ("Home", "Price", "Home")] == [1, 2, 1]
    assert (alphabet.text("Price"), alphabet.text("price")) == (2, 0)


def test_a_page_without_text_has_nothing_to_read() -> None:
    """An empty page has no texts, and that is no error."""
    assert len(readable(page_of(element("html", element("body")), kind="static"))) == 0
