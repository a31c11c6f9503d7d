"""Two competitors on this machine: `python shops.py` opens North on port 8101 and South on the port after it.

North (United Kingdom) has pages of twenty, and a page for each product with its model number. South (Switzerland) loads
more when asked to, and shows prices only to those who chose a region; for some, one has to press a button, too.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from html import escape
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from urllib.parse import parse_qs, urlsplit

from offers import DATES, Offer, offers

# ---------------------------------------------------------------------- North

A_PAGE = 20
NORTH_STYLE = """
* { box-sizing: border-box } body { margin: 0; font: 15px/1.45 "Helvetica Neue", Arial, sans-serif; color: #1c2733 }
.tb { background: #12324a; color: #fff; padding: 14px 32px; display: flex; justify-content: space-between }
.tb a { color: #cfe3f2; margin-left: 22px; text-decoration: none } .tb b { font-size: 20px; letter-spacing: .04em }
.w { max-width: 1180px; margin: 0 auto; padding: 18px 24px } .sub { color: #5d6b78; font-size: 13px }
.g { display: flex; flex-wrap: wrap; gap: 16px; margin-top: 14px }
.c { width: 268px; border: 1px solid #dbe2e8; border-radius: 4px; padding: 12px; background: #fff }
.i { height: 96px; border-radius: 3px; margin-bottom: 10px } .t { font-weight: 600; min-height: 44px; display: block }
.t { color: #12324a; text-decoration: none } .n { color: #8793a0; font-size: 12px }
.p { font-size: 18px; color: #b3261e }
.x { color: #5d6b78; font-size: 11px } .s { font-size: 12px; color: #1f7a3d } .s.o { color: #9a5b00 }
.ad { background: #fff8e5; border-style: dashed } .pg { margin: 26px 0; display: flex; gap: 8px }
.pg a, .pg span { border: 1px solid #c9d3dc; padding: 6px 12px; border-radius: 3px; text-decoration: none }
.pg span { background: #12324a; color: #fff } .two { display: flex; gap: 36px } .two .i { width: 420px; height: 320px }
.f { display: grid; grid-template-columns: 150px 1fr; row-gap: 8px; border-top: 1px solid #dbe2e8; padding-top: 14px }
.f div:nth-child(odd) { color: #5d6b78 } .bt { background: #b3261e; color: #fff; padding: 10px 26px; border: 0 }
.ft { border-top: 1px solid #dbe2e8; margin-top: 30px; padding: 16px 0; font-size: 12px; color: #5d6b78 }
"""


def north_page(title: str, content: str) -> str:
    """A page of North."""
    return (
        '<!doctype html><html lang="en-GB"><head><meta charset="utf-8">'
        f"<title>{escape(title)} | Northlight Cameras</title>"
        f'<style>{NORTH_STYLE}</style></head><body><div class="tb"><b>NORTHLIGHT</b><div><a href="/shop">Shop</a>'
        f'<a href="/help">Delivery</a><a href="/stores">Stores</a><a href="/basket">Basket (0)</a></div></div>'
        f'<div class="w">{content}<div class="ft">Northlight Cameras Ltd, Leeds. Prices include VAT at 20 %. '
        "Free delivery over £50.</div></div></body></html>"
    )


def north_list(found: tuple[Offer, ...], number: int, day: int) -> str | None:
    """One page of the list."""
    count = -(-len(found) // A_PAGE)
    if not 1 <= number <= count:
        return None
    shown = found[(number - 1) * A_PAGE : number * A_PAGE]
    cards = [_north_card(one) for one in shown]
    if number == 2:
        cards.insert(7, _NORTH_AD)
    first = (number - 1) * A_PAGE + 1
    pages = "".join(
        f"<span>{one}</span>" if one == number else f'<a href="/shop?page={one}">{one}</a>'
        for one in range(1, count + 1)
    )
    further = f'<a href="/shop?page={number + 1}">Next</a>' if number < count else ""
    counted = f"{first}–{first + len(shown) - 1} of {len(found)} products · prices of {DATES[day]}"
    return north_page(
        "Photography",
        f'<h1>Photography</h1><div class="sub">{counted}</div><div class="g">{"".join(cards)}</div>'
        f'<div class="pg">{pages}{further}</div>',
    )


_NORTH_AD = (
    '<div class="c ad"><div class="i" style="background:#f2d488"></div><a class="t" href="/p/promotion">Shutter Cover '
    'camera insurance from Brightside</a><div class="n">Sponsored</div><div class="p">£4.99</div>'
    '<div class="x">a month, first year</div><div class="s">Terms apply</div></div>'
)


def _tint(offer: Offer) -> str:
    hue = sum(map(ord, offer.sku)) * 47 % 360
    return f"background:linear-gradient(150deg,hsl({hue} 30% 86%),hsl({hue} 34% 62%))"


def _pounds(amount: Decimal) -> str:
    return f"£{amount:,.2f}"


def _north_stock(offer: Offer) -> str:
    if not offer.stock:
        return "Out of stock"
    return "In stock" if offer.stock > 5 else f"Only {offer.stock} left"


def _north_card(offer: Offer) -> str:
    state = "s" if offer.stock > 5 else "s o"
    return (
        f'<div class="c"><div class="i" style="{_tint(offer)}"></div>'
        f'<a class="t" href="/p/{offer.sku}">{escape(offer.name)}</a><div class="n">Item {offer.sku}</div>'
        f'<div class="p">{_pounds(offer.amount)}</div><div class="x">inc. VAT</div>'
        f'<div class="{state}">{_north_stock(offer)}</div></div>'
    )


def north_product(found: tuple[Offer, ...], sku: str) -> str | None:
    """The page of a product, or of what is advertised as one."""
    if sku == "promotion":
        facts = {"Brand": "Brightside", "Availability": "Online only", "Delivers to": "England"}
        return _north_facts("Shutter Cover camera insurance", "Sponsored", "£4.99", "background:#f2d488", facts)
    offer = next((one for one in found if one.sku == sku), None)
    if offer is None:
        return None
    weight = offer.product.weight
    facts = {
        "Brand": offer.product.brand,
        "Model no.": offer.model,
        "Weight": f"{weight / 1000:.2f} kg" if weight > 999 else f"{weight} g",
        "Availability": _north_stock(offer),
        "Delivers to": ", ".join(offer.regions),
    }
    return _north_facts(offer.name, f"Item {offer.sku}", _pounds(offer.amount), _tint(offer), facts)


def _north_facts(name: str, item: str, price: str, tint: str, facts: dict[str, str]) -> str:
    rows = "".join(f"<div>{label}</div><div>{escape(value)}</div>" for label, value in facts.items() if value)
    return north_page(
        name,
        f'<div class="sub"><a href="/shop">Photography</a></div><h1>{escape(name)}</h1>'
        f'<div class="two"><div class="i" style="{tint}"></div><div><p class="n">{item}</p><p class="p">{price}</p>'
        f'<p class="x">inc. VAT</p><button class="bt">Add to basket</button><div class="f">{rows}</div></div></div>',
    )


# ---------------------------------------------------------------------- South

A_LOAD = 24
CHOOSE = "Bitte wählen"
SOUTH_STYLE = """
body { margin: 0; background: #f4f2ee; font: 16px/1.5 Georgia, "Times New Roman", serif; color: #2b2b2b }
header { background: #fff; border-bottom: 3px solid #c8102e; padding: 16px 40px; display: flex; align-items: center }
header strong { font-size: 24px; color: #c8102e; margin-right: auto }
select, button { font: inherit; padding: 5px 10px }
main { width: 980px; margin: 20px auto } .z { background: #fff; margin-bottom: 8px; padding: 12px 18px; display: flex }
.b { width: 74px; height: 58px; margin-right: 18px }
.m { flex: 1 } h3 { margin: 0; font-size: 17px }
.k { color: #777; font-size: 13px } .r { width: 210px; text-align: right } .r strong { font-size: 19px }
.l { font-size: 13px; color: #2e7d32 } .h { color: #888; font-size: 14px } .mehr { text-align: center; margin: 24px }
footer { text-align: center; color: #777; font-size: 13px; padding: 20px }
"""
SOUTH_SCRIPT = """
const list = document.getElementById('l'), more = document.getElementById('mehr');
if (more) more.onclick = async () => {
  const answer = await fetch('/mehr?ab=' + list.children.length);
  list.insertAdjacentHTML('beforeend', await answer.text());
  if (list.children.length >= Number(more.dataset.alle)) more.parentNode.remove();
};
list.onclick = async event => {
  if (!event.target.matches('button')) return;
  const answer = await fetch('/preis?artikel=' + event.target.value);
  event.target.outerHTML = await answer.text();
};
document.getElementById('region').onchange = event => event.target.form.submit();
"""


def south_list(found: tuple[Offer, ...], region: str, day: int) -> str:
    """The list with its first articles; prices only with a region."""
    regions = "".join(
        f"<option{' selected' if one == region else ''}>{one}</option>"
        for one in (CHOOSE, "Deutschschweiz", "Romandie", "Tessin")
    )
    rows = "".join(_south_row(one, region) for one in found[:A_LOAD])
    more = f'<p class="mehr"><button id="mehr" data-alle="{len(found)}">Mehr anzeigen</button></p>'
    return (
        '<!doctype html><html lang="de-CH"><head><meta charset="utf-8"><title>Sortiment – Fotohaus Süd</title>'
        f"<style>{SOUTH_STYLE}</style></head><body><header><strong>Fotohaus Süd</strong><form action='/region'>"
        f"<label>Lieferregion <select name='r' id='region'>{regions}</select></label></form></header>"
        f"<main><h1>Sortiment</h1><p class='k'>{len(found)} Artikel · Stand {_swiss_date(day)}</p>"
        f"<section id='l'>{rows}</section>{more}</main>"
        "<footer>Fotohaus Süd AG, Lugano · alle Preise in CHF inkl. 8.1 % MwSt.</footer>"
        f"<script>{SOUTH_SCRIPT}</script></body></html>"
    )


def _swiss_date(day: int) -> str:
    year, month, number = DATES[day].split("-")
    return f"{number}.{month}.{year}"


def _francs(amount: Decimal) -> str:
    whole = f"{int(amount):,}".replace(",", "'")
    cents = int(amount % 1 * 100)
    return f"CHF {whole}.{cents:02}" if cents else f"CHF {whole}.–"


def _south_row(offer: Offer, region: str) -> str:
    if not region:
        price = "<span class='h'>Preis nach Wahl der Region</span>"
    elif offer.is_hidden:
        price = f"<button value='{offer.sku}'>Preis anzeigen</button>"
    else:
        price = f"<strong>{_francs(offer.amount)}</strong>"
    model = f"<div class='k'>Herst.-Nr. {offer.model}</div>" if offer.model else ""
    stock = "an Lager" if offer.stock > 5 else f"noch {offer.stock} Stück" if offer.stock else "ausverkauft"
    return (
        f"<article class='z'><div class='b' style='{_tint(offer)}'></div><div class='m'><h3>{escape(offer.name)}</h3>"
        f"<div class='k'>Art. {offer.sku}</div>{model}</div><div class='r'>{price}<div class='l'>{stock}</div>"
        f"<div class='k'>{', '.join(offer.regions)}</div></div></article>"
    )


# ---------------------------------------------------------------------- serving


@dataclass
class Shops:
    """The open shops: where they are, and which day it is in them."""

    north: str = ""
    south: str = ""
    day: int = field(default=1)


class _Handler(BaseHTTPRequestHandler):
    shops: Shops

    def do_GET(self) -> None:
        """Answer with a page."""
        parts = urlsplit(self.path)
        values = {name: texts[0] for name, texts in parse_qs(parts.query).items()}
        content = self.content(parts.path, values)
        if content is None:
            self.answer("<h1>404</h1>", 404)
        else:
            self.answer(content)

    def do_POST(self) -> None:
        """`/day?number=2` is the next day."""
        parts = urlsplit(self.path)
        number = parse_qs(parts.query).get("number", [""])[0]
        if parts.path != "/day" or number not in map(str, DATES):
            self.answer("Post to /day?number=1 or /day?number=2.", 400)
            return
        self.shops.day = int(number)
        self.answer(f"It is {DATES[self.shops.day]}.")

    def content(self, path: str, values: dict[str, str]) -> str | None:
        """The page at a path, or None."""
        raise NotImplementedError

    def answer(self, content: str, status: int = 200, **headers: str) -> None:
        """Send a page."""
        body = content.encode()
        self.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


class _North(_Handler):
    def content(self, path: str, values: dict[str, str]) -> str | None:
        found = offers("north", self.shops.day)
        if path in ("/", "/shop"):
            number = values.get("page", "1")
            return north_list(found, int(number), self.shops.day) if number.isdigit() else None
        return north_product(found, path.removeprefix("/p/")) if path.startswith("/p/") else None


class _South(_Handler):
    def content(self, path: str, values: dict[str, str]) -> str | None:
        found = offers("south", self.shops.day)
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("region")
        region = cookie.value if cookie else ""
        if path == "/mehr":
            first = int(values.get("ab", "0"))
            return "".join(_south_row(one, region) for one in found[first : first + A_LOAD])
        if path == "/preis":
            offer = next((one for one in found if one.sku == values.get("artikel")), None)
            return f"<strong>{_francs(offer.amount)}</strong>" if offer else None
        return south_list(found, region, self.shops.day) if path == "/" else None

    def do_GET(self) -> None:
        """A region that was chosen is kept in a cookie."""
        parts = urlsplit(self.path)
        if parts.path != "/region":
            super().do_GET()
            return
        chosen = parse_qs(parts.query).get("r", [""])[0]
        kept = "" if chosen == CHOOSE else chosen
        self.answer("", 303, Location="/", Set_Cookie=f"region={kept}; Path=/")


@contextmanager
def open_shops(port: int = 0, day: int = 1) -> Iterator[Shops]:
    """Both shops, open while the block runs; without a port they take free ones."""
    shops = Shops(day=day)
    servers = [
        ThreadingHTTPServer(("127.0.0.1", port and port + number), type(kind.__name__, (kind,), {"shops": shops}))
        for number, kind in enumerate((_North, _South))
    ]
    shops.north, shops.south = (f"http://127.0.0.1:{server.server_port}" for server in servers)
    threads = [Thread(target=server.serve_forever, daemon=True) for server in servers]
    for thread in threads:
        thread.start()
    try:
        yield shops
    finally:
        for server, thread in zip(servers, threads, strict=True):
            server.shutdown()
            server.server_close()
            thread.join()


def main() -> None:
    """Keep the shops open until Ctrl-C."""
    parser = argparse.ArgumentParser(description="Open two shops on this machine.")
    parser.add_argument("--port", type=int, default=8101, help="of North; South has the next one")
    parser.add_argument("--day", type=int, default=1, choices=DATES, help="which prices they have")
    chosen = parser.parse_args()
    with open_shops(chosen.port, chosen.day) as shops:
        print(f"North: {shops.north}/shop   South: {shops.south}/   (Ctrl-C closes them)")
        try:
            Event().wait()
        except KeyboardInterrupt:
            print("Closed.")


if __name__ == "__main__":
    main()
