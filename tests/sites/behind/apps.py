"""Ten shops whose pages are made by programs from JSON, each with another way to ask for more of it.

`served(app)` runs one of them on the loopback interface:

    with served(BY_NAME["cursor"]) as shop:
        shop.start                  # the address of its list
        shop.records                # title and price of what it holds, as a page shows them
        shop.by_program             # what was asked for without a browser
"""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..._server import Request, Site, reply, serve_from_thread

__all__ = ["APPS", "BY_NAME", "App", "ServedApp", "served"]

PER_PAGE = 8
TOKEN = "tk-5f83a1c09e77"
FAMILIES = ("Summilux", "Nocticron", "Distagon", "Planar", "Tessar", "Heliar", "Biotar", "Sonnar", "Flektogon")

Answer = Callable[["Shelf", Request], bytes | None]


@dataclass(frozen=True)
class Shelf:
    """What a shop holds: so many pages, and no item dearer than so many euros, if that is said."""

    pages: int
    dearest: int | None = None

    @property
    def items(self) -> list[dict[str, Any]]:
        """Its items, as its programs know them."""
        most = 100 * self.dearest if self.dearest else 10**9
        return [_item(number, most) for number in range(1, self.pages * PER_PAGE + 1)]

    def on(self, page: int) -> list[dict[str, Any]]:
        """The items on a page, counted from 1."""
        return self.items[max(0, page - 1) * PER_PAGE : page * PER_PAGE]


def _item(number: int, dearest: int) -> dict[str, Any]:
    return {
        "id": 7000 + 13 * number,
        "name": f"{FAMILIES[number % 9]} {20 + number % 7 * 5} mm no. {number}",
        "price": {"amount": (4950 + number * 735) % dearest, "currency": "EUR"},
        "stock": number % 3 != 0,
        "maker": {"city": ("Jena", "Wetzlar", "Braunschweig", "Görlitz")[number % 4]},
        "added": f"2024-{number % 12 + 1:02}-{number % 27 + 1:02}",
        "internal": {"score": number * 17 % 101, "seller": f"s{number % 5}"},
    }


def shown(item: dict[str, Any]) -> tuple[str, str]:
    """The title and the price that a page shows of an item."""
    return item["name"], f"€{item['price']['amount'] / 100:.2f}"


# ---------------------------------------------------------------------- pages

STYLE = (
    "<style>ul{list-style:none;display:grid;grid-template-columns:1fr 1fr;gap:12px}li{border:1px solid #ccc}</style>"
)
CARD = """
function card(i){const li=document.createElement('li');li.className='card';
li.innerHTML='<h3><a href="/lens/'+i.id+'">'+i.name+'</a></h3><p class=price>€'+(i.price.amount/100).toFixed(2)+'</p>'+
'<p class=city>Made in '+i.maker.city+'</p><p class=stock>'+(i.stock?'In stock':'Sold out')+'</p>';
document.getElementById('list').append(li)}
"""


def page(script: str, *, below: str = "", head: str = "") -> bytes:
    """A page with an empty list that a script fills."""
    return reply(
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>Lenses</title>{STYLE}{head}</head><body>"
        f"<header><a href=/>Home</a> <a href=/about>About us</a></header><h1>Lenses</h1><ul id=list></ul>{below}"
        f"<footer>Kept by the keepers of lenses</footer><script>{CARD}{script}</script></body></html>".encode()
    )


def next_link(number: int, pages: int, address: str) -> str:
    """A pager that leads to the next page, if there is one."""
    on = f'<a class=next rel=next href="{address.format(number + 1)}">Next page</a>' if number < pages else ""
    return f"<p class=pager>Page {number} of {pages} {on}</p>"


def answer_json(data: Any, headers: dict[str, str] | None = None) -> bytes:
    """An answer for programs."""
    return reply(json.dumps(data).encode(), headers={"Content-Type": "application/json", **(headers or {})})


def more_button(request: str) -> bytes:
    """A page with a button that asks for more; the script sets `more` to null at the end."""
    return page(
        f"const button=document.getElementById('more');let more=null;{request}"
        "async function load(){const items=await ask();items.forEach(card);if(!more)button.remove()}"
        "button.onclick=load;load();",
        below="<button id=more>Load more</button>",
    )


# ---------------------------------------------------------------------- the ten


def rest_pages(shelf: Shelf, request: Request) -> bytes | None:
    """Numbered pages, each with its address; the script asks for the same number."""
    number = int(request.query.get("page", "1"))
    if request.path == "/api/items":
        return answer_json({"items": shelf.on(number), "page": number, "pages": shelf.pages})
    if request.path != "/list":
        return None
    ask = "fetch('/api/items?page='+(new URLSearchParams(location.search).get('page')||1)+'&size=8')"
    script = f"{ask}.then(r=>r.json()).then(d=>d.items.forEach(card))"
    return page(script, below=next_link(number, shelf.pages, "/list?page={}"))


