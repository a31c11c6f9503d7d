"""Lists that mislead: they loop, lie, repeat themselves, change while they are read, or stop in the middle."""

import itertools
from collections.abc import Callable
from dataclasses import replace

from ..._server import Request, redirect, reply
from ._links import MONTHS
from ._records import Record, records_of
from ._shop import Answer, Shop, SiteMaker

__all__ = [
    "beside_calendar",
    "beside_reviews",
    "busy_once",
    "counter_too_high",
    "counter_too_low",
    "empty_forever",
    "empty_last",
    "endless",
    "loops",
    "missing_next",
    "next_is_itself",
    "redirects_home",
    "repeats_last",
    "session_ids",
    "shifts",
    "sticky",
    "twins",
    "vanishes",
    "walled",
]

ByNumber = Callable[[int, Request], bytes | None]
LONGEST = 400  # pages after which even an endless site has nothing more, so that a run that fails the test ends


def numbered(path: str, page_of: Callable[[Shop], ByNumber], key: str = "page") -> SiteMaker:
    """A site that is asked for pages by their number and answers as it likes."""

    def make(shop: Shop) -> Answer:
        answered = page_of(shop)

        def answer(request: Request) -> bytes | None:
            said = request.query.get(key, "1")
            if request.path != path or not said.isdecimal() or not 1 <= int(said) <= LONGEST:
                return None
            return answered(int(said), request)

        return answer

    return make


def _pager(path: str, back: int | None, on: int | None, *, said: str = "", key: str = "page") -> str:
    before = f'<a class="prev" href="{path}?{key}={back}">Previous</a>' if back else ""
    after = f'<a class="next" href="{path}?{key}={on}">Next</a>' if on else ""
    return f'<div class="pager">{before} {said} {after}</div>'


def _loops(shop: Shop) -> ByNumber:
    def page_of(page: int, _: Request) -> bytes | None:
        if page > shop.pages:
            return None
        return shop.html(shop.list(page) + _pager("/specials", page - 1, page % shop.pages + 1))

    return page_of


def _next_is_itself(shop: Shop) -> ByNumber:
    def page_of(page: int, _: Request) -> bytes | None:
        if page > shop.pages:
            return None
        on = min(page + 1, shop.pages)
        arrows = f'<a href="/weekly?page={max(page - 1, 1)}">«</a> {page} <a href="/weekly?page={on}">»</a>'
        return shop.html(f'{shop.list(page)}<div class="seiten">{arrows}</div>')

    return page_of


def _repeats_last(shop: Shop) -> ByNumber:
    def page_of(page: int, _: Request) -> bytes:
        return shop.html(shop.list(min(page, shop.pages)) + _pager("/bargains", page - 1, page + 1))

    return page_of


def _redirects_home(shop: Shop) -> ByNumber:
    def page_of(page: int, _: Request) -> bytes:
        if page > shop.pages:
            return redirect("/all-parts")
        on = f'<a class="btn" href="/all-parts?page={page + 1}">Next page</a>'
        return shop.html(f'{shop.list(page)}<div class="p-4">{on}</div>')

    return page_of


def _empty_last(shop: Shop) -> ByNumber:
    def page_of(page: int, _: Request) -> bytes | None:
        if page > shop.pages + 1:
            return None
        on = page + 1 if page <= shop.pages else None
        rows = shop.list(page) if page <= shop.pages else "<p>There are no products on this page.</p>"
        return shop.html(rows + _pager("/clearance", page - 1, on))

    return page_of


def _empty_forever(shop: Shop) -> ByNumber:
    def page_of(page: int, _: Request) -> bytes:
        arrow = f'<p><a href="/hits?page={page + 1}" title="Next page">&gt;</a></p>'
        return shop.html(shop.look.list(shop.on(page)) + arrow)

    return page_of


def _missing_next(shop: Shop) -> ByNumber:
    def page_of(page: int, _: Request) -> bytes | None:
        return shop.html(shop.list(page) + _pager("/sale", page - 1, page + 1)) if page <= shop.pages else None

    return page_of


def _counted(path: str, says: Callable[[Shop, int], str]) -> SiteMaker:
    def page_of(shop: Shop) -> ByNumber:
        def one(page: int, _: Request) -> bytes | None:
            if page > shop.pages:
                return None
            on = page + 1 if page < shop.pages else None
            return shop.html(shop.list(page) + _pager(path, page - 1, on, said=says(shop, page)))

        return one

    return numbered(path, page_of)


