"""What the pages of all journeys have in common: a shop around them, two looks, and a server that notes what arrives.

A page is served in its original look and in a redesign: classes are renamed, boxes are in other places, there is more
above the content, and one label of each journey has another word. Whatever a page sends to `do/…` is an effect; every
trusted click on a control is a hit, with the key of the control, which is the same in both looks.
"""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import parse_qsl

from ..._server import Request, Site, reply, serve_from_thread

__all__ = ["LOOKS", "SCRIPT", "Journey", "JourneySite", "Look", "LookName", "Pages", "serve_journeys"]

LookName = Literal["original", "redesign"]
LOOKS: tuple[LookName, ...] = ("original", "redesign")
Pages = Mapping[str, str | bytes]

SCRIPT = """
const tell = (name, told = {}) => fetch('do/' + name + '?' + new URLSearchParams(told)).then(answer => answer.text());
const keyOf = element => { const one = element.closest('[data-k], a, button, input, select, textarea, summary, [role]');
  const named = one && (one.getAttribute('aria-label') || one.textContent || one.name);
  return one && (one.dataset.k ?? one.tagName + ' ' + named) };
addEventListener('click', event => { const key = event.isTrusted && keyOf(event.composedPath()[0]);
  if (key) navigator.sendBeacon('hit?' + new URLSearchParams({ key })) }, true);
"""

STYLES = {
    "original": """
body { font: 16px/1.5 sans-serif; margin: 0; color: #222 }
.top { display: flex; gap: 24px; padding: 12px 24px; background: #eef2f7; align-items: center }
.frame { display: grid; grid-template-columns: 240px 1fr; gap: 24px; padding: 24px }
.card { border: 1px solid #ccd; border-radius: 6px; padding: 12px 16px; margin: 0 0 16px }
.cols { display: flex; gap: 16px; flex-wrap: wrap } .foot { padding: 24px; background: #eef2f7 }
table { border-collapse: collapse } td, th { border: 1px solid #ccd; padding: 6px 10px; text-align: left }
""",
    "redesign": """
body { font: 15px/1.6 serif; margin: 0; background: #fbfaf7 }
.x-bar { display: flex; flex-direction: row-reverse; justify-content: space-between; padding: 20px 40px }
.x-grid { display: grid; grid-template-columns: 1fr 300px; gap: 40px; padding: 20px 40px }
.x-box { background: white; box-shadow: 0 1px 4px #0003; padding: 20px 24px; margin: 0 0 24px }
.x-row { display: grid; grid-template-columns: repeat(3, 1fr); gap: 20px } .x-end { padding: 40px; columns: 2 }
table { border-spacing: 0 } td, th { padding: 10px 14px; border-bottom: 1px solid #ddd; text-align: left }
""",
}
CLASSES = {"top": "x-bar", "frame": "x-grid", "card": "x-box", "cols": "x-row", "foot": "x-end"}