def rest_offset(shelf: Shelf, request: Request) -> bytes | None:
    """A button that asks for the records behind those that are there."""
    if request.path == "/api/search":
        start, size = int(request.query["offset"]), int(request.query["limit"])
        return answer_json({"hits": {"total": len(shelf.items), "found": shelf.items[start : start + size]}})
    ask = (
        "let at=0;async function ask(){const d=await (await fetch('/api/search?q=lens&offset='+at+'&limit=8')).json();"
        "at+=8;more=at<d.hits.total;return d.hits.found}"
    )
    return more_button(ask) if request.path == "/list" else None


def cursor(shelf: Shelf, request: Request) -> bytes | None:
    """Each answer names the next one; the first request names none."""
    if request.path == "/v2/lenses":
        number = _mark_page(request.query.get("cursor", ""))
        following = _mark(number + 1) if number < shelf.pages else None
        return answer_json({"data": shelf.on(number), "paging": {"next_cursor": following}})
    ask = (
        "async function ask(){const on=more?'?cursor='+encodeURIComponent(more):'';"
        "const d=await (await fetch('/v2/lenses'+on)).json();"
        "more=d.paging.next_cursor;return d.data}"
    )
    return more_button(ask) if request.path == "/list" else None


def next_address(shelf: Shelf, request: Request) -> bytes | None:
    """The answer has the address of the next one."""
    if request.path == "/api/lenses/":
        number = _mark_page(request.query.get("view", ""))
        following = f"/api/lenses/?view={_mark(number + 1)}" if number < shelf.pages else None
        return answer_json({"count": len(shelf.items), "next": following, "results": shelf.on(number)})
    ask = "async function ask(){const d=await (await fetch(more||'/api/lenses/')).json();more=d.next;return d.results}"
    return more_button(ask) if request.path == "/list" else None


def link_header(shelf: Shelf, request: Request) -> bytes | None:
    """The next address stands in the header Link, and the answer is an array."""
    if request.path == "/lenses":
        number = _mark_page(request.query.get("from_mark", ""))
        on = {"Link": f'</lenses?from_mark={_mark(number + 1)}>; rel="next"'} if number < shelf.pages else {}
        return answer_json(shelf.on(number), on)
    ask = (
        "async function ask(){const r=await fetch(more||'/lenses');"
        "const l=/<([^>]*)>/.exec(r.headers.get('link')||'');more=l?l[1]:null;return await r.json()}"
    )
    return more_button(ask) if request.path == "/list" else None


QUERY = "query Lenses($first: Int!, $after: String) { lenses(first: $first, after: $after) { edges { node { id } } } }"


def graphql(shelf: Shelf, request: Request) -> bytes | None:
    """A query that is posted, and a list that grows when it is scrolled."""
    if request.path == "/graphql":
        variables = json.loads(request.body)["variables"]
        number = _mark_page(variables["after"] or "")
        end = _mark(number + 1)
        edges = [{"cursor": b64encode(str(item["id"]).encode()).decode(), "node": item} for item in shelf.on(number)]
        more = {"endCursor": end, "hasNextPage": number < shelf.pages}
        return answer_json({"data": {"lenses": {"edges": edges, "pageInfo": more}}})
    script = (
        "let after=null,busy=false,done=false;async function load(){if(busy||done)return;busy=true;"
        "const r=await fetch('/graphql',{method:'POST',headers:{'content-type':'application/json'},"
        f"body:JSON.stringify({{operationName:'Lenses',query:{json.dumps(QUERY)},variables:{{first:8,after}}}})}});"
        "const d=(await r.json()).data.lenses;d.edges.forEach(e=>card(e.node));after=d.pageInfo.endCursor;"
        "done=!d.pageInfo.hasNextPage;busy=false}"
        "addEventListener('scroll',()=>{if(innerHeight+scrollY>=document.body.scrollHeight-200)load()});load();"
    )
    tall = "<style>.card{min-height:320px}</style>"
    return page(script, head=tall) if request.path == "/list" else None


def next_like(shelf: Shelf, request: Request) -> bytes | None:
    """Pages made on the server, with their data beside them and in a file of its own."""
    number = int(request.query.get("page", "1"))
    props = {"pageProps": {"lenses": shelf.on(number), "page": number}, "__N_SSP": True}
    if request.path == "/_next/data/b7Kx/list.json":
        return answer_json(props)
    if request.path != "/list":
        return None
    held = json.dumps({"props": props, "page": "/list", "query": request.query, "buildId": "b7Kx"})
    below = next_link(number, shelf.pages, "/list?page={}")
    below += f"<script id=__NEXT_DATA__ type=application/json>{held}</script>"
    script = "JSON.parse(document.getElementById('__NEXT_DATA__').textContent).props.pageProps.lenses.forEach(card)"
    return page(script, below=below)


