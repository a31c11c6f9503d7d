"""A shop made from a seed: 10,000 pages, 5 % of them products in nests that lie far apart, and traps without end.

Every page is made from its address when it is asked for. The seed chooses the layout as well: the addresses, the names
of the classes, and where the shelves of products hang.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from urllib.parse import parse_qsl, urlsplit

__all__ = ["Shop"]

PAGES, PRODUCTS, NESTS = 10_000, 500, 12
ITEMS_ON_A_PAGE, RELATED = 20, 6
PRINTABLE, RECOMMENDING = 0.2, 0.15  # shares of the pages whose addresses also come with a session
SORTS, COLOURS = ("price", "name", "rating", "newest"), ("red", "blue", "green", "black", "white", "brown")
WORDS = tuple(
    """
    alder amber anchor apple arch arrow ash autumn badge barn basin beacon bell birch blade bloom board bolt bottle
    branch brass brick bridge brook brush bucket cabin cable candle canvas cedar chair chalk charm chest cloud
    clover coast copper coral corner cotton cove cradle crane creek crown crystal dawn delta desk dial dove dune
    eagle echo elm ember engine falcon feather fern field finch flame flint forest forge fox frame frost garden gate
    glass glen globe grain granite grove hammer harbor hawk hazel heath hill hollow honey horn ink iris iron island
    ivory ivy jade jasper jewel juniper kettle key kiln lake lamp lantern lark laurel leaf ledge lens lily lime
    linen lodge loom lotus magnet maple marble marsh meadow mill mint mirror mist moon moss nest north oak oasis
    ocean olive onyx opal orchard otter paddle palm paper path peak pearl pebble pepper pine planet plum pond poplar
    prairie quarry quartz quill rain raven reed ridge river robin rope rose saddle sage sand satin scarf shell shore
    silk silver sky slate snow south spark spruce star stone storm stream summit sun swan table thistle thorn timber
    tower trail tulip valley velvet violet walnut wave wheat willow wind winter wolf wood wool wren yarn zephyr
    """.split()  # noqa: SIM905 - a list of them fills four screens
)

Answer = tuple[int, dict[str, str], bytes]


@dataclass(frozen=True)
class Section:
    """A part of the site: `kind` is products, blog, forum, guides or help; `items` are the numbers of its pages."""

    number: int
    kind: str
    name: str
    items: range
    parent: int | None = None
    in_menu: bool = True


@dataclass(frozen=True)
class Style:
    """How the pages of a shop are written: the form of its addresses and the names of its classes."""

    item: dict[str, str]
    section: str
    page: str
    box: str
    card: str
    striped: bool


STYLES = (
    Style(
        {"products": "/p/{number}-{slug}", "blog": "/blog/{slug}-{number}", "forum": "/forum/t/{number}",
         "guides": "/guides/{slug}-{number}", "help": "/help/{number}"},
        "/c/{slug}", "?page={page}", "grid", "tile", striped=False,
    ),
    Style(
        dict.fromkeys(("products", "blog", "forum", "guides", "help"), "/{section}/{slug}-{number}.html"),
        "/{slug}/", "page-{page}/", "list", "item", striped=True,
    ),
    Style(
        {"products": "/index.php?view=article&id={number}", "blog": "/index.php?view=story&id={number}",
         "forum": "/viewtopic.php?t={number}", "guides": "/index.php?view=story&id={number}",
         "help": "/index.php?view=page&id={number}"},
        "/index.php?view=section&id={number}", "&start={page}", "rows", "row", striped=True,
    ),
    Style(
        dict.fromkeys(("products", "blog", "forum", "guides", "help"), "/{slug}-{number}"),
        "/{slug}", "/{page}", "css-1x8", "css-9f2", striped=False,
    ),
)  # fmt: skip


class Shop:
    """One such shop; `page(path)` answers as its server would."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.style = STYLES[seed % len(STYLES)]
        self.sections = tuple(self._make_sections())

    start = "/"

    @cached_property
    def targets(self) -> frozenset[str]:
        """The paths of the products."""
        return frozenset(
            self.item_path(section, number)
            for section in self.sections
            if section.kind == "products"
            for number in section.items
        )

    @cached_property
    def paths(self) -> dict[str, Callable[[], str]]:
        """What makes the page at each path, traps apart."""
        pages: dict[str, Callable[[], str]] = {"/": self._home}
        for section in self.sections:
            for page in range(1, self._pages_of(section) + 1):
                pages[self.section_path(section, page)] = lambda section=section, page=page: self._listing(
                    section, page
                )
            for number in section.items:
                pages[self.item_path(section, number)] = lambda section=section, number=number: self._item(
                    section, number
                )
        return pages

    def page(self, path: str) -> Answer:
        """The status, the headers and the body for a path with its query."""
        html = self._html(path)
        status = 404 if html is None else 200
        body = html or self._framed("Not found", "<p>There is no such page.</p>", path)
        return status, {"content-type": "text/html; charset=utf-8"}, body.encode()

    def _html(self, path: str) -> str | None:
        if path in self.paths:
            return self.paths[path]()
        parts = urlsplit(path)
        if parts.path.startswith("/calendar/"):
            return self._calendar(path)
        if parts.path.startswith("/archive/"):
            return self._archive(path)
        query = parse_qsl(parts.query)
        kept = "&".join(f"{key}={value}" for key, value in query if key not in ("sid", "sort", "colour", "size"))
        plain = parts.path + (f"?{kept}" if kept else "")
        return self.paths[plain]() if len(kept) < len(parts.query) and plain in self.paths else None

    # The plan of the site.

    def _make_sections(self) -> Iterator[Section]:
        """Sections of products between sections of everything else; half the nests are missing from the menu."""
        random = Random(f"sections {self.seed}")
        kinds = ["products"] * NESTS + random.choices(("blog", "forum", "guides", "help"), (5, 5, 4, 1), k=220)
        random.shuffle(kinds)
        lists = sum(1 for _ in kinds) + PAGES // ITEMS_ON_A_PAGE
        others = (PAGES - PRODUCTS - lists) // (len(kinds) - NESTS)
        first, hidden = 1, random.sample([n for n, kind in enumerate(kinds) if kind == "products"], NESTS // 2)
        guides = [number for number, kind in enumerate(kinds) if kind == "guides"]
        sizes = _split(PRODUCTS, NESTS, random)
        for number, kind in enumerate(kinds):
            size = sizes.pop() if kind == "products" else max(1, round(others * random.uniform(0.4, 1.6)))
            name = f"{random.choice(WORDS)} {random.choice(WORDS)} {number}"
            parent = random.choice(guides) if number in hidden else None
            yield Section(number, kind, name, range(first, first + size), parent, in_menu=number not in hidden)
            first += size

    def _pages_of(self, section: Section) -> int:
        return -(-len(section.items) // ITEMS_ON_A_PAGE)

    def section_path(self, section: Section, page: int = 1) -> str:
        """The path of a list of a section."""
        path = self.style.section.format(slug=section.name.replace(" ", "-"), number=section.number)
        return path if page == 1 else path + self.style.page.format(page=page)

    def item_path(self, section: Section, number: int) -> str:
        """The path of one of its items."""
        slug = "-".join(Random(f"slug {self.seed} {number}").choices(WORDS, k=2))
        form = self.style.item[section.kind]
        return form.format(section=section.name.replace(" ", "-"), slug=slug, number=number)

    # Its pages.

    def _home(self) -> str:
        random = Random(f"home {self.seed}")
        chosen = random.sample([one for one in self.sections if one.kind != "products"], 12)
        teasers = "".join(self._card(one, random.choice(one.items)) for one in chosen)
        return self._framed("Welcome", f'<div class="teasers">{teasers}</div>', "/")

    def _listing(self, section: Section, page: int) -> str:
        here = section.items[(page - 1) * ITEMS_ON_A_PAGE : page * ITEMS_ON_A_PAGE]
        cards = "".join(self._card(section, number) for number in here)
        last = self._pages_of(section)
        pager = "".join(
            f'<a href="{_escaped(self.section_path(section, number))}">{number}</a>' for number in _near(page, last)
        )
        following = f'<a class="next" rel="next" href="{_escaped(self.section_path(section, page + 1))}">Next</a>'
        pager += following if page < last else ""
        path = self.section_path(section, page)
        content = f'<div class="{self.style.box} {section.kind}-list">{cards}</div><div class="pager">{pager}</div>'
        return self._framed(section.name, self._filters(section, path) + content + self._shelves(section), path)

    def _shelves(self, section: Section) -> str:
        """The sections of products that are not in the menu but hang below this one."""
        return "".join(
            f'<aside class="look"><a href="{_escaped(self.section_path(one))}">{one.name}</a></aside>'
            for one in self.sections
            if one.parent == section.number
        )

    def _filters(self, section: Section, path: str) -> str:
        if section.kind != "products":
            return ""
        join = "&" if "?" in path else "?"
        random = Random(f"filters {path}")
        choices = [f"sort={sort}&colour={random.choice(COLOURS)}&size={random.randint(30, 50)}" for sort in SORTS]
        links = "".join(f'<li><a href="{_escaped(path + join + one)}">{one}</a></li>' for one in choices)
        return f'<ul class="filters">{links}</ul>'

    def _card(self, section: Section, number: int) -> str:
        title = self._title(number)
        odd = " odd" if self.style.striped and number % 2 else ""
        price = f'<span class="price">{number % 90 + 9}.90</span>' if section.kind == "products" else ""
        link = f'<a href="{_escaped(self.item_path(section, number))}">{title}</a>'
        return f'<div class="{self.style.card}{odd}"><h3>{link}</h3>{price}<p>{_prose(f"card {number}", 12)}</p></div>'

    def _title(self, number: int) -> str:
        return " ".join(Random(f"title {self.seed} {number}").choices(WORDS, k=4)).capitalize()

    def _item(self, section: Section, number: int) -> str:
        random = Random(f"item {self.seed} {number}")
        path = self.item_path(section, number)
        body = _BODIES[section.kind](random, self._title(number))
        related = random.sample(section.items, min(RELATED, len(section.items)))
        cards = "".join(self._card(section, one) for one in related)
        up = f'<p class="crumbs"><a href="{_escaped(self.section_path(section))}">{section.name}</a></p>'
        content = f'{up}<div class="{section.kind}-detail">{body}</div><div class="related">{cards}</div>'
        return self._framed(self._title(number), content + self._traps(random, path), path)

    def _traps(self, random: Random, path: str) -> str:
        """A calendar, an address with a session, and a path that grows with every step."""
        join = "&" if "?" in path else "?"
        month = f"/calendar/{random.randint(1990, 2040)}/{random.randint(1, 12)}"
        other = random.choice(tuple(self.paths))
        session = other + ("&" if "?" in other else "?") + f"sid={random.getrandbits(64):x}"
        own = path + join + f"sid={random.getrandbits(64):x}"
        links = {"Events": month, "Archive": "/archive/older/"}
        links |= {"Print": own} if random.random() < PRINTABLE else {}
        links |= {"Recommended": session} if random.random() < RECOMMENDING else {}
        return '<ul class="more">' + "".join(
            f'<li><a href="{_escaped(address)}">{text}</a></li>' for text, address in links.items()
        ) + "</ul>"  # fmt: skip

    def _calendar(self, path: str) -> str:
        _, _, year, month = ([*path.split("/"), "", ""])[:4]
        count = (int(year) * 12 + int(month or 1) - 1) if year.isdigit() and (month or "1").isdigit() else 0
        links = "".join(
            f'<a href="/calendar/{one // 12}/{one % 12 + 1}">{one // 12}-{one % 12 + 1}</a>'
            for one in (count - 1, count + 1, count - 12, count + 12)
        )
        return self._framed(f"Events {path}", f'<table class="month"><tr><td>{links}</td></tr></table>', path)

    def _archive(self, path: str) -> str:
        deeper = "".join(f'<li><a href="{path}{word}/">{word}</a></li>' for word in ("older", "newer", "same"))
        return self._framed("Archive", f'<ul class="archive">{deeper}</ul><p>{_prose(path, 60)}</p>', path)

    def _framed(self, title: str, content: str, path: str) -> str:
        canonical = f'<link rel="canonical" href="{_escaped(path)}">' if path in self.paths else ""
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{canonical}</head><body>'
            f'<header><a href="/">Home</a>{self._menu}</header><main id="main"><h1>{title}</h1>{content}</main>'
            f'<footer><a href="/calendar/2024/5">Events</a><a href="/archive/">Archive</a></footer></body></html>'
        )

    @cached_property
    def _menu(self) -> str:
        listed = [one for one in self.sections if one.in_menu]
        columns = (listed[start : start + 25] for start in range(0, len(listed), 25))
        return '<nav class="mega">' + "".join(
            "<div><ul>"
            + "".join(f'<li><a href="{_escaped(self.section_path(one))}">{one.name}</a></li>' for one in column)
            + "</ul></div>"
            for column in columns
        ) + "</nav>"  # fmt: skip


def _product(random: Random, title: str) -> str:
    rows = "".join(
        f"<tr><th>{random.choice(WORDS)}</th><td>{random.randint(1, 400)}</td></tr>"
        for _ in range(random.randint(3, 30))
    )
    reviews = "".join(
        f'<div class="review"><b>{random.choice(WORDS)}</b><p>{_prose(f"{title} {number}", 25)}</p></div>'
        for number in range(random.choice((0, 0, 1, 4, 30)))
    )
    return (
        f'<div class="gallery"><img src="/i.jpg" alt=""><img src="/j.jpg" alt=""></div><p class="price">'
        f'{random.randint(5, 900)}.00</p><form action="/cart"><button>Add to cart</button></form>'
        f'<p class="text">{_prose(title, 60)}</p><table class="facts">{rows}</table>{reviews}'
    )


def _article(random: Random, title: str) -> str:
    count = random.randint(3, 12)
    return f'<p class="byline">By {random.choice(WORDS)}</p>' + "".join(
        f"<h2>{random.choice(WORDS)}</h2><p>{_prose(f'{title} {number}', 70)}</p>" for number in range(count)
    )


def _thread(random: Random, title: str) -> str:
    return "".join(
        f'<div class="post"><span class="author">{random.choice(WORDS)}</span><p>{_prose(f"{title} {number}", 30)}</p>'
        '<a class="quote" href="#q">Quote</a></div>'
        for number in range(random.randint(1, 25))
    )


def _answer(random: Random, title: str) -> str:
    return f"<dl>{''.join(f'<dt>{random.choice(WORDS)}?</dt><dd>{_prose(title, 40)}</dd>' for _ in range(6))}</dl>"


_BODIES = {"products": _product, "blog": _article, "guides": _article, "forum": _thread, "help": _answer}


def _prose(seed: str, words: int) -> str:
    return " ".join(Random(seed).choices(WORDS, k=words)).capitalize() + "."


def _split(total: int, parts: int, random: Random) -> list[int]:
    """Nests of different sizes that hold so many together."""
    weights = [random.uniform(0.3, 2) for _ in range(parts)]
    sizes = [max(1, round(total * weight / sum(weights))) for weight in weights]
    sizes[0] += total - sum(sizes)
    return sizes


def _near(page: int, last: int) -> list[int]:
    return [number for number in range(page - 2, page + 3) if 1 <= number <= last and number != page]


def _escaped(address: str) -> str:
    return address.replace("&", "&amp;")
