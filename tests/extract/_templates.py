"""Pages of made-up templates, and wrappers learned from them, for the tests of schemas and wrappers."""

from collections.abc import Iterable, Sequence
from typing import Any

import sightline as sl
from sightline.extract.schemas import InduceSettings
from sightline.extract.wrappers import Templates
from sightline.page import Page

FOOT = "<hr><footer>All prices include tax.</footer>"
WORDS = (
    *("light", "from", "this", "distant", "place", "was", "measured", "long", "before", "anybody", "knew", "how"),
    *("bright", "it", "would", "become", "when", "seen", "through", "larger", "mirrors", "and", "clearer", "nights"),
)


def opened(*bodies: str) -> list[Page]:
    """The pages with these bodies, read without a browser."""
    start = "<!doctype html><html lang=en><meta charset=utf-8><body>"
    return [sl.open((start + body).encode(), static=True) for body in bodies]


def learned(bodies: Iterable[str], settings: InduceSettings | None = None) -> sl.Wrapper:
    """The wrapper of pages with these bodies."""
    return sl.induce(opened(*bodies), settings=settings)


def rules_of(wrapper: sl.Wrapper) -> Templates:
    """The templates of a wrapper, and the sets that its records are items of."""
    assert isinstance(wrapper.rules, Templates)
    return wrapper.rules


def read(wrapper: sl.Wrapper, body: str) -> list[dict[str, Any]]:
    """The records that a wrapper finds on a page with this body; the page has to be of its template."""
    found = wrapper.read(opened(body)[0])
    assert found.verdict == "ok", (found.verdict, found.problems)
    return [record.to_dict() for record in found.records]


def listed(*items: str, tag: str = "ul") -> str:
    """Items in a list."""
    return f"<{tag}>" + "".join(f"<li>{item}</li>" for item in items) + f"</{tag}>"


def table(rows: Iterable[Sequence[str]], heads: Sequence[str] = (), *, first: str = "td") -> str:
    """A table, with its headings in a head of their own; `first` is the tag of the first cell of each row."""
    head = f"<thead><tr>{''.join(f'<th>{cell}</th>' for cell in heads)}</tr></thead>" if heads else ""
    body = "".join(
        f"<tr><{first}>{row[0]}</{first}>{''.join(f'<td>{cell}</td>' for cell in row[1:])}</tr>" for row in rows
    )
    return f"<table>{head}<tbody>{body}</tbody></table>"


def sentence(number: int, words: int = 12) -> str:
    """A sentence that is not the same for any two numbers."""
    chosen = [WORDS[(7 * number + 5 * place + place * place * (number + 1)) % len(WORDS)] for place in range(words)]
    return " ".join([f"It{number}", *chosen]) + "."


def product(number: int, *, rows: Iterable[Sequence[str]] | None = None, more: str = "") -> str:
    """A page about one camera: its name, a table of its features by label, and a foot."""
    told = rows if rows is not None else [("Price:", f"{number}9 €"), ("Weight:", f"{number}50 g")]
    return f"<p><a href=/>Home</a></p><h1>Camera {number}</h1>{table(told)}{more}{FOOT}"


def listing(number: int, count: int) -> str:
    """A page with so many lenses, every second one with what is left of it."""
    items = (
        f"<h3>Lens {number}-{place}</h3><b class=price>{number}{place}.50 €</b>"
        + (f"<i class=stock>{place} left</i>" if place % 2 else "")
        for place in range(count)
    )
    return f"<h1>Our lenses</h1>{listed(*items)}{FOOT}"


def lenses(number: int, count: int) -> list[dict[str, str]]:
    """What `listing` is made of."""
    return [
        {"title": f"Lens {number}-{place}", "price": f"{number}{place}.50 €"}
        | ({"stock": f"{place} left"} if place % 2 else {})
        for place in range(count)
    ]