def state(shelf: Shelf, request: Request) -> bytes | None:
    """Pages whose state a script assigns, with numbers in their paths."""
    step, _, number = request.path.removeprefix("/lenses/").partition("/")
    if not request.path.startswith("/lenses/") or step != "page" or not number.isdecimal():
        return None
    held = json.dumps({"catalogue": {"byId": {str(one["id"]): one for one in shelf.on(int(number))}}})
    script = f"window.__STATE__={held};Object.values(window.__STATE__.catalogue.byId).forEach(card)"
    return page(script, below=next_link(int(number), shelf.pages, "/lenses/page/{}"))


def token(shelf: Shelf, request: Request) -> bytes | None:
    """Who asks without the header that the script sets gets nothing."""
    if request.path == "/secure/items":
        if request.headers.get("x-shop-token") != TOKEN:
            return reply(b'{"error": "who are you?"}', 401, {"Content-Type": "application/json"})
        number = int(request.query["p"])
        return answer_json({"list": shelf.on(number), "last": number >= shelf.pages})
    ask = (
        f"const headers={{'X-Shop-Token':'{TOKEN}'}};let p=0;"
        "async function ask(){p++;const r=await fetch('/secure/items?p='+p,{headers});"
        "const d=await r.json();more=!d.last;return d.list}"
    )
    return more_button(ask) if request.path == "/list" else None


def forbidden(shelf: Shelf, request: Request) -> bytes | None:
    """As the first one, but robots.txt closes what the script asks."""
    if request.path == "/robots.txt":
        return reply(b"User-agent: *\nDisallow: /api/\n", headers={"Content-Type": "text/plain"})
    return rest_pages(shelf, request)


def _mark(number: int) -> str:
    """A name of a page that nobody can guess."""
    return b64encode(f"lens:{number * 7919}".encode()).decode().rstrip("=")


def _mark_page(mark: str) -> int:
    return next((number for number in range(1, 2000) if _mark(number) == mark), 1) if mark else 1


def at_once(shelf: Shelf, request: Request) -> bytes | None:
    """All items come at once, and a button shows some more of them."""
    if request.path == "/all.json":
        return answer_json({"lenses": shelf.items})
    ask = (
        "let all=null,at=0;async function ask(){all=all||(await (await fetch('/all.json')).json()).lenses;"
        "const part=all.slice(at,at+8);at+=8;more=at<all.length;return part}"
    )
    return more_button(ask) if request.path == "/list" else None


# ---------------------------------------------------------------------- serving


@dataclass(frozen=True)
class App:
    """A shop, and whether its records can be had without a browser."""

    name: str
    answer: Answer
    start: str = "/list"
    by_data: bool = True


APPS = (
    App("rest-pages", rest_pages),
    App("rest-offset", rest_offset),
    App("cursor", cursor),
    App("next-address", next_address),
    App("link-header", link_header),
    App("graphql", graphql),
    App("next-like", next_like),
    App("state", state, "/lenses/page/1"),
    App("token", token),
    App("forbidden", forbidden, by_data=False),
)
AT_ONCE = App("at-once", at_once)
BY_NAME = {app.name: app for app in (*APPS, AT_ONCE)}


@dataclass(frozen=True)
class ServedApp:
    """A shop that runs."""

    site: Site
    start: str
    records: list[tuple[str, str]]

    @property
    def by_program(self) -> list[str]:
        """What was asked for by no browser, which says of each request what it is for."""
        return [
            one.target
            for one in self.site.requests
            if "sec-fetch-mode" not in one.headers and one.path != "/robots.txt"
        ]

    @property
    def by_browser(self) -> list[str]:
        """What the browser asked for."""
        return [one.target for one in self.site.requests if "sec-fetch-mode" in one.headers]


@contextmanager
def served(app: App, pages: int = 5, dearest: int | None = None) -> Iterator[ServedApp]:
    """Run a shop while the block runs."""
    shelf = Shelf(pages, dearest)

    async def answer(request: Request, writer: Any) -> None:
        writer.write(app.answer(shelf, request) or reply(b"not found", 404))
        await writer.drain()

    with serve_from_thread({}, otherwise=answer, bodies=True) as site:
        yield ServedApp(site, site.url(app.start), [shown(item) for item in shelf.items])
