"""Lists whose pages have addresses: next links, numbers, words, arrows, pictures, strips, and 'view all'."""

import hashlib
import string
from collections.abc import Callable
from dataclasses import replace

from ..._server import Request, redirect
from ._records import Record
from ._shop import Answer, Shop, SiteMaker, window

__all__ = [
    "archive_pager",
    "arrow_pager",
    "by_path",
    "by_query",
    "cursors",
    "german_pager",
    "image_pager",
    "japanese_pager",
    "letters",
    "months",
    "number_pager",
    "numbers_of",
    "offset_pager",
    "paged",
    "path_pager",
    "rel_head",
    "rel_pager",
    "view_all",
]

Number = Callable[[Shop, Request], int | None]
Pager = Callable[[Shop, int], str]
FAMILIES = (
    *("Abbot", "Baxter", "Castell", "Doyle", "Everett", "Finch", "Gould", "Hale", "Ingram", "Joyce", "Kerr", "Lowell"),
    *("Marsh", "Nash", "Osborne", "Pike", "Quinn", "Rowe", "Sayers", "Thorne", "Underhill", "Vance", "Walsh"),
    *("Xavier", "Yates", "Zeller"),
)
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November"),
    "December",
)


def paged(number: Number, pager: Pager, head: Pager = lambda _shop, _page: "") -> SiteMaker:
    """A site whose pages have numbers that the address tells; beyond the last there is nothing."""

    def make(shop: Shop) -> Answer:
        def answer(request: Request) -> bytes | None:
            page = number(shop, request)
            if page is None or not 1 <= page <= shop.pages:
                return None
            return shop.html(shop.list(page) + pager(shop, page), head=head(shop, page))

        return answer

    return make


def by_query(path: str, key: str, *, scale: bool = False, base: int = 1) -> Number:
    """The number is a parameter of the address, or with `scale` that of records before the page."""

    def number(shop: Shop, request: Request) -> int | None:
        said = request.query.get(key, "0" if scale else str(base))
        if request.path != path or not said.isdecimal():
            return None
        return int(said) // shop.per_page + 1 if scale else int(said) + 1 - base

    return number


def by_path(path: str, form: str) -> Number:
    """The number is a part of the path: `/list/page/{}/`."""

    def number(shop: Shop, request: Request) -> int | None:
        paths = {form.format(page): page for page in range(1, shop.pages + 1)}
        return 1 if request.path == path else paths.get(request.path)

    return number


# ---------------------------------------------------------------------- pagers


def rel_head(_shop: Shop, page: int) -> str:
    """The neighbours of a page, for machines."""
    before = f'<link rel="prev" href="/home-goods?page={page - 1}">' if page > 1 else ""
    after = f'<link rel="next" href="/home-goods?page={page + 1}">' if page < _shop.pages else ""
    return before + after


def rel_pager(shop: Shop, page: int) -> str:
    """Numbers, and a next link that says so in its `rel`."""
    if shop.pages == 1:
        return ""
    entries = [
        "<li><span>…</span></li>"
        if number is None
        else f'<li class="active"><span>{number}</span></li>'
        if number == page
        else f'<li><a href="/home-goods?page={number}">{number}</a></li>'
        for number in window(page, shop.pages)
    ]
    if page < shop.pages:
        entries.append(f'<li><a rel="next" href="/home-goods?page={page + 1}">Next ›</a></li>')
    return f'<ul class="pagination">{"".join(entries)}</ul>'


def number_pager(shop: Shop, page: int) -> str:
    """Nothing but numbers, of which the page's own is no link."""
    links = [
        "…" if number is None else f"<b>{number}</b>" if number == page else f'<a href="/lots?pg={number}">{number}</a>'
        for number in window(page, shop.pages, around=3)
    ]
    first, last = shop.per_page * (page - 1) + 1, min(shop.per_page * page, len(shop.records))
    return f"<p><font size=2>Lots {first} - {last} of {len(shop.records)}</font></p><p>{' '.join(links)}</p>"


