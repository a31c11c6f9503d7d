"""Other extractors of main text, on our pages."""

import sys

import pytest

import sightline as sl
from sightline.errors import MissingExtra
from sightline.extract.content._find import LIBRARIES
from sightline.extract.content._locate import locate_text, located_share
from sightline.page import Page
from sightline.testing import element, page_of

NAMES = list(LIBRARIES)
PARAGRAPHS = (
    "The harbour was built in the year of the great flood, when the old quay had been carried away by the river.",
    "For more than a century its walls kept the boats of the fishermen safe, in winter as well as in summer storms.",
    "Then the railway came, the fish were sold elsewhere, and grass began to grow between the stones of the quay.",
    "Today the town council, which has long hoped for visitors, wants to open the old customs house as a museum.",
)
MENU = ("Home", "News", "Sport", "Weather", "Contact")


def article() -> Page:
    """An article with navigation before it and links behind it."""
    menu = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in MENU)
    text = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    return sl.open(
        f"<!doctype html><html lang=en><title>The harbour</title><body><nav><ul>{menu}</ul></nav>"
        f"<article><h1>The old harbour opens again</h1>{text}</article>"
        f"<footer><a href=/imprint>Imprint</a> <a href=/privacy>Privacy</a></footer>".encode(),
        static=True,
    )


@pytest.mark.parametrize("name", NAMES)
def test_extractor_gives_the_main_text(name: str) -> None:
    """All paragraphs, each a line of its own, and nothing of the navigation."""
    lines = LIBRARIES[name](article()).split("\n")
    assert set(PARAGRAPHS) <= set(lines)
    assert not set(MENU) & set(lines)


@pytest.mark.parametrize("name", NAMES)
def test_extractor_text_is_located(name: str) -> None:
    """The way back gives the text nodes of the paragraphs, and no link."""
    page = article()
    text = LIBRARIES[name](page)
    found = {page.node(int(number)).raw_text for number in locate_text(page, text)}
    assert set(PARAGRAPHS) <= found
    assert not set(MENU) & found
    assert located_share(page, text) == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("page", [sl.open(b"<p>", static=True), page_of(element("html"))], ids=["parsed", "built"])
def test_extractor_finds_nothing_on_an_empty_page(name: str, page: Page) -> None:
    """An empty page has no text, and that is no error."""
    assert LIBRARIES[name](page) == ""


@pytest.mark.parametrize("name", NAMES)
def test_extractor_reads_odd_characters(name: str) -> None:
    """Texts that XML knows no way to write, as scripts can make them, are no error."""
    odd = [element("p", f"{paragraph} \0\1\ud800\uffff", box=(0, 0, 900, 20)) for paragraph in PARAGRAPHS]
    page = page_of(element("html", element("body", element("article", *odd, title="\0\ud800"))))
    assert PARAGRAPHS[1] in LIBRARIES[name](page)


@pytest.mark.parametrize("name", NAMES)
def test_missing_extractor_names_its_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the library is not installed, the error says how to get it."""
    for module in [module for module in sys.modules if module.partition(".")[0] == name]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'sightline-data\[{name}\]'"):
        LIBRARIES[name](article())
