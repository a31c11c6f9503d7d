"""Traps: what is cut off, and what is not."""

import itertools
from collections.abc import Iterable

import pytest

from sightline.crawler._traps import SeenPage, Trap, Traps

SITE = "https://example.org"


def page(
    path: str, *, leads: Iterable[str] = (), links: Iterable[str] = (), content: bytes = b"", target: bool = False
) -> SeenPage:
    """A visited page."""
    own = tuple(SITE + link for link in links)
    return SeenPage(SITE + path, content, "skeleton", own, tuple(SITE + lead for lead in leads), is_target=target)


def learned(traps: Traps, pages: Iterable[SeenPage]) -> list[Trap]:
    """Visit pages; the traps that they made certain."""
    return [trap for one in pages for trap in traps.learn(one)]


def test_closed_knows_paths_in_circles() -> None:
    """A stretch of a path three times in a row is a circle; twice is not, and neither are alike names."""
    traps = Traps(focused=False)
    assert traps.closed(f"{SITE}/a/b/a/b/a/b/")
    assert traps.closed(f"{SITE}/x/x/x/y.html")
    assert traps.closed(f"{SITE}/a/b/a/b/c") is None
    assert traps.closed(f"{SITE}/1/11/111/1111") is None


def test_closed_knows_endless_depth() -> None:
    """Paths beyond any that people make are closed."""
    traps = Traps(focused=False)
    assert traps.closed(SITE + "".join(f"/{number}" for number in range(25)))
    assert traps.closed(SITE + "".join(f"/{number}" for number in range(12))) is None


def test_depth_without_gain_is_cut_off() -> None:
    """Deep pages below one place that lead only deeper are cut off after some; those elsewhere stay open."""
    traps = Traps(focused=True)
    deep = [f"/maze/a{'/x' + str(number) * 3}/1/2/3/4/5/6/7/8" for number in range(30)]
    found = learned(traps, (page(path, leads=[f"{path}/9"]) for path in deep))
    assert [trap.what for trap in found] == ["depth"]
    assert traps.closed(f"{SITE}/maze/a/x/1/2/3/4/5/6/7/8/9")
    assert traps.closed(f"{SITE}/docs/a/x/1/2/3/4/5/6/7/8/9") is None


def test_depth_with_targets_stays_open() -> None:
    """However deep they lie, pages that are looked for keep their surroundings open."""
    traps = Traps(focused=True)
    deep = (page(f"/shop/a/{number}/1/2/3/4/5/6/7/8", target=number % 5 == 0) for number in range(100))
    assert learned(traps, deep) == []


def test_calendar_is_cut_off() -> None:
    """Days of a calendar that lead to further days only are cut off; the other pages of the site are not."""
    traps = Traps(focused=True)
    days = [f"/calendar/2024/{month:02}/{day:02}" for month in range(1, 4) for day in range(1, 29)]
    found = learned(traps, (page(day, leads=[days[(place + 1) % len(days)]]) for place, day in enumerate(days)))
    assert [trap.what for trap in found] == ["calendar"]
    assert traps.closed(f"{SITE}/calendar/2031/05/07")
    assert traps.closed(f"{SITE}/news/2031/05/07") is None


def test_calendar_far_ahead_is_cut_off_at_once() -> None:
    """Three months of a year to come long after now are enough."""
    traps = Traps(focused=True)
    months = [
        page(f"/events?month=2199-{month:02}", leads=[f"/events?month=2199-{month + 1:02}"], content=b"%d" % month)
        for month in (1, 2, 3)
    ]
    assert [trap.what for trap in learned(traps, months)] == ["calendar"]


def test_archive_of_articles_stays_open() -> None:
    """Pages of days that lead to articles are no trap."""
    traps = Traps(focused=False)
    days = (
        page(f"/archive/2024/{day // 28 + 1:02}/{day % 28 + 1:02}", leads=[f"/article-{day}"]) for day in range(100)
    )
    assert learned(traps, days) == []


