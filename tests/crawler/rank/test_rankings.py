"""What all rankings keep to, and what each is good for."""

from collections.abc import Callable, Sequence
from time import process_time

import pytest

from sightline.crawler.rank import RANKINGS, FoundLink, LearnedRanking, Ranking, VisitedPage, ranking_for
from sightline.sources import Anchor, PageOutline

ROOT = "https://shop.example"


class Walk:
    """A crawl through a site that is a function from a path to its links: pairs of path and place."""

    def __init__(self, ranking: Ranking, site: Callable[[str], Sequence[tuple[str, str]]]) -> None:
        self.ranking = ranking
        self.site = site
        self.likeness = 1.0  # of products
        self.waiting: dict[str, tuple[str, float, int, int]] = {"/": ("start", 0.0, 0, 0)}
        self.visited: list[str] = []

    def step(self) -> str:
        """Visit one page."""
        return self.step_with(is_product)

    def step_with(self, is_target: Callable[[str], bool]) -> str:
        """Visit one page; which pages are targets is told."""
        counts: dict[str, int] = {}
        for kind, *_ in self.waiting.values():
            counts[kind] = counts.get(kind, 0) + 1
        chosen = self.ranking.choose(counts)
        if chosen is None:
            path = min(self.waiting, key=lambda one: (self.waiting[one][3], self.waiting[one][2]))
        else:
            assert counts[chosen]
            path = max(
                (path for path, entry in self.waiting.items() if entry[0] == chosen),
                key=lambda one: (self.waiting[one][1], -self.waiting[one][2]),
            )
        kind, _, order, depth = self.waiting.pop(path)
        self.visited.append(path)
        found = [
            FoundLink(ROOT + to, Anchor(to, "", place), self.waiting[to][0] if to in self.waiting else None)
            for to, place in self.site(path)
            if to not in self.visited
        ]
        likeness = self.likeness * is_target(path)
        visit = VisitedPage(ROOT + path, PageOutline(), kind, depth, likeness >= 0.5, likeness, order)
        self.ranking.learn(visit, found)
        for link, placed in zip(found, self.ranking.place(visit, found), strict=True):
            if placed is not None:
                to = link.url.removeprefix(ROOT)
                known = self.waiting.get(to)
                number, deep = known[2:] if known else (len(self.visited) * 1000 + len(self.waiting), depth + 1)
                self.waiting[to] = (placed.kind, placed.score, number, deep)
        for url, score in self.ranking.rescored().items():
            path_there = url.removeprefix(ROOT)
            if path_there in self.waiting:
                kind, _, number, deep = self.waiting[path_there]
                self.waiting[path_there] = (kind, score, number, deep)
        return path

    def run(self, pages: int) -> list[str]:
        """Visit some pages."""
        while self.waiting and len(self.visited) < pages:
            self.step()
        return self.visited


def is_product(path: str) -> bool:
    """Whether a path is a target."""
    return path.startswith("/p/")


def shop(path: str) -> Sequence[tuple[str, str]]:
    """A shop: 30 categories in the menu, of which 3 have products; the others have news, which link to news."""
    menu = [(f"/c/{number}", "html/body/nav/ul/li") for number in range(30)]
    parts = path.strip("/").split("/")
    if parts[0] == "c":
        number = int(parts[1])
        kind = "p" if number % 10 == 7 else "n"
        menu += [(f"/{kind}/{number * 100 + item}", f"html/body/main/div.{kind}-list/h3") for item in range(40)]
    if parts[0] == "n":
        menu += [(f"/n/{(int(parts[1]) * 7 + item) % 3000}", "html/body/main/div.more") for item in range(8)]
    return menu


def test_ranking_for_unknown_name_says_which_there_are() -> None:
    """The error lists the names."""
    with pytest.raises(ValueError, match="learned, published, breadth"):
        ranking_for("best")


@pytest.mark.parametrize("name", RANKINGS)
def test_ranking_visits_every_page_once(name: str) -> None:
    """However it ranks, nothing is left out in the end, and nothing comes twice."""
    small = {"/": ["/a", "/b"], "/a": ["/c", "/b"], "/b": ["/"], "/c": ["/d"], "/d": []}
    visited = Walk(ranking_for(name), lambda path: [(to, "html/body/p") for to in small[path]]).run(100)
    assert sorted(visited) == sorted(small)


@pytest.mark.parametrize("name", RANKINGS)
def test_ranking_goes_on_after_a_stop(name: str) -> None:
    """Written down and read again in the middle, it visits the same pages in the same order."""
    whole = Walk(ranking_for(name), shop)
    whole.run(120)
    halved = Walk(ranking_for(name), shop)
    for _ in range(6):
        halved.run(len(halved.visited) + 20)
        halved.ranking = ranking_for(name, halved.ranking.dumps())
    assert halved.visited == whole.visited


