"""Saved pages whose scripts show nothing are captured as readers without scripts see them."""

import pytest

from sightline.net import Limits
from sightline.page import Page
from sightline.sources import Loader
from sightline.sources.html._parse import LEAST_MARKUP, PLAIN, parse, set_aside, shows_more, words_of

from ..browser._site import rendered, texts

STORY = "".join(f"<p>Sentence number {number} of a story that is long enough to be read.</p>" for number in range(40))
EMPTIES = f"<body>{STORY}<script>document.body.innerHTML = ''</script>"
APART = f"<body><div id=app></div><noscript>{STORY}</noscript>"
NOTICE = "<body><div id=app></div><noscript><p>Please turn on JavaScript to use this application.</noscript>"
COUNTER = f"<body>{STORY}<noscript><img src='https://example.org/{'x' * LEAST_MARKUP}'></noscript>"


def _read(markup: str) -> Page:
    with Loader(static=True) as loader:
        return loader.load(f"<!doctype html><meta charset=utf-8>{markup}".encode())


@pytest.mark.parametrize(
    ("markup", "more"),
    [(APART, True), (NOTICE, False), (COUNTER, False), (STORY, False), ("", False), ("<noscript></noscript>", False)],
    ids=["a story apart", "a notice", "a counter", "a story", "nothing", "empty"],
)
def test_parser_knows_when_less_is_more(markup: str, more: bool) -> None:
    """A page without words and with many in `noscript` would show more; a notice or a counter there is none."""
    assert shows_more(markup, parse(markup), Limits()) is more


def test_page_with_words_of_its_own_stays_as_it_is() -> None:
    """A page that shows enough is left alone, however much more there is in `noscript`."""
    enough = f"<p>{'word ' * 50}</p>{APART}"
    assert not shows_more(enough, parse(enough), Limits())
    some = f"<p>{'word ' * 49}</p>{APART}"
    assert shows_more(some, parse(some), Limits())


def test_a_little_more_is_not_worth_it() -> None:
    """Less than five times as many words are a notice, or what the page shows in other words."""
    longer = f"<p>{'word ' * 30}</p><noscript>{'<b>more</b> ' * 100}</noscript>"
    assert not shows_more(longer, parse(longer), Limits())
    assert shows_more(longer.replace("word " * 30, "word " * 10), parse(longer.replace("word " * 30, "")), Limits())


def test_markup_set_aside_is_counted_in_noscript_alone() -> None:
    """Where scripts run it is one text; where none do, there is nothing set aside."""
    assert set_aside(parse(APART)) == len(STORY)
    assert set_aside(parse(STORY)) == 0
    assert set_aside(parse("<p>x<noscript></noscript>")) == 0


def test_words_of_a_page_without_layout() -> None:
    """What is in `noscript` can be read only where no scripts run."""
    assert words_of(parse(APART)) == 0
    assert words_of(parse(APART, scripting=False)) == len(" ".join(STORY.replace("<p>", " ").split("</p>")).split())
    assert words_of(parse("")) == 0


def test_static_reading_falls_back_and_says_so() -> None:
    """The page has the text of its `noscript` and a note; one that has text of its own has neither."""
    page = _read(APART)
    assert page.text_of(0).startswith("Sentence number 0")
    assert PLAIN in page.notes
    plain = _read(f"{STORY}<noscript><p>extra</noscript>")
    assert "extra" not in plain.text_of(0)
    assert PLAIN not in plain.notes


@pytest.mark.parametrize("markup", [EMPTIES, APART], ids=["a script that empties the page", "a page in noscript"])
def test_browser_falls_back_and_says_so(markup: str) -> None:
    """What scripts took away, or left for those without, is captured with its layout; the note tells."""
    page = rendered(markup)
    assert texts(page)[0] == "Sentence number 0 of a story that is long enough to be read."
    assert len(texts(page)) == 40
    assert page.kind == "rendered"
    assert PLAIN in page.notes


def test_browser_keeps_what_scripts_show() -> None:
    """A script that fills the page is not stopped, and a page in the next tab has its scripts again."""
    page = rendered(
        f"{APART}<script>document.getElementById('app').innerHTML = '<p>' + 'made by hand '.repeat(30)</script>"
    )
    assert texts(page)[0].startswith("made by hand")
    assert PLAIN not in page.notes