def german_pager(shop: Shop, page: int) -> str:
    """`zurück` and `weiter`, and where one is."""
    back = f'<a href="/artikel?seite={page - 1}">« zurück</a>' if page > 1 else ""
    on = f'<a href="/artikel?seite={page + 1}">weiter »</a>' if page < shop.pages else ""
    return f'<div class="blaettern">{back} <span>Seite {page} von {shop.pages}</span> {on}</div>'


def japanese_pager(shop: Shop, page: int) -> str:
    """前へ and 次へ around numbers."""
    if shop.pages == 1:
        return ""
    back = f'<a href="/ichiran?p={page - 1}">前へ</a>' if page > 1 else "<span>前へ</span>"
    on = f'<a href="/ichiran?p={page + 1}">次へ</a>' if page < shop.pages else "<span>次へ</span>"
    numbers = "".join(
        "<span>…</span>"
        if number is None
        else f"<span>{number}</span>"
        if number == page
        else f'<a href="/ichiran?p={number}">{number}</a>'
        for number in window(page, shop.pages)
    )
    return f'<div class="pagenavi">{back}{numbers}{on}</div>'


def arrow_pager(shop: Shop, page: int) -> str:
    """One arrow back and one on, each alone; at the ends they are greyed out."""
    back = f'<a href="/components/list?page={page - 1}">‹</a>' if page > 1 else '<span class="text-sm">‹</span>'
    on = f'<a href="/components/list?page={page + 1}">›</a>' if page < shop.pages else '<span class="text-sm">›</span>'
    return f'<div class="flex gap-4 p-4">{back}{on}</div>'


def image_pager(shop: Shop, page: int) -> str:
    """Buttons that are pictures without a text."""
    back = f'<a href="/catalogue.php?pageno={page - 1}"><img src="/i/btn_prev.svg" alt=""></a>' if page > 1 else ""
    on = ""
    if page < shop.pages:
        on = f'<a href="/catalogue.php?pageno={page + 1}"><img src="/i/btn_next.svg" alt=""></a>'
    return f'<div align="center">{back} &nbsp; {on}</div>'


def offset_pager(shop: Shop, page: int) -> str:
    """Numbers whose addresses count records, as search engines do, and the range that is shown."""
    if shop.pages == 1:
        return f'<p class="count">{len(shop.records)} titles</p>'
    size, first = shop.per_page, shop.per_page * (page - 1)
    cells = "".join(
        f'<td class="cur">{number}</td>'
        if number == page
        else f'<td><a href="/fiction?sort=title&start={(number - 1) * size}">{number}</a></td>'
        for number in range(max(1, page - 5), min(shop.pages, page + 4) + 1)
    )
    on = f'<td><a href="/fiction?sort=title&start={first + size}">More results</a></td>' if page < shop.pages else ""
    shown = f"{first + 1}–{min(first + size, len(shop.records))} of {len(shop.records)} titles"
    return f'<p class="count">{shown}</p><table class="foot"><tr>{cells}{on}</tr></table>'


def path_pager(shop: Shop, page: int) -> str:
    """Pages as folders: `/shop/page/2/`."""
    if shop.pages == 1:
        return ""

    def link(number: int, said: str, name: str) -> str:
        href = "/shop/" if number == 1 else f"/shop/page/{number}/"
        return f'<a class="{name}" href="{href}">{said}</a>'

    numbers = [
        '<span class="dots">…</span>'
        if number is None
        else f'<span class="page-numbers current">{number}</span>'
        if number == page
        else link(number, str(number), "page-numbers")
        for number in window(page, shop.pages, around=1)
    ]
    back = link(page - 1, "←", "prev page-numbers") if page > 1 else ""
    on = link(page + 1, "→", "next page-numbers") if page < shop.pages else ""
    return f'<nav class="shop-pagination">{back}{"".join(numbers)}{on}</nav>'


def archive_pager(shop: Shop, page: int) -> str:
    """As blogs have it: what is older comes later."""
    address = "/" if page == 2 else f"/archive/{page - 1}"
    newer = f'<span class="alignright"><a href="{address}">Newer posts →</a></span>' if page > 1 else ""
    older = f'<span class="alignleft"><a href="/archive/{page + 1}">← Older posts</a></span>'
    return f'<div class="navigation">{older if page < shop.pages else ""}{newer}</div>'