def test_session_parameter_is_ignored() -> None:
    """A parameter whose value is all that differs between pages names the visit; addresses count without it."""
    traps = Traps(focused=False)
    pages = [
        page(f"/p{number}?sid={name}", content=f"<a href='/next?sid={name}'>page {number}".encode())
        for number in (1, 2, 3)
        for name in ("aaaaaa1", "bbbbbb2")
    ]
    assert [(trap.what, trap.parameter) for trap in learned(traps, pages)] == [("session", "sid")]
    assert traps.plain(f"{SITE}/p9?x=1&sid=cccccc3") == f"{SITE}/p9?x=1"


def test_parameter_that_changes_nothing_is_ignored() -> None:
    """Addresses with the same bytes that differ in one parameter alone, three times: it changes nothing."""
    traps = Traps(focused=False)
    copies = [(f"{SITE}/p{number}?x=1&from=menu", f"{SITE}/p{number}?x=1") for number in range(3)]
    assert [bool(traps.copy(*pair)) for pair in copies] == [False, False, True]
    assert traps.plain(f"{SITE}/p9?from=list&x=1") == f"{SITE}/p9?x=1"
    assert traps.copy(f"{SITE}/a?x=1&y=2", f"{SITE}/a") is None


def test_name_of_an_article_is_no_session() -> None:
    """A parameter that names what is shown changes what is shown."""
    traps = Traps(focused=False)
    pages = (page(f"/read?article=number-{number}", content=f"article {number} says".encode()) for number in range(50))
    assert learned(traps, pages) == []


def test_sorting_parameter_is_ignored() -> None:
    """A parameter that shows the same words in another order is a view; one that shows others is not."""
    goods = [f"<li>Camera {number} for {number}99 euros" for number in range(20)]
    traps = Traps(focused=False)
    views = [" ".join(goods), " ".join(reversed(goods)), " ".join(sorted(goods)), " ".join(goods[5:] + goods[:5])]
    pages = [page(f"/goods?sort={number}", content=view.encode()) for number, view in enumerate(views)]
    assert [(trap.what, trap.parameter) for trap in learned(traps, pages)] == [("view", "sort")]


def test_parameter_that_names_a_page_is_no_view() -> None:
    """Pages of a list, and a shop whose pages all have one path and one menu, are told apart by their words."""
    traps = Traps(focused=False)
    menu = " ".join(f"<a href=/index.php?id={number}>Part {number}</a>" for number in range(30))
    links = [f"/index.php?id={number}" for number in range(30)]
    pages = (page(f"/index.php?id={one}", content=f"{menu} good {one}".encode(), links=links) for one in range(60))
    assert learned(traps, pages) == []


@pytest.mark.parametrize("base", ["/goods", "/index.php?view=goods&id=5"])
def test_combined_filters_are_cut_off(base: str) -> None:
    """Filters in every combination that show nothing new are cut off, and nothing else of their page or path."""
    filters = {"colour": ("red", "blue", "green"), "size": ("s", "m", "l"), "brand": ("ann", "bea", "cleo")}
    chosen = itertools.product(*([None, *values] for values in filters.values()))
    asked = ["&".join(f"{name}={value}" for name, value in zip(filters, some, strict=True) if value) for some in chosen]
    every = [f"{base}{'&' if '?' in base else '?'}{query}" if query else base for query in asked]
    known = {SITE + path for path in every}
    traps = Traps(focused=True, known=known.__contains__)
    for path in every:
        traps.note(SITE + path)
    goods = [f"/good-{number}" for number in range(20)]
    found = learned(traps, (page(path, links=goods, content=path.encode()) for path in every))
    assert "filters" in [trap.what for trap in found]
    assert traps.closed(f"{SITE}{every[-1]}")
    assert traps.closed(f"{SITE}/index.php?view=story&id=9") is None
    assert traps.closed(f"{SITE}/index.php?view=goods&id=6") is None


def test_pages_named_by_two_parameters_are_no_filters() -> None:
    """Threads of a forum have two parameters as well, but a number each."""
    traps = Traps(focused=True)
    every = [f"/thread?forum={number % 5}&id={number}" for number in range(100)]
    for path in every:
        traps.note(SITE + path)
    assert learned(traps, (page(path, links=["/", f"/user-{place}"]) for place, path in enumerate(every))) == []
