"""Pages for the tests of lists: read without a browser, or rendered by the one that all calls share."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import sightline as sl
from sightline.data import ItemList
from sightline.page import Page

SITE = "https://shop.example/a/b.html"
STARS = ("Sirius", "Canopus", "Arcturus", "Vega", "Capella", "Rigel", "Procyon", "Betelgeuse", "Achernar", "Hadar")
WORDS = (
    *("light", "from", "this", "distant", "place", "was", "measured", "long", "before", "anybody", "knew", "how"),
    *("bright", "it", "would", "become", "when", "seen", "through", "larger", "mirrors", "and", "clearer", "nights"),
)


def document(body: str, title: str = "", head: str = "") -> bytes:
    """A document with this body and title."""
    named = f"<title>{title}</title>" if title else ""
    return f"<!doctype html><html lang=en><meta charset=utf-8>{named}{head}<body>{body}".encode()


def static(body: str, title: str = "", head: str = "") -> Page:
    """The page of this markup without any layout, as if it came from the site."""
    return replace(sl.open(document(body, title, head), static=True), url=SITE)


def rendered(body: str, title: str = "", css: str = "") -> Page:
    """The page of this markup, rendered by the browser."""
    return sl.open(document(body, title, f"<style>{css}</style>"))


def prose(number: int, words: int = 20) -> str:
    """A sentence that is not the same for any two numbers."""
    chosen = [WORDS[(7 * number + 5 * place + place * place * (number + 1)) % len(WORDS)] for place in range(words)]
    return " ".join([f"It{number}", *chosen]) + "."


def article(titles: Iterable[str], tag: str = "h2", *, words: int = 30) -> str:
    """Headings, each with a paragraph behind it."""
    return "".join(f"<{tag}>{title}</{tag}><p>{prose(place, words)}</p>" for place, title in enumerate(titles, start=1))


def listed(items: Iterable[str], tag: str = "ol") -> str:
    """Items in a list."""
    return f"<{tag}>" + "".join(f"<li>{item}</li>" for item in items) + f"</{tag}>"


def titles_of(found: ItemList | None) -> list[str] | None:
    """The titles of a list; None where there is none."""
    return None if found is None else [item.title.text for item in found]


def texts_of(lists: Sequence[ItemList]) -> list[list[str]]:
    """The texts of the items of some lists."""
    return [[item.text.text for item in found] for found in lists]
