"""The site of an observatory on this machine: `python atlas.py [PORT]`.

Its star atlas has 240 stars in 24 constellations, somewhere among 1,400 pages of logs and help, and a calendar without
end.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

CONSTELLATIONS = (
    *("Andromeda", "Aquarius", "Aquila", "Aries", "Auriga", "Bootes", "Cancer", "Carina", "Cassiopeia", "Centaurus"),
    *(
        "Cygnus",
        "Draco",
        "Gemini",
        "Hercules",
        "Hydra",
        "Leo",
        "Libra",
        "Lyra",
        "Orion",
        "Pegasus",
        "Perseus",
        "Taurus",
    ),
    *("Ursa Major", "Virgo"),
)
STARS_EACH = 10
NIGHTS = 1_000
HELP = 400
GREEK = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa")
STYLE = (
    "body { font: 16px/1.5 Georgia, serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: #222 }"
    "nav a { margin-right: 1rem } .facts td, .facts th { border-bottom: 1px solid #ddd; padding: .3rem .8rem }"
)


def page(title: str, content: str) -> str:
    """A page of the observatory, with its menu."""
    places = {"/": "Home", "/library": "Library", "/log": "Log", "/help/0": "Help", "/calendar/2026/1": "Calendar"}
    menu = "".join(f'<a href="{path}">{name}</a>' for path, name in places.items())
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
        f"<nav>{menu}</nav><h1>{title}</h1>{content}</html>"
    )


def home() -> str:
    """The front page."""
    return page(
        "Observatory", '<p>The sky every night.</p><ul class="news">' + _links("night", range(20), "Night") + "</ul>"
    )


def library() -> str:
    """The library, where the atlas is one of many things."""
    return page(
        "Library", f'<ul class="shelf">{_links("help", range(200, 240), "Leaflet")}<li><a href="/atlas">Atlas</a></ul>'
    )


def atlas() -> str:
    """The star atlas, by the seasons."""
    seasons = ("Spring", "Summer", "Autumn", "Winter")
    items = "".join(f'<li><a href="/season/{number}">{name}</a></li>' for number, name in enumerate(seasons))
    return page("Star atlas", f'<ul class="seasons">{items}</ul>')


def season(number: int) -> str:
    """The constellations of a season."""
    items = "".join(
        f'<li><a href="/sky/{place}">{CONSTELLATIONS[place]}</a></li>'
        for place in range(number, len(CONSTELLATIONS), 4)
    )
    return page(f"Season {number}", f'<ul class="sky">{items}</ul>')


def constellation(number: int) -> str:
    """A constellation, with its stars in a table."""
    stars = range(number * STARS_EACH, (number + 1) * STARS_EACH)
    rows = "".join(f'<tr><td><a href="/star/{star}">{star_name(star)}</a><td>{magnitude(star)}' for star in stars)
    return page(CONSTELLATIONS[number], f'<table class="stars"><tr><th>Star<th>Magnitude{rows}</table>')


def star(number: int) -> str:
    """A star: what the crawl of the demo looks for."""
    facts = {
        "Magnitude": magnitude(number),
        "Distance": f"{4 + number * 37 % 900} light years",
        "Class": "OBAFGKM"[number % 7],
    }
    rows = "".join(f"<tr><th>{name}<td>{value}" for name, value in facts.items())
    near = _links("night", ((number * 7 + step) % NIGHTS for step in range(3)), "Night")
    body = f'<table class="facts">{rows}</table><h2>Seen in</h2><ul class="nights">{near}</ul>'
    return page(star_name(number), body)


def night(number: int) -> str:
    """A night of the log; few name a star."""
    seen = f'<p>Best seen: <a href="/star/{number % 240}">{star_name(number % 240)}</a></p>' if number % 25 == 0 else ""
    others = _links("night", ((number * 3 + step) % NIGHTS for step in range(1, 5)), "Night")
    return page(f"Night {number}", f"<p>Clouds until ten, then clear.</p>{seen}<ul>{others}</ul>")


def help_page(number: int) -> str:
    """A page of help, which leads to others."""
    others = _links("help", (place % HELP for place in (number * 2 + 1, number * 2 + 2, number + 1)), "Topic")
    return page(f"Help topic {number}", f"<p>How to find your way.</p><ul>{others}</ul>")


def calendar(year: int, month: int) -> str:
    """A month of the calendar, which never ends."""
    before, after = divmod(year * 12 + month - 2, 12), divmod(year * 12 + month, 12)
    around = "".join(f'<a href="/calendar/{one[0]}/{one[1] + 1}">{one[1] + 1}/{one[0]}</a> ' for one in (before, after))
    return page(f"{month}/{year}", f'<p class="months">{around}</p><p>No events.</p>')


def star_name(number: int) -> str:
    """The name of a star."""
    return f"{GREEK[number % STARS_EACH]} {CONSTELLATIONS[number // STARS_EACH]}"


def magnitude(number: int) -> str:
    """How bright a star is."""
    return f"{(number * 29 % 60) / 10 - 1.4:.1f}"


def _links(kind: str, numbers: range | Iterator[int], name: str) -> str:
    return "".join(f'<li><a href="/{kind}/{number}">{name} {number}</a></li>' for number in numbers)


KINDS: dict[str, tuple[int, Callable[[int], str]]] = {
    "season": (4, season),
    "sky": (len(CONSTELLATIONS), constellation),
    "star": (len(CONSTELLATIONS) * STARS_EACH, star),
    "night": (NIGHTS, night),
    "help": (HELP, help_page),
}


def found(path: str) -> str | None:
    """The page at a path, if there is one."""
    kind, *numbers = path.strip("/").split("/")
    if not all(number.isdecimal() for number in numbers):
        return None
    if kind == "calendar" and len(numbers) == 2:
        return calendar(int(numbers[0]), int(numbers[1]))
    if kind in KINDS and len(numbers) == 1 and int(numbers[0]) < KINDS[kind][0]:
        return KINDS[kind][1](int(numbers[0]))
    log = page("Log", f'<ul class="log">{_links("night", range(0, NIGHTS, 10), "Night")}</ul>')
    return {"": home(), "atlas": atlas(), "library": library(), "log": log}.get(kind) if not numbers else None


class _Observatory(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body leave together; apart, the second waits for the receipt of the first

    def do_GET(self) -> None:
        """Answer a request."""
        content = found(self.path.partition("?")[0])
        body = (content or page("Not found", "<p>There is no such page.</p>")).encode()
        self.send_response(200 if content else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


@contextmanager
def open_atlas(port: int = 0) -> Iterator[str]:
    """The address of the site, which is open while the block runs; without a port it takes a free one."""
    server = ThreadingHTTPServer(("127.0.0.1", port), _Observatory)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


if __name__ == "__main__":
    with open_atlas(int(sys.argv[1]) if len(sys.argv) > 1 else 8020) as address:
        print(f"The observatory is open: {address}/ (Ctrl-C closes it)")
        try:
            Event().wait()
        except KeyboardInterrupt:
            print("Closed.")