def test_breadth_first_goes_by_depth() -> None:
    """Pages near the start come before those farther off, and among these, the first found first."""
    site = {"/": ["/a", "/b"], "/a": ["/c"], "/b": ["/d"], "/c": ["/e"], "/d": [], "/e": []}
    visited = Walk(ranking_for("breadth"), lambda path: [(to, "p") for to in site[path]]).run(10)
    assert visited == ["/", "/a", "/b", "/c", "/d", "/e"]


def test_learned_finds_all_nests_before_the_news() -> None:
    """Three nests of 40 products between 27 categories of news: all are found within a few pages more than needed."""
    visited = Walk(ranking_for("learned"), shop).run(200)
    assert sum(map(is_product, visited)) == 120


def test_learned_beats_breadth_first() -> None:
    """In as many pages, it finds several times as many targets."""
    found = {name: sum(map(is_product, Walk(ranking_for(name), shop).run(160))) for name in RANKINGS}
    assert found["learned"] >= 3 * max(1, found["breadth"])
    assert found["learned"] >= found["published"]


def test_learned_follows_what_is_somewhat_like_the_examples() -> None:
    """Where every page looked for falls a little short of what counts as one, the crawl still comes to them."""
    walk = Walk(ranking_for("learned"), shop)
    walk.likeness = 0.4
    assert sum(map(is_product, walk.run(200))) >= 100


def test_learned_keeps_up_with_breadth_first_where_all_is_near_the_front() -> None:
    """Where breadth-first finds nothing but targets, the crawl doesn't wander off to what the first pages link to."""

    def flat(path: str) -> Sequence[tuple[str, str]]:
        if path == "/":
            return [
                (f"/{'xyz'[item % 3]}{item}/p", f"html/body/div.{'xyz'[item % 3]}{item % 7}") for item in range(300)
            ]
        number = path.strip("/").split("/")[0][1:]
        return [(f"/far/{number}-{item}", f"html/body/main/i.s{number}/b.{item}") for item in range(20)]

    found = 0
    walk = Walk(ranking_for("learned"), flat)
    for pages in range(1, 201):
        path = walk.step_with(lambda one: one.endswith("/p"))
        found += path.endswith("/p")
        assert found >= 0.95 * (pages - 1) - 5


def test_learned_takes_addresses_of_examples_as_a_hint() -> None:
    """With the addresses of two products, the first product is found sooner or as soon."""
    plain = Walk(LearnedRanking(), shop).run(100)
    hinted = Walk(LearnedRanking(examples=[f"{ROOT}/p/701", f"{ROOT}/p/1702"]), shop).run(100)
    assert [is_product(path) for path in hinted].index(True) <= [is_product(path) for path in plain].index(True)


def test_learned_keeps_the_number_of_kinds_bounded() -> None:
    """Places and addresses without end do not fill the memory."""
    ranking = LearnedRanking()
    for page in range(300):
        visit = VisitedPage(f"{ROOT}/{page}", PageOutline(), "start", 1, is_target=False, likeness=0.0)
        links = [
            FoundLink(
                f"{ROOT}/{'abcdefghij'[page % 10] * 9}{item}?{chr(97 + item)}{page}=1",
                Anchor("", "", f"a/b.x{chr(97 + page % 26)}{page}q{item}/c.y{item}z{page}k"),
            )
            for item in range(20)
        ]
        ranking.learn(visit, links)
        ranking.place(visit, links)
    assert len(ranking.dumps()) < 3_000_000


def test_learned_is_quick_on_pages_with_many_links() -> None:
    """Ten times as many links that wait already take at most some twenty times as long."""
    ranking = LearnedRanking()
    visit = VisitedPage(ROOT, PageOutline(), "start", 1, is_target=False, likeness=0.0)

    def taken(count: int) -> float:
        links = [
            FoundLink(f"{ROOT}/c/{number}", Anchor("", "", "html/body/nav/ul/li"), None) for number in range(count)
        ]
        placed = ranking.place(visit, links)
        links = [link._replace(kind=there.kind) for link, there in zip(links, placed, strict=True) if there]
        began = process_time()
        for _ in range(20):
            ranking.learn(visit, links)
            ranking.place(visit, links)
        return process_time() - began

    few, many = (min(taken(count) for _ in range(3)) for count in (200, 2000))
    assert many < 20 * few + 0.05