@dataclass(frozen=True)
class Look:
    """How a page looks: the classes of its boxes and the words on its controls."""

    name: LookName
    origin: str = ""
    other_origin: str = ""

    @property
    def new(self) -> bool:
        """Whether it is the redesign."""
        return self.name == "redesign"

    def word(self, original: str, reworded: str) -> str:
        """A label that the redesign words otherwise."""
        return reworded if self.new else original

    def card(self, heading: str, content: str) -> str:
        """A box with a heading."""
        inner = f"<div class=inner>{content}</div>" if self.new else content
        return f"<section class={self.css('card')}><h2>{heading}</h2>{inner}</section>"

    def css(self, word: str) -> str:
        """The class of a box."""
        return CLASSES.get(word, f"x-{word}") if self.new else word

    def order(self, *boxes: str) -> str:
        """Boxes one below the other; the redesign moves the last one to the top."""
        return "".join((boxes[-1], *boxes[:-1]) if self.new else boxes)

    def page(self, title: str, main: str) -> str:
        """A whole page of the shop."""
        menu = "".join(
            f'<a href="{one.lower()}">{one}</a> ' for one in ("Home", "Offers", "Magazine", "Stores", "Help")
        )
        search = (
            '<form action="do/site-search"><input name=q placeholder="Search the shop"> <button>Search</button></form>'
        )
        head = f"<nav>{menu}</nav><b>Ardennes Optics</b>{search}"
        viewed = "".join(
            f'<li><a href="p-{one.lower()}">{one}</a> <button type=button>Remove</button>'
            for one in ("Binoculars", "Loupe")
        )
        letter = "<label>Email <input type=email name=email></label> <button>Subscribe</button>"
        letter = f'<form action="do/letter">{letter}</form>'
        aside = self.order(self.card("Recently viewed", f"<ul>{viewed}</ul>"), self.card("Newsletter", letter))
        foot = "".join(f'<a href="{one.lower()}">{one}</a> ' for one in ("Imprint", "Privacy", "Terms", "Contact"))
        promo = self.card("Autumn week", "<p>Free shipping on all orders above 50 euros.") if self.new else ""
        content = f"<main><h1>{title}</h1>{promo}{main}</main>"
        boxes = f"{content}<aside>{aside}</aside>" if self.new else f"<aside>{aside}</aside>{content}"
        return (
            f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>{STYLES[self.name]}</style>"
            f"<script>{SCRIPT}</script><header class={self.css('top')}>{head}</header>"
            f"<div class={self.css('frame')}>{boxes}</div><footer class={self.css('foot')}>{foot}"
            "<label>Language <select name=language><option>English<option>French<option>German</select></label>"
            "</footer>"
        )


@dataclass(frozen=True)
class Journey:
    """What a person does on a site: its pages by their names in a look, and the acts."""

    name: str
    pages: Callable[[Look], Pages]
    act: Callable[..., None]


@dataclass
class JourneySite:
    """The served journeys, and what has arrived."""

    site: Site
    effects: list[str] = field(default_factory=list)
    hits: list[str] = field(default_factory=list)

    def url(self, journey: Journey, look: LookName = "original") -> str:
        """Where a journey begins."""
        return self.site.url(f"/{journey.name}/{look}/")

    def forget(self) -> None:
        """Begin a new run."""
        self.effects.clear()
        self.hits.clear()


def _effect(name: str, request: Request) -> str:
    body = request.body.decode("utf-8", "replace")
    form = [] if request.headers.get("content-type", "").startswith("multipart") else parse_qsl(body)
    told = sorted([*request.query.items(), *form])
    return f"{name} {json.dumps(told, ensure_ascii=False)}"


@contextmanager
def serve_journeys(journeys: Sequence[Journey]) -> Iterator[JourneySite]:
    """Serve all journeys in both looks while the block runs."""
    known = {journey.name: journey for journey in journeys}
    served: JourneySite

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(_answer(request))
        await writer.drain()

    def _answer(request: Request) -> bytes:
        _, name, look_name, *rest = (*request.path.split("/"), "", "")
        path = "/".join(rest).strip("/")
        if name not in known or look_name not in LOOKS:
            return reply(b"", 404)
        port = served.site.port
        look = Look(look_name, f"http://127.0.0.1:{port}", f"http://localhost:{port}")  # type: ignore[arg-type]
        if path == "hit":
            served.hits.append(request.query["key"])
            return reply(b"ok")
        if path.startswith("do/"):
            served.effects.append(_effect(path.removeprefix("do/"), request))
            done = look.page("Thank you", look.card("Done", "<p>We have noted it. <a href='..'>Back to the shop</a>"))
            return _html(done)
        page = known[name].pages(look).get(path or "index")
        if page is None:
            return _html(look.page("Not here", "<p>This page is a sketch."))
        return page if isinstance(page, bytes) else _html(page)

    with serve_from_thread({"/robots.txt": reply(b"", 404)}, otherwise=answer, bodies=True) as site:
        served = JourneySite(site)
        yield served


def _html(page: str) -> bytes:
    return reply(page.encode(), headers={"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"})