def _too_low(shop: Shop, page: int) -> str:
    total = len(shop.records) if shop.pages == 1 else shop.per_page * (shop.pages // 2)
    return f"{shop.per_page * (page - 1) + 1}–{shop.per_page * (page - 1) + len(shop.on(page))} of {total} books"


loops = numbered("/specials", _loops)
next_is_itself = numbered("/weekly", _next_is_itself)
repeats_last = numbered("/bargains", _repeats_last)
redirects_home = numbered("/all-parts", _redirects_home)
empty_last = numbered("/clearance", _empty_last)
empty_forever = numbered("/hits", _empty_forever)
missing_next = numbered("/sale", _missing_next)
counter_too_high = _counted("/overview", lambda shop, page: f"Page {page} of {shop.pages + 4}")
counter_too_low = _counted("/paperbacks", _too_low)


# ---------------------------------------------------------------------- lists that change while they are read


def _shifts(shop: Shop) -> ByNumber:
    """After its second page was read for the first time, a new record is in front and all others move on by one."""
    shop.expected = list(shop.records)
    fresh = Record("Quince fruit crate", shop.look.trade.priced(31.5), f"{shop.look.trade.folder}99001", "Just in.")

    def page_of(page: int, _: Request) -> bytes | None:
        pages = -(-len(shop.records) // shop.per_page)
        if page > pages:
            return None
        answer = shop.html(shop.list(page) + _pager("/just-in", page - 1, page + 1 if page < pages else None))
        if page == 2 and not shop.extra:
            shop.extra.append(fresh)
            shop.records.insert(0, fresh)
        return answer

    return page_of


def _vanishes(shop: Shop) -> ByNumber:
    """After its second page was read, the very first record is sold: the first one of page 3 moves to page 2."""
    shop.expected = list(shop.records)
    sold: list[Record] = []

    def page_of(page: int, _: Request) -> bytes | None:
        if page > shop.pages:
            return None
        first = shop.per_page * (page - 1)
        said = f"Lots {first + 1}–{first + len(shop.on(page))} of {len(shop.records)}"
        on = page + 1 if page < shop.pages else None
        answer = shop.html(shop.list(page) + _pager("/auction", page - 1, on, said=said))
        if page == 2 and not sold:
            missed = shop.records[2 * shop.per_page]
            sold.append(shop.records.pop(0))
            shop.extra.append(missed)
            shop.expected = [record for record in shop.expected or [] if record != missed]
        return answer

    return page_of


def _sticky(shop: Shop) -> ByNumber:
    """One record is put in front of every page, as an advertisement would be."""

    def page_of(page: int, _: Request) -> bytes | None:
        if page > shop.pages:
            return None
        shown = [shop.records[0], *(record for record in shop.on(page) if record != shop.records[0])]
        return shop.html(shop.look.list(shown) + _pager("/picks", page - 1, page + 1 if page < shop.pages else None))

    return page_of


def twins(shop: Shop) -> Answer:
    """The first record of every page has the same title and price as the others of its place, but its own page."""
    model = shop.records[0]
    for place in range(0, len(shop.records), shop.per_page):
        shop.records[place] = replace(model, link=shop.records[place].link)

    def page_of(_: Shop) -> ByNumber:
        def one(page: int, _: Request) -> bytes | None:
            if page > shop.pages:
                return None
            return shop.html(shop.list(page) + _pager("/used", page - 1, page + 1 if page < shop.pages else None))

        return one

    return numbered("/used", page_of)(shop)


def _endless(shop: Shop) -> ByNumber:
    """There are always more records; what is expected are those of as many pages as a run may open."""
    every = records_of(shop.name, shop.look.trade, shop.per_page * LONGEST)
    shop.expected = list(every[: shop.per_page * shop.pages])
    shop.extra = list(every[shop.per_page * shop.pages :])
    shop.records = list(every)

    def page_of(page: int, _: Request) -> bytes:
        return shop.html(shop.list(page) + _pager("/firehose", page - 1, page + 1))

    return page_of


shifts = numbered("/just-in", _shifts)
vanishes = numbered("/auction", _vanishes)
sticky = numbered("/picks", _sticky)
endless = numbered("/firehose", _endless)


# ---------------------------------------------------------------------- what is beside a list


def beside_calendar(shop: Shop) -> Answer:
    """Beside the list is a calendar that never ends; its days list nothing."""

    def calendar(month: int) -> str:
        year, place = divmod(month, 12)
        days = "".join(
            ("<tr>" if day % 7 == 1 else "") + f'<td><a href="/agenda?day={year}-{place + 1}-{day}">{day}</a></td>'
            for day in range(1, 29)
        )
        return (
            f'<table class="agenda"><caption><a href="/agenda?m={month - 1}">‹</a> {MONTHS[place]} {year} '
            f'<a href="/agenda?m={month + 1}">Next ›</a></caption>{days}</table>'
        )

    def answer(request: Request) -> bytes | None:
        month = request.query.get("m", "24293")
        if request.path == "/agenda" and month.isdecimal():
            return shop.html("<p>Nothing planned yet.</p>", beside=calendar(int(month)))
        said = request.query.get("page", "1")
        if request.path != "/offers" or not said.isdecimal() or not 1 <= int(said) <= shop.pages:
            return None
        page = int(said)
        on = page + 1 if page < shop.pages else None
        return shop.html(shop.list(page) + _pager("/offers", page - 1, on), beside=calendar(24293))

    return answer


def beside_reviews(shop: Shop) -> Answer:
    """Beside the list are reviews with a pager of their own, which goes on longer than the list."""

    def answer(request: Request) -> bytes | None:
        said, reviewed = request.query.get("page", "1"), request.query.get("reviews", "1")
        if request.path != "/tools" or not (said + reviewed).isdecimal() or not 1 <= int(said) <= shop.pages:
            return None
        page, part = int(said), int(reviewed)
        numbers = " ".join(
            f"<strong>{number}</strong>" if number == page else f'<a href="/tools?page={number}">{number}</a>'
            for number in range(1, shop.pages + 1)
        )
        notes = "".join(f"<li>“Review no. {part * 3 + place}: would buy again.”</li>" for place in range(3))
        on = f'<a href="/tools?page={page}&reviews={part + 1}">Next</a>' if part < 30 else ""
        beside = f'<div class="stimmen"><ul>{notes}</ul><p class="pagination">{on}</p></div>'
        pager = f'<div class="blaettern">{numbers}</div>' if shop.pages > 1 else ""
        return shop.html(shop.list(page) + pager, beside=beside)

    return answer


# ---------------------------------------------------------------------- addresses and servers


def session_ids(shop: Shop) -> Answer:
    """Every link of every page has a session number that was never used before."""
    fresh = (f"{number * 0x9E3779B97F4A7C15_F39CC060 % 2**96:024x}" for number in itertools.count(7))

    def answer(request: Request) -> bytes | None:
        said = request.query.get("page", "1")
        if request.path != "/list.do" or not said.isdecimal() or not 1 <= int(said) <= shop.pages:
            return None
        page = int(said)
        links = [
            f"<b>{number}</b>" if number == page else f'<a href="/list.do?sid={next(fresh)}&page={number}">{number}</a>'
            for number in range(1, shop.pages + 1)
        ]
        if page < shop.pages:
            links.append(f'<a href="/list.do?sid={next(fresh)}&page={page + 1}">Next</a>')
        return shop.html(f"{shop.list(page)}<p>{' '.join(links)}</p>")

    return answer


def _busy_once(shop: Shop) -> ByNumber:
    """One of its pages is too much at first; a second later it is there."""
    refused: list[int] = []

    def page_of(page: int, _: Request) -> bytes | None:
        if page > shop.pages:
            return None
        if page == min(2, shop.pages) and not refused:
            refused.append(page)
            return reply(b"Too many requests", 429, {"Retry-After": "1"})
        return shop.html(shop.list(page) + _pager("/popular", page - 1, page + 1 if page < shop.pages else None))

    return page_of


def _walled(shop: Shop) -> ByNumber:
    """From the middle on one has to log in."""
    wall = shop.pages // 2 + 1 if shop.pages > 1 else 2
    shop.expected = shop.records[: shop.per_page * (wall - 1)]

    def page_of(page: int, _: Request) -> bytes | None:
        if page > shop.pages:
            return None
        if page >= wall:
            return redirect(f"/login?next=/members%3Fpage%3D{page}")
        return shop.html(shop.list(page) + _pager("/members", page - 1, page + 1 if page < shop.pages else None))

    return page_of


busy_once = numbered("/popular", _busy_once)


def walled(shop: Shop) -> Answer:
    """A list whose second half is for members."""
    inside = numbered("/members", _walled)(shop)
    form = """<form method="post" action="/login"><h2>Log in to see more</h2>
<label>E-mail <input type="email" name="mail"></label> <label>Password <input type="password" name="password"></label>
<button>Log in</button></form>"""

    def answer(request: Request) -> bytes | None:
        return shop.html(form) if request.path == "/login" else inside(request)

    return answer
