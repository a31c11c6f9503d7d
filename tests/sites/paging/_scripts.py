"""Lists that go on in the page itself: buttons, scrolling, rows that leave the page, forms, boxes to choose from."""

import json
from collections.abc import Callable

from ..._server import Request
from ._shop import Answer, Shop, SiteMaker, as_json, as_page

__all__ = [
    "form_post",
    "hash_pages",
    "infinite_observer",
    "infinite_scroll",
    "load_more",
    "load_more_counted",
    "load_more_link",
    "postback",
    "script_pages",
    "select_box",
    "virtual_box",
    "virtual_window",
]

Body = Callable[[Shop], str]


def _page_asked(shop: Shop, request: Request, key: str = "page") -> int | None:
    said = request.query.get(key, "1")
    return int(said) if said.isdecimal() and 1 <= int(said) <= shop.pages else None


def fed(start: str, feed: str, body: Body, *, html: bool = False) -> SiteMaker:
    """A site of one page, whose script asks `feed` for further rows: as JSON, or as a piece of HTML."""

    def make(shop: Shop) -> Answer:
        def answer(request: Request) -> bytes | None:
            if request.path == start:
                return shop.html(body(shop))
            page = _page_asked(shop, request) if request.path == feed else None
            if page is None:
                return None
            rows = shop.look.rows(shop.on(page))
            return as_page(rows) if html else as_json({"rows": rows, "last": page == shop.pages})

        return answer

    return make


def _list_with_id(shop: Shop, page: int = 1) -> str:
    before, after = shop.look.around
    named = before.replace(" ", ' id="rows" ', 1)
    return f"{named}{shop.look.rows(shop.on(page))}{after}"


# ---------------------------------------------------------------------- a button that loads more


def _more_button(shop: Shop) -> str:
    button = '<button id="more" class="btn" type="button">Load more</button>' if shop.pages > 1 else ""
    return (
        _list_with_id(shop)
        + f'<div class="p-4">{button}</div>'
        + """<script>
let page = 1;
const more = document.getElementById('more');
more?.addEventListener('click', async () => {
  more.disabled = true;
  const answer = await (await fetch('/feed/components?page=' + (++page))).json();
  document.getElementById('rows').insertAdjacentHTML('beforeend', answer.rows);
  if (answer.last) more.remove(); else more.disabled = false;
});
</script>"""
    )


load_more = fed("/browse", "/feed/components", _more_button)


def _counted_button(shop: Shop) -> str:
    total, shown = len(shop.records), len(shop.on(1))
    off = " disabled" if shop.pages == 1 else ""
    return (
        _list_with_id(shop)
        + f'<div class="lister-foot"><p>You have seen <span id="seen">{shown}</span> of {total} products</p>'
        + f'<div id="pull" role="button" tabindex="0" class="pill{off}">Show me more</div></div>'
        + f"""<script>
let page = 1;
const pull = document.getElementById('pull'), seen = document.getElementById('seen');
pull.addEventListener('click', async () => {{
  if (page >= {shop.pages}) return;
  const rows = await (await fetch('/ajax/grid?page=' + (++page))).text();
  const grid = document.querySelector('.product-grid');
  grid.insertAdjacentHTML('beforeend', rows);
  seen.textContent = grid.children.length;
  if (page === {shop.pages}) pull.classList.add('disabled');
}});
</script><style>.pill{{display:inline-block;padding:10px 30px;background:#333;color:#fff;cursor:pointer}}
.disabled{{opacity:.3;pointer-events:none}}</style>"""
    )


load_more_counted = fed("/collection", "/ajax/grid", _counted_button, html=True)


def load_more_link(shop: Shop) -> Answer:
    """A link that a script turns into a button: with scripts rows are added, without them the next page opens."""

    def answer(request: Request) -> bytes | None:
        page = _page_asked(shop, request) if request.path == "/new-in" else None
        if page is None:
            return None
        link = (
            f'<a class="show-more" href="/new-in?page={page + 1}">Show more products</a>' if page < shop.pages else ""
        )
        return shop.html(
            shop.list(page)
            + f'<p class="after-grid">{link}</p>'
            + """<script>
document.addEventListener('click', async event => {
  const link = event.target.closest('a.show-more');
  if (!link) return;
  event.preventDefault();
  const page = new DOMParser().parseFromString(await (await fetch(link.href)).text(), 'text/html');
  document.querySelector('.product-grid').append(...page.querySelectorAll('.product-card'));
  const next = page.querySelector('a.show-more');
  if (next) link.replaceWith(next); else link.remove();
});
</script>"""
        )

    return answer


# ---------------------------------------------------------------------- scrolling