# ---------------------------------------------------------------------- sites that are more than a pager


def cursors(shop: Shop) -> Answer:
    """Each page is named by the last record before it; only the next one is linked."""
    marks = {hashlib.sha256(shop.on(page)[-1].link.encode()).hexdigest()[:14]: page for page in range(1, shop.pages)}
    by_page = {page: mark for mark, page in marks.items()}

    def answer(request: Request) -> bytes | None:
        if request.path != "/stock":
            return None
        mark = request.query.get("after")
        if mark is not None and mark not in marks:
            return None
        page = marks[mark] + 1 if mark else 1
        on = f'<a class="btn" href="/stock?after={by_page[page]}">Next</a>' if page < shop.pages else ""
        start = '<a class="btn" href="/stock">Back to start</a>' if page > 1 else ""
        return shop.html(shop.list(page) + f'<div class="flex gap-4 p-4">{start}{on}</div>')

    return answer


def numbers_of(shop: Shop, count: int) -> list[list[Record]]:
    """All records in so many groups of unequal size, none of them empty."""
    cuts = [round(len(shop.records) * (place + 0.3 * (place % 2)) / count) for place in range(count)]
    return [list(shop.records[start:stop]) for start, stop in zip(cuts, [*cuts[1:], len(shop.records)], strict=True)]


def letters(shop: Shop) -> Answer:
    """A strip from A to Z; letters without records are no links, and the first letter with any is the start."""
    used = [FAMILIES[place * len(FAMILIES) // shop.pages] for place in range(shop.pages)]
    groups = [
        [replace(record, title=f"{family}: {record.title}") for record in group]
        for family, group in zip(used, numbers_of(shop, shop.pages), strict=True)
    ]
    shop.records = [record for group in groups for record in group]
    by_letter = {family[0]: group for family, group in zip(used, groups, strict=True)}

    def answer(request: Request) -> bytes | None:
        letter = request.query.get("letter", used[0][0])
        if request.path != "/directory" or letter not in by_letter:
            return None
        strip = "".join(
            f'<strong class="az-here">{one}</strong>'
            if one == letter
            else f'<a class="az" href="/directory?letter={one}">{one}</a>'
            if one in by_letter
            else f'<span class="az-none">{one}</span>'
            for one in string.ascii_uppercase
        )
        return shop.html(f'<div class="az-strip">{strip}</div>{shop.look.list(by_letter[letter])}')

    return answer


def months(shop: Shop) -> Answer:
    """A strip of months, the latest first, which is also the start."""
    named = [(f"/sales/{2024 - back // 12}/{12 - back % 12:02}", 11 - back % 12, 2024 - back // 12)
             for back in range(shop.pages)]  # fmt: skip
    by_path = dict(zip((path for path, _, _ in named), numbers_of(shop, shop.pages), strict=True))

    def answer(request: Request) -> bytes | None:
        path = named[0][0] if request.path == "/sales" else request.path
        if path not in by_path:
            return None
        strip = "".join(
            f"<li><em>{MONTHS[month]} {year}</em></li>"
            if one == path
            else f'<li><a href="{one}">{MONTHS[month]} {year}</a></li>'
            for one, month, year in named
        )
        return shop.html(f'<ul class="by-month">{strip}</ul>{shop.look.list(by_path[path])}')

    return answer


def view_all(shop: Shop) -> Answer:
    """Numbers, and a link to all records on one page."""

    def answer(request: Request) -> bytes | None:
        if request.path == "/everything":
            return shop.html(shop.look.list(shop.records) + '<p class="tools"><a href="/range">Show in pages</a></p>')
        said = request.query.get("page", "1")
        if request.path != "/range" or not said.isdecimal() or not 1 <= int(said) <= shop.pages:
            return redirect("/range") if request.path == "/range/" else None
        page = int(said)
        numbers = " | ".join(
            str(number) if number == page else f'<a href="/range?page={number}">{number}</a>'
            for number in range(1, shop.pages + 1)
        )
        tools = f'<p class="tools">{numbers} <a href="/everything">View all {len(shop.records)} products</a></p>'
        return shop.html((tools if shop.pages > 1 else "") + shop.list(page))

    return answer
