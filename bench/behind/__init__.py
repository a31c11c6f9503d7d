"""The data behind pages: what a list costs by the road without a browser, beside the browser, on ten served shops."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from rich.table import Column
from rich.table import Table as Sheet
from tests.sites.behind.apps import APPS, App, served

import sightline as sl
from bench.frame import Figure, Options, Outcome
from bench.processes import processor_seconds
from sightline.jobs import Progress
from sightline.navigate import Collection
from sightline.net import CrawlPolicy

__all__ = ["run"]

PAGES = 25
COMPARED = 3  # the page from which on the road is gone; what starting costs is before it
DEAREST = 900  # euros, so that no price is written in a way that the first two pages do not show
BY_ROAD = "data"
LEAST_FASTER = 10.0
NAMES = ("road ms", "browser ms", "faster", "CPU road ms", "CPU browser ms", "CPU faster", "all faster")


@dataclass(frozen=True)
class Cost:
    """Seconds on the wall and of processors: ours, those of the browser, and those of the shop."""

    wall: float
    cpu: float


@dataclass
class Watch:
    """Looks at the clocks when the list begins, at the third page, and at the last."""

    looks: list[Cost] = field(default_factory=lambda: [_look()])
    pages: int = 0

    def __call__(self, _: Progress) -> None:
        self.pages += 1
        if self.pages in (COMPARED, PAGES):
            self.looks.append(_look())

    @property
    def per_page(self) -> Cost:
        """What a page costs, once the list is under way."""
        _, early, late = self.looks
        count = PAGES - COMPARED
        return Cost((late.wall - early.wall) / count, (late.cpu - early.cpu) / count)

    @property
    def whole(self) -> float:
        """Seconds for the whole list, with the start of the browser."""
        return self.looks[-1].wall - self.looks[0].wall


@dataclass(frozen=True)
class Measured:
    """One shop, both ways."""

    app: App
    road: Watch
    browser: Watch
    is_right: bool

    @property
    def faster(self) -> Cost:
        """How many times faster a page is by the road."""
        road, browser = self.road.per_page, self.browser.per_page
        return Cost(browser.wall / road.wall, browser.cpu / road.cpu)


def run(options: Options) -> Outcome:
    """Collect every shop both ways."""
    _both(APPS[0], behind=True)  # what is imported and read once is in none of the figures
    found = [_measured(app) for app in APPS[: options.limit]]
    return Outcome(
        task="behind",
        peer="browser",
        corpora=(),
        figures=tuple(_figures(found)),
        remarks=(
            f"A page of 8 records, from the third of {PAGES} on; no pauses between requests.",
            "The shop runs in the same process, so its time counts for both ways. Where a button shows more, the "
            "browser's page grows with the list.",
        ),
        views=(_view(found),),
    )


def _figures(found: Sequence[Measured]) -> Iterator[Figure]:
    right = statistics.fmean(one.is_right for one in found)
    yield Figure.of("shops whose rows are the same both ways", right, 1.0, "higher", "share")
    by_road = [one for one in found if one.app.by_data]
    for name in ("wall", "cpu"):
        ours = statistics.median(1000 * getattr(one.road.per_page, name) for one in by_road)
        theirs = statistics.median(1000 * getattr(one.browser.per_page, name) for one in by_road)
        yield Figure.of(f"a page, {name}", ours, None, "lower", "ms", peer=theirs)
        times = [getattr(one.faster, name) for one in by_road]
        yield Figure.of(f"a page, {name}: times faster", statistics.median(times), LEAST_FASTER, "higher", "x")
        yield Figure.of(f"a page, {name}: times faster, the least", min(times), None, "higher", "x")
    whole = statistics.median(one.browser.whole / one.road.whole for one in by_road)
    yield Figure.of(f"{PAGES} pages with the start, wall: times faster", whole, None, "higher", "x")


def _measured(app: App) -> Measured:
    (road, fast), (browser, slow) = _both(app, behind=True), _both(app, behind=False)
    is_right = _rows(fast) == _rows(slow) and any(one.way == BY_ROAD for one in fast.pages) == app.by_data
    return Measured(app, road, browser, is_right)


def _both(app: App, *, behind: bool) -> tuple[Watch, Collection]:
    with served(app, PAGES, dearest=DEAREST) as shop:
        watch = Watch()
        policy = CrawlPolicy(delay=0)
        found = sl.collect(shop.start, policy=policy, pages=PAGES + 1, behind=behind, on_progress=watch)
        if len(found.records) != len(shop.records):
            raise SystemExit(f"bench: {app.name} gave {len(found.records)} of {len(shop.records)} records.")
    return watch, found


def _rows(found: Collection) -> list[tuple[str | None, ...]]:
    """What was collected, without addresses, which have another port each time."""
    rows = found.records.to_dicts()
    return [tuple(text for name, text in row.items() if name not in ("link", "image")) for row in rows]


def _look() -> Cost:
    return Cost(perf_counter(), processor_seconds())


def _view(found: Sequence[Measured]) -> Sheet:
    sheet = Sheet(
        Column("shop"),
        *(Column(name, justify="right") for name in NAMES),
        Column("rows"),
        title="a page by the road and in the browser",
    )
    for one in found:
        road, browser, faster = one.road.per_page, one.browser.per_page, one.faster
        sheet.add_row(
            one.app.name,
            f"{1000 * road.wall:.1f}",
            f"{1000 * browser.wall:.0f}",
            f"{faster.wall:.1f}",
            f"{1000 * road.cpu:.1f}",
            f"{1000 * browser.cpu:.0f}",
            f"{faster.cpu:.1f}",
            f"{one.browser.whole / one.road.whole:.1f}",
            "same" if one.is_right else "OTHER",
        )
    return sheet
