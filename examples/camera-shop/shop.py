"""A small camera shop on this machine: `python shop.py [PORT]`. Some of its prices are shown in the cart only."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_hex
from threading import Event, Thread
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit


class Camera(NamedTuple):
    """A camera of the shop."""

    number: str
    name: str
    about: str
    price: float
    hidden: bool = False


CAMERAS = (
    Camera("arden-r50", "Arden R50", "24 megapixels, for those who begin", 679.00),
    Camera("arden-r5-mark-ii", "Arden R5 Mark II", "45 megapixels, stabilised sensor", 4299.00, hidden=True),
    Camera("fennel-x100", "Fennel X100", "Fixed 35 mm lens, brass dials", 1599.00),
    Camera("kestrel-z8", "Kestrel Z8", "Stacked sensor, 20 frames a second", 3799.00, hidden=True),
    Camera("kestrel-z50", "Kestrel Z50", "A small body for long walks", 899.00),
    Camera("lumora-s9", "Lumora S9", "Full frame, fits into a pocket", 1499.00),
    Camera("lumora-g9", "Lumora G9", "For birds, cats and children", 1299.00, hidden=True),
    Camera("orrery-one", "Orrery One", "Built for the night sky", 2190.00),
)
STYLE = """
body { font: 16px/1.5 Georgia, serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #222 }
nav { border-bottom: 1px solid #ccc; padding-bottom: .5rem } nav a { margin-right: 1.2rem }
.cameras { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1rem; padding: 0 }
.camera { list-style: none; border: 1px solid #ddd; border-radius: 6px; padding: .8rem }
.camera h2 { font-size: 1.05rem; margin: .4rem 0 } .about { color: #555; font-size: .9rem; min-height: 3rem }
.price { font-weight: bold } .later { color: #a33; font-size: .85rem }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #ddd; padding: .5rem; text-align: left }
"""
CART = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='28' height='24'%3E"
    "%3Cpath d='M2 3h4l3 12h13l3-9H8' fill='none' stroke='%23333' stroke-width='2'/%3E"
    "%3Ccircle cx='11' cy='20' r='2'/%3E%3Ccircle cx='20' cy='20' r='2'/%3E%3C/svg%3E"
)


def page(title: str, content: str) -> str:
    """A page of the shop."""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
        f'<nav><a href="/cameras">Cameras</a><a href="/lenses">Lenses</a><a href="/cart">Cart</a></nav>'
        f"<h1>{escape(title)}</h1>{content}</html>"
    )


def picture(camera: Camera) -> str:
    """A drawing of a camera, in a colour of its own."""
    hue = sum(map(ord, camera.number)) * 7 % 360
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="100" viewBox="0 0 160 100">'
        f'<rect x="20" y="25" width="120" height="65" rx="9" fill="hsl({hue} 25% 30%)"/>'
        f'<rect x="60" y="14" width="40" height="16" rx="4" fill="hsl({hue} 25% 24%)"/>'
        f'<circle cx="80" cy="58" r="25" fill="#ddd"/><circle cx="80" cy="58" r="17" fill="hsl({hue} 45% 45%)"/></svg>'
    )


def overview() -> str:
    """All cameras; where the price is hidden there is only a note."""
    cards = "".join(
        f'<li class="camera"><img src="/images/{one.number}.svg" alt="{escape(one.name)}" width="160" height="100">'
        f'<h2>{escape(one.name)}</h2><p class="about">{escape(one.about)}</p>'
        + ('<p class="later">Add to cart to see price</p>' if one.hidden else f'<p class="price">€{one.price:,.2f}</p>')
        + f'<a href="/add?camera={one.number}"><img src="{CART}" alt="Add to cart" width="28" height="24"></a></li>'
        for one in CAMERAS
    )
    return page("Cameras", f'<ul class="cameras">{cards}</ul>')


def cart(chosen: Counter[str]) -> str:
    """The cart, with the price of each camera."""
    rows = "".join(
        f"<tr><td>{escape(one.name)}<td>{chosen[one.number]}<td>€{one.price:,.2f}"
        f"<td>€{one.price * chosen[one.number]:,.2f}"
        for one in CAMERAS
        if chosen[one.number]
    )
    table = f"<table><tr><th>Product<th>Quantity<th>Unit Price<th>Total{rows}</table>"
    return page("Your cart", table if rows else "<p>Your cart is empty.</p>")


class _Shop(BaseHTTPRequestHandler):
    carts: dict[str, Counter[str]]

    def do_GET(self) -> None:
        """Answer a request."""
        parts = urlsplit(self.path)
        visitor = SimpleCookie(self.headers.get("Cookie", "")).get("visitor")
        name = visitor.value if visitor else token_hex(8)
        chosen = self.carts.setdefault(name, Counter())
        camera = parse_qs(parts.query).get("camera", [""])[0]
        if parts.path.startswith("/images/"):
            found = next((one for one in CAMERAS if parts.path == f"/images/{one.number}.svg"), None)
            self._answer(picture(found) if found else None, name, "image/svg+xml")
        elif parts.path == "/add":
            chosen[camera] += 1
            said = next((one.name for one in CAMERAS if one.number == camera), "Nothing")
            self._answer(page("Added to your cart", f"<p>{escape(said)}</p><p><a href=/cart>View cart</a></p>"), name)
        else:
            self._answer({"/": overview(), "/cameras": overview(), "/cart": cart(chosen)}.get(parts.path), name)

    def _answer(self, content: str | None, visitor: str, kind: str = "text/html; charset=utf-8") -> None:
        body = (content or page("Not found", "<p>There is no such page.</p>")).encode()
        self.send_response(200 if content else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", f"visitor={visitor}; Path=/")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


@contextmanager
def open_shop(port: int = 0) -> Iterator[str]:
    """The address of the shop, which is open while the block runs; without a port it takes a free one."""
    handler = type("Shop", (_Shop,), {"carts": {}})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


if __name__ == "__main__":
    with open_shop(int(sys.argv[1]) if len(sys.argv) > 1 else 8010) as address:
        print(f"The shop is open: {address}/cameras (Ctrl-C closes it)")
        try:
            Event().wait()
        except KeyboardInterrupt:
            print("Closed.")