def _observed(shop: Shop) -> str:
    return (
        _list_with_id(shop)
        + f"""<div id="sentinel">Loading …</div><script>
let page = 1, busy = false;
const end = document.getElementById('sentinel');
const watch = new IntersectionObserver(async seen => {{
  if (busy || !seen.some(one => one.isIntersecting)) return;
  if (page >= {shop.pages}) {{ watch.disconnect(); end.textContent = 'That was all.'; return; }}
  busy = true;
  const rows = await (await fetch('/stream?page=' + (++page))).text();
  document.getElementById('rows').insertAdjacentHTML('beforeend', rows);
  busy = false;
  watch.unobserve(end);
  watch.observe(end);
}}, {{ rootMargin: '150px' }});
watch.observe(end);
</script>"""
    )


infinite_observer = fed("/deals", "/stream", _observed, html=True)


def _scrolled(shop: Shop) -> str:
    return (
        _list_with_id(shop)
        + f"""<p id="state" style="height:40px"></p><script>
let page = 1, busy = false, timer = 0;
async function check() {{
  if (busy || page >= {shop.pages} || innerHeight + scrollY < document.documentElement.scrollHeight - 300) return;
  busy = true;
  document.getElementById('state').textContent = 'One moment …';
  const answer = await (await fetch('/api/fiction?page=' + (++page))).json();
  document.getElementById('rows').insertAdjacentHTML('beforeend', answer.rows);
  document.getElementById('state').textContent = '';
  busy = false;
  check();
}}
addEventListener('scroll', () => {{ clearTimeout(timer); timer = setTimeout(check, 60); }});
check();
</script>"""
    )


infinite_scroll = fed("/shelf", "/api/fiction", _scrolled)


def _virtual(start: str, feed: str, *, boxed: bool) -> SiteMaker:
    """A list that holds only the rows in view; the box around them, or the window, is scrolled."""

    def make(shop: Shop) -> Answer:
        def answer(request: Request) -> bytes | None:
            if request.path == start:
                return shop.html(_virtual_list(len(shop.records), feed, boxed=boxed))
            if request.path != feed:
                return None
            first, count = int(request.query["from"]), int(request.query["count"])
            return as_json([shop.look.row(record) for record in shop.records[first : first + count]])

        return answer

    return make


def _virtual_list(total: int, feed: str, *, boxed: bool) -> str:
    scroller = "document.getElementById('viewport')" if boxed else "null"
    box = "height:700px;overflow-y:auto;border:1px solid #ccc" if boxed else ""
    told = '<p id="range"></p>' if boxed else ""
    return f"""{told}<div id="viewport" style="{box}" tabindex="0">
<div id="spacer" style="position:relative;height:{total * 72}px"></div></div><script>
const ROW = 72, TOTAL = {total}, box = {scroller}, spacer = document.getElementById('spacer');
const known = new Map(), asked = new Set();
async function ask(chunk) {{
  if (asked.has(chunk)) return;
  asked.add(chunk);
  const rows = await (await fetch(`{feed}?from=${{chunk * 20}}&count=20`)).json();
  rows.forEach((row, place) => known.set(chunk * 20 + place, row));
  draw();
}}
function draw() {{
  const top = box ? box.scrollTop : Math.max(0, -spacer.getBoundingClientRect().top);
  const height = box ? box.clientHeight : innerHeight;
  const first = Math.max(0, Math.floor(top / ROW) - 2);
  const last = Math.min(TOTAL, Math.ceil((top + height) / ROW) + 2);
  for (let chunk = Math.floor(first / 20); chunk * 20 < last; chunk++) ask(chunk);
  for (const row of [...spacer.children]) if (row.dataset.at < first || row.dataset.at >= last) row.remove();
  const there = new Map([...spacer.children].map(row => [+row.dataset.at, row]));
  for (let at = first; at < last; at++) {{
    if (there.has(at) || !known.has(at)) continue;
    const row = document.createElement('div');
    row.dataset.at = at;
    row.style.cssText = `position:absolute;left:0;right:0;height:${{ROW}}px;overflow:hidden;top:${{at * ROW}}px`;
    row.innerHTML = known.get(at);
    spacer.insertBefore(row, [...spacer.children].find(other => +other.dataset.at > at) ?? null);
  }}
  const range = document.getElementById('range');
  if (range) range.textContent = `Rows ${{first + 1}}–${{last}} of ${{TOTAL}}`;
}}
(box ?? window).addEventListener('scroll', () => requestAnimationFrame(draw));
draw();
</script>"""


virtual_window = _virtual("/inventory", "/inventory/rows", boxed=False)
virtual_box = _virtual("/grid", "/grid/rows", boxed=True)


# ---------------------------------------------------------------------- pages that a script turns


