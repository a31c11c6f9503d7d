"""Lists with made-up pagers, of kinds that are rare in the sets of real pages.

Each family is one way to page a list, or one thing beside a list that looks like it; within a family, markup, words,
classes, addresses and the place in the list vary at random. A family counts as a site: in folds it is left out whole.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape

PAGES = 20  # of each family
SEED = 20
WORDS = (
    *(("Next", "Previous"), ("next page", "previous page"), ("Weiter", "Zurück"), ("Nächste Seite", "Vorherige Seite")),
    *(("Suivant", "Précédent"), ("Siguiente", "Anterior"), ("Próxima", "Anterior"), ("Avanti", "Indietro")),
    *(("Volgende", "Vorige"), ("Następna", "Poprzednia"), ("Další", "Předchozí"), ("Следующая", "Предыдущая")),
    *(("次へ", "前へ"), ("下一页", "上一页"), ("다음", "이전"), ("Nästa", "Föregående"), ("Sonraki", "Önceki")),
)
OLDER = (("Older posts", "Newer posts"), ("Older entries", "Newer entries"), ("Ältere Beiträge", "Neuere Beiträge"))
MORE = ("Load more", "Show more", "More results", "Mehr anzeigen", "Voir plus", "Ver más", "もっと見る")
ARROWS = (("›", "‹"), ("»", "«"), (">", "<"), ("→", "←"), (">>", "<<"), ("▶", "◀"))
PAGERS = ("pagination", "pager", "page-numbers", "nav-links", "seiten", "bl", "c-12", "flex gap-2", "foot", "")
BLOCKS = (("ul", "li"), ("div", "span"), ("nav", "div"), ("p", ""), ("tr", "td"))
TITLES = ("lamp", "chair", "kettle", "tripod", "novel", "teapot", "notice", "meeting", "valve", "stamp", "recipe")
KEYS = ("from_row", "ab", "desde", "blatt", "i", "xs", "sivulla", "view", "set", "Pos", "ctl00_pager")
HOST = "https://{}.example"


@dataclass(frozen=True)
class MadePage:
    """A page, where it is, the addresses that are right for its next one (none if it has none), and all its pages."""

    family: str
    url: str
    html: str
    next: frozenset[str]
    pages: frozenset[str]


@dataclass(frozen=True)
class _Place:
    """A page of a list: its number, how many there are, and the address of each."""

    chance: random.Random
    host: str
    here: int
    count: int
    address: Callable[[int], str]
    linked: set[str] = field(default_factory=set)

    def link(self, number: int, said: str, *, marks: str = "") -> str:
        self.linked.add(self.host + self.address(number))
        return f'<a href="{escape(self.address(number))}"{marks}>{said}</a>'

    @property
    def following(self) -> frozenset[str]:
        return frozenset({self.host + self.address(self.here + 1)} if self.here < self.count else ())


Family = Callable[[_Place], tuple[str, frozenset[str]]]


def _numbered(place: _Place) -> list[str]:
    first = max(1, place.here - 2)
    shown = [*range(first, min(place.count, first + 5) + 1)]
    mark = place.chance.choice(("{}", "<b>{}</b>", "<span class=current>{}</span>", "<em>[{}]</em>"))
    return [
        mark.format(number) if number == place.here else place.link(number, str(number))
        for number in dict.fromkeys((1, *shown, place.count))
    ]


def _around(place: _Place, parts: list[str], *, called: bool = True) -> str:
    outer, inner = place.chance.choice(BLOCKS)
    name = place.chance.choice(PAGERS) if called else ""
    marks = f' class="{name}"' if name else ""
    inside = "".join(f"<{inner}>{part}</{inner}>" if inner else f" {part} " for part in parts)
    if outer == "tr":
        return f"<table{marks}><tr>{inside}</tr></table>"
    return f"<{outer}{marks}>{inside}</{outer}>"


def _sides(place: _Place, on: str, back: str, *, between: bool = False) -> list[str]:
    before = [place.link(place.here - 1, back)] if place.here > 1 else []
    after = [place.link(place.here + 1, on)] if place.here < place.count else []
    return [*before, *(_numbered(place) if between else []), *after]


def numbers(place: _Place) -> tuple[str, frozenset[str]]:
    """Numbers and nothing else."""
    return _around(place, _numbered(place)), place.following


def unnamed_numbers(place: _Place) -> tuple[str, frozenset[str]]:
    """Numbers in a block that nothing calls a pager."""
    return _around(place, _numbered(place), called=False), place.following


def words(place: _Place) -> tuple[str, frozenset[str]]:
    """The words for next and previous, without numbers."""
    return _around(place, _sides(place, *place.chance.choice(WORDS))), place.following


def words_and_numbers(place: _Place) -> tuple[str, frozenset[str]]:
    """Numbers between words."""
    return _around(place, _sides(place, *place.chance.choice(WORDS), between=True)), place.following


def arrows(place: _Place) -> tuple[str, frozenset[str]]:
    """Arrows alone."""
    return _around(place, _sides(place, *map(escape, place.chance.choice(ARROWS)))), place.following


def arrows_and_numbers(place: _Place) -> tuple[str, frozenset[str]]:
    """Numbers between arrows."""
    return _around(place, _sides(place, *map(escape, place.chance.choice(ARROWS)), between=True)), place.following


def labels(place: _Place) -> tuple[str, frozenset[str]]:
    """Drawn arrows that only a label, a title or a picture explains."""
    on, back = place.chance.choice(WORDS)
    way = place.chance.choice((' aria-label="{}"', ' title="{}"', ""))
    drawn = "<svg></svg>" if way else '<img src="/i/{}.png" alt="{}">'
    parts = []
    if place.here > 1:
        parts.append(place.link(place.here - 1, drawn.format("l", back), marks=way.format(back)))
    if place.here < place.count:
        parts.append(place.link(place.here + 1, drawn.format("r", on), marks=way.format(on)))
    return _around(place, parts), place.following


def older(place: _Place) -> tuple[str, frozenset[str]]:
    """Older on, newer back; arrows, if any, point the same way."""
    on, back = place.chance.choice(OLDER)
    arrow = place.chance.choice(("{}", "{} →", "{} »"))
    return _around(place, _sides(place, arrow.format(on), back)), place.following


def weblog(place: _Place) -> tuple[str, frozenset[str]]:
    """Older back and newer on, as the arrows of many blogs have it; what they call next is what the sets call so."""
    on, back = place.chance.choice(OLDER)
    older = f"← {on}" if place.chance.random() < 0.7 else f"« {on}"
    parts = [place.link(place.here + 1, older)] if place.here < place.count else []
    parts += [place.link(place.here - 1, f"{back} →")] if place.here > 1 else []
    found = {place.host + place.address(place.here - 1)} if place.here > 1 else set()
    return _around(place, parts, called=place.chance.random() < 0.5), frozenset(found)


def more(place: _Place) -> tuple[str, frozenset[str]]:
    """A link to more of the same."""
    return _around(place, _sides(place, place.chance.choice(MORE), "")[-1:]), place.following


def kept_by_buttons(place: _Place) -> tuple[str, frozenset[str]]:
    """Buttons whose address is in an attribute or a script."""
    forms = ('data-url="{}"', 'data-href="{}"', "onclick=\"location.href='{}'\"", "onclick=\"load('{}', 2)\"")
    form = place.chance.choice(forms)
    on = place.chance.choice((*MORE, *(word for word, _ in WORDS)))
    button = f"<button {form.format(escape(place.address(place.here + 1)))}>{on}</button>"
    return _around(place, [button] if place.here < place.count else []), place.following


def tokens(place: _Place) -> tuple[str, frozenset[str]]:
    """An opaque mark instead of a number."""
    on, back = place.chance.choice(WORDS)
    key, mark = place.chance.choice(("after", "cursor", "token")), f"{place.chance.randrange(16**12):012x}"
    path = place.address(1).partition("?")[0]
    link = f'<a href="{path}?{key}={mark}">{on}</a>' if place.here < place.count else f"<span>{on}</span>"
    found = frozenset({f"{place.host}{path}?{key}={mark}"} if place.here < place.count else ())
    return _around(place, [f'<a href="{path}">{back}</a>', link] if place.here > 1 else [link]), found


def two_lists(place: _Place) -> tuple[str, frozenset[str]]:
    """Two lists with a pager each; both are right."""
    other = "".join(f'<a href="/offers?op={number}">{number}</a> ' for number in (2, 3, 4))
    place.linked.update(f"{place.host}/offers?op={number}" for number in (2, 3, 4))
    beside = f"<h2>Offers</h2><ul>{_items(place, 3)}</ul><div class={place.chance.choice(PAGERS[:4])}>1 {other}</div>"
    return _around(place, _numbered(place)) + beside, place.following | {f"{place.host}/offers?op=2"}


def letters(place: _Place) -> tuple[str, frozenset[str]]:
    """A list that is parted by letters; nothing says which one is next."""
    stem = place.address(1).partition("?")[0]
    form = place.chance.choice(("{}/{}", "{}?letter={}", "{}-{}.html"))
    links = {letter: form.format(stem, letter) for letter in "ABCDEFGHIJKLMNOPQRSTUVWZ"[: place.chance.randint(8, 24)]}
    place.linked.update(place.host + address for address in links.values())
    return _around(place, [f'<a href="{address}">{letter}</a>' for letter, address in links.items()]), frozenset()


def next_post(place: _Place) -> tuple[str, frozenset[str]]:
    """One post; before and after it others, by their titles or by words."""
    on, back = place.chance.choice(WORDS)
    titles = [place.chance.choice(TITLES) + "-" + place.chance.choice(TITLES) for _ in range(2)]
    said = place.chance.choice(("{word}", "{word}: {title}", "{title} →"))
    rel = place.chance.choice(('rel="{}"', 'class="nav-{}"', ""))
    links = [
        f'<div class="nav-{way}"><a href="/{title}/" {rel.format(way)}>'
        f"{escape(said.format(word=word, title=title))}</a></div>"
        for way, word, title in (("previous", back, titles[0]), ("next", on, titles[1]))
    ]
    return f'<nav class="post-navigation">{"".join(links)}</nav>', frozenset()


def calendar(place: _Place) -> tuple[str, frozenset[str]]:
    """A calendar beside the list."""
    days = "".join(f'<td><a href="/events/2024/05/{day:02}">{day}</a></td>' for day in range(1, 29))
    on, back = place.chance.choice(ARROWS)
    month = place.chance.choice(("/events/2024/{:02}", "?month={}", "/cal?m={}&y=2024"))
    ends = f'<a href="{month.format(4)}">{escape(back)}</a> May <a href="{month.format(6)}">{escape(on)}</a>'
    name = place.chance.choice(("calendar", "cal", "wp-calendar", "month", ""))
    return f'<table class="{name}"><caption>{ends}</caption><tr>{days}</tr></table>', frozenset()


def slider(place: _Place) -> tuple[str, frozenset[str]]:
    """Pictures that slide."""
    on, back = place.chance.choice(WORDS)
    name = place.chance.choice(("carousel", "slider", "swiper", "gallery", "hero"))
    links = f'<a class="next" href="#2">{on}</a><a class="prev" href="#9">{back}</a><a href="/offer/2">›</a>'
    return f'<div class="{name}">{links}</div>', frozenset()


def crumbs(place: _Place) -> tuple[str, frozenset[str]]:
    """The path to the page, with arrows."""
    arrow = escape(place.chance.choice(ARROWS)[0])
    names = place.chance.sample(TITLES, 3)
    return "<p>" + "".join(f'{arrow} <a href="/{name}">{name}</a> ' for name in names) + "</p>", frozenset()


def sizes(place: _Place) -> tuple[str, frozenset[str]]:
    """How much a page shows, and in which order."""
    key = place.chance.choice(("limit", "per_page", "show", "size"))
    path = place.address(1).partition("?")[0]
    links = " ".join(f'<a href="{path}?{key}={number}">{number}</a>' for number in (20, 50, 100))
    return f'<div class="sort">Show {links} <a href="{path}?sort=price">price ▶</a></div>', frozenset()


def onward(place: _Place) -> tuple[str, frozenset[str]]:
    """Words for going on that lead to something else."""
    said = ("Read more »", "Continue shopping", "Next event", "More about us", "Weitere Informationen", "Details ›")
    chosen = place.chance.sample(said, 3)
    topics = place.chance.sample(TITLES, 3)
    links = [f'<a href="/{topic}/{topic}-x">{one}</a>' for topic, one in zip(topics, chosen, strict=True)]
    return f"<div>{' '.join(links)}</div>", frozenset()


def tags(place: _Place) -> tuple[str, frozenset[str]]:
    """Topics and years with how many there are of each."""
    topics = "".join(
        f'<li><a href="/tag/{name}">{name}</a> <a href="/tag/{name}">{number}</a></li>'
        for number, name in enumerate(TITLES[:6], 2)
    )
    first = place.chance.randrange(2005, 2020)
    years = "".join(f'<li><a href="/archive/{year}">{year}</a></li>' for year in range(first, first + 5))
    return f"<ul>{topics}</ul><ul>{years}</ul>", frozenset()


FAMILIES: tuple[Family, ...] = (
    *(numbers, unnamed_numbers, words, words_and_numbers, arrows, arrows_and_numbers, labels, older, weblog, more),
    *(kept_by_buttons, tokens, two_lists, letters, next_post, calendar, slider, crumbs, sizes, onward, tags),
)
BESIDE: tuple[Family, ...] = (calendar, slider, crumbs, sizes, onward, tags)
ONE_POST = {"next_post"}


def made_pages(families: tuple[Family, ...] = FAMILIES, pages: int = PAGES, seed: int = SEED) -> Iterator[MadePage]:
    """Some pages of every family, always the same ones for a seed."""
    for family in families:
        for number in range(pages):
            chance = random.Random(f"{seed} {family.__name__} {number}")
            host = HOST.format(f"{family.__name__.replace('_', '-')}-{number}")
            count = chance.randint(2, 30)
            here = chance.choice((1, count, chance.randint(1, count), chance.randint(2, count)))
            place = _Place(chance, host, here, count, _address(chance))
            pager, following = family(place)
            beside = "".join(other(place)[0] for other in chance.sample(BESIDE, chance.choice((0, 1, 2))))
            own = f"/{'-'.join(chance.sample(TITLES, 3))}/" if family.__name__ in ONE_POST else place.address(here)
            items = f"<ul>{_items(place, chance.randint(4, 9))}</ul>"
            body = f"{_menu(chance)}<main>{items}{pager}</main><aside>{beside}</aside><footer>{_menu(chance)}</footer>"
            linked = frozenset(place.linked | following) - {host + own}
            yield MadePage(family.__name__, host + own, f"<html><body>{body}</body></html>", following, linked)


def _items(place: _Place, count: int) -> str:
    first, folder = place.chance.randrange(1, 900), place.chance.choice(TITLES)
    names = [place.chance.choice(TITLES) for _ in range(count)]
    return "".join(
        f'<li><a href="/{folder}/{number}">{name} {number}</a> no. {number}</li>'
        for number, name in enumerate(names, first)
    )


def _menu(chance: random.Random) -> str:
    return "".join(f'<a href="/{name}">{name.title()}</a> ' for name in chance.sample(TITLES, 5))


def _address(chance: random.Random) -> Callable[[int], str]:
    """How the address of a page follows from its number; the first one often has none."""
    stem, size = f"/{chance.choice(TITLES)}s", chance.choice((10, 15, 20, 25))
    begin, key = chance.choice((0, 1)), chance.choice(KEYS)
    forms: tuple[Callable[[int], str], ...] = (
        lambda number: f"{stem}?page={number - begin}",
        lambda number: f"{stem}?p={number}",
        lambda number: f"{stem}?q=x&pg={number}",
        lambda number: f"{stem}?start={size * (number - 1)}",
        lambda number: f"{stem}?sort=name&offset={size * (number - 1)}",
        lambda number: f"{stem}/page/{number}/",
        lambda number: f"{stem}/page-{number}",
        lambda number: f"{stem}-{number}.html",
        lambda number: f"{stem}/{number}",
        lambda number: f"{stem},{size * (number - 1)}.html",
        lambda number: f"{stem}?{key}={size * (number - 1)}",
        lambda number: f"{stem}?q=x&{key}={number - begin}",
        lambda number: f"{stem}/{key}-{number}",
    )
    form, bare = chance.choice(forms), chance.random() < 0.6
    return lambda number: stem if number == 1 and bare else form(number)