def _turned(shop: Shop) -> str:
    buttons = "".join(f'<button data-page="{page}">{page}</button>' for page in range(1, shop.pages + 1))
    pager = f'<div class="turner">{buttons}<button data-page="next">Next</button></div>' if shop.pages > 1 else ""
    return (
        _list_with_id(shop)
        + pager
        + f"""<script>
let page = 1;
const buttons = [...document.querySelectorAll('.turner button')];
function mark() {{
  for (const one of buttons) {{
    one.disabled = one.dataset.page === 'next' ? page === {shop.pages} : +one.dataset.page === page;
  }}
}}
for (const one of buttons) one.addEventListener('click', async () => {{
  page = one.dataset.page === 'next' ? page + 1 : +one.dataset.page;
  document.getElementById('rows').innerHTML = await (await fetch('/fragment?page=' + page)).text();
  mark();
}});
mark();
</script>"""
    )


script_pages = fed("/titles", "/fragment", _turned, html=True)


def _hashed(shop: Shop) -> str:
    pages = json.dumps([shop.look.rows(shop.on(page)) for page in range(1, shop.pages + 1)], ensure_ascii=False)
    pages = pages.replace("</", "<\\/")
    numbers = "".join(f'<a href="#/page/{page}">{page}</a>' for page in range(1, shop.pages + 1))
    strip = f'<div class="seiten">Seite {numbers}</div>' if shop.pages > 1 else ""
    before, after = shop.look.around
    return f"""{before}<tbody id="zeilen"></tbody>{after}{strip}<script>
const seiten = {pages};
function zeige() {{
  const seite = +(location.hash.match(/\\d+/) ?? ['1'])[0];
  document.getElementById('zeilen').innerHTML = seiten[seite - 1] ?? '';
  document.querySelectorAll('.seiten a').forEach((one, at) => one.classList.toggle('aktiv', at + 1 === seite));
}}
addEventListener('hashchange', zeige);
zeige();
</script>"""


def hash_pages(shop: Shop) -> Answer:
    """All records are in the script; the part of the address behind # says which are shown."""

    def answer(request: Request) -> bytes | None:
        return shop.html(_hashed(shop)) if request.path == "/sortiment" else None

    return answer


# ---------------------------------------------------------------------- forms


def form_post(shop: Shop) -> Answer:
    """Buttons of a form that posts the number of the page; the address stays the same."""

    def answer(request: Request) -> bytes | None:
        if request.path != "/find":
            return None
        said = request.form.get("page", "1") if request.method == "POST" else "1"
        page = int(said) if said.isdecimal() and 1 <= int(said) <= shop.pages else 1
        buttons = "".join(
            f'<button name="page" value="{number}"{" disabled" if number == page else ""}>{number}</button>'
            for number in range(1, shop.pages + 1)
        )
        on = f'<button name="page" value="{page + 1}">Next page</button>' if page < shop.pages else ""
        form = f"""<form method="post" action="/find" class="result-pages">
<input type="hidden" name="q" value="fiction">{buttons}{on}<span>Page {page} of {shop.pages}</span></form>"""
        return shop.html(shop.list(page) + form)

    return answer


def postback(shop: Shop) -> Answer:
    """Links that make a script post a form, as one framework of old does for every list."""

    def answer(request: Request) -> bytes | None:
        if request.path != "/Lots.aspx":
            return None
        told = request.form.get("__EVENTARGUMENT", "Page$1").removeprefix("Page$")
        page = int(told) if told.isdecimal() and 1 <= int(told) <= shop.pages else 1
        cells = "".join(
            f"<td><span>{number}</span></td>"
            if number == page
            else f"<td><a href=\"javascript:__doPostBack('gvLots','Page${number}')\">{number}</a></td>"
            for number in range(1, shop.pages + 1)
        )
        strip = f"<table border=0><tr>{cells}</tr></table>" if shop.pages > 1 else ""
        return shop.html(f"""<form method="post" action="/Lots.aspx" id="aspnetForm">
<input type="hidden" name="__EVENTTARGET" id="__EVENTTARGET" value="">
<input type="hidden" name="__EVENTARGUMENT" id="__EVENTARGUMENT" value="">
<input type="hidden" name="__VIEWSTATE" value="dDwtMTA4NzU{page}NzA7Oz4=">{shop.list(page)}{strip}</form><script>
function __doPostBack(target, argument) {{
  const form = document.getElementById('aspnetForm');
  form.__EVENTTARGET.value = target;
  form.__EVENTARGUMENT.value = argument;
  form.submit();
}}
</script>""")

    return answer


def select_box(shop: Shop) -> Answer:
    """A box of all pages that goes to the one that is chosen."""

    def answer(request: Request) -> bytes | None:
        page = _page_asked(shop, request, "p") if request.path == "/catalogue/list" else None
        if page is None:
            return None
        options = "".join(
            f'<option value="{number}"{" selected" if number == page else ""}>Page {number}</option>'
            for number in range(1, shop.pages + 1)
        )
        choose = "location.href='/catalogue/list?p=' + this.value"
        box = f'<p>Go to <select name="p" onchange="{choose}">{options}</select></p>'
        return shop.html((box if shop.pages > 1 else "") + shop.list(page))

    return answer
