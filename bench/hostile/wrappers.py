"""Wrapper files as a stranger may have left them: every entry replaced, removed, renamed, doubled and swapped.

Whatever is done to a file, it must either be refused in a sentence, or give a wrapper that can be used: read pages,
explain, verify, be described, exported, edited and repaired. Nothing else may come out than an error of our own.
"""

import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import orjson

import sightline as sl
from bench.frame import Counts
from sightline.data import result_marks
from sightline.errors import SightlineError
from sightline.jobs import joined_examples, read_examples, teach_pages
from sightline.page import Page
from sightline.project import History

PLACE = "@@@"  # stands in a document where something else is written
# What takes the place of an entry, as it is written in JSON: other types, the ends of ranges, and what JSON cannot say.
REPLACEMENTS = (
    *(
        "null",
        "true",
        "-1",
        "0",
        "2",
        "1.5",
        "1e308",
        "1" + "0" * 40,
        '""',
        r'"\u0000"',
        '"one"',
        '"' + "x" * 3_000 + '"',
    ),
    *("[]", "{}", "[[[[[]]]]]", '{"slots": []}', '[""]', '{"": {}}', r'"\ud800"', "NaN", "[" * 2_000),
)
REPAIRED = 25  # of the wrappers that load, one in so many is repaired, which takes longest


@dataclass
class MutationCounts(Counts):
    """How many files were written, how many of them were loaded or refused, and how many broke something."""

    mutations: int = 0
    loaded: int = 0
    refused: int = 0
    foreign: int = 0


def mutate_wrappers(report: Callable[[str], None], *, every: int = 1) -> MutationCounts:
    """Try every mutation of every wrapper, or one in `every`; what is not an error of our own is reported in a line."""
    counts = MutationCounts()
    for name, (wrapper, pages) in wrappers_to_mutate().items():
        for number, (what, content) in enumerate(mutations(wrapper.dumps())):
            if number % every == 0:
                use = partial(_used, content, pages, repair=not number % (every * REPAIRED))
                counts += tried(f"{name}, {what}", use, report)
    return counts


def mutate_examples(report: Callable[[str], None], *, every: int = 1) -> MutationCounts:
    """The same for a line of a file of examples: what is left of it is taught."""
    page = _opened(_shop(1))
    records = [{"name": ["Camera 11"]}, {"name": ["Camera 12"]}]
    line = {"source": "shop.html", "fields": {"title": ["Shop of 1"], "maker": ["Arden 1"]}, "records": records}

    def teach(path: Path) -> None:
        examples = joined_examples(read_examples(path))
        teach_pages([(page, own) for own in examples])

    return _mutate_file(orjson.dumps(line).decode(), teach, report, every)


def mutate_histories(report: Callable[[str], None], *, every: int = 1) -> MutationCounts:
    """The same for what is remembered of the last good run: the next run is compared with it."""
    wrapper, pages = wrappers_to_mutate()["induced from rows"]
    found = [wrapper.read(page) for page in pages]

    def compare(path: Path) -> None:
        sl.check(found, wrapper, pages=pages, last=History(path).last()).to_json()

    return _mutate_file(orjson.dumps(wrapper.profile.to_json()).decode(), compare, report, every)


def _mutate_file(text: str, use: Callable[[Path], object], report: Callable[[str], None], every: int) -> MutationCounts:
    counts = MutationCounts()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.json"
        for number, (what, content) in enumerate(mutations(text)):
            if number % every == 0:
                path.write_bytes(content)
                counts += tried(what, partial(use, path), report)
    return counts


def tried(what: str, use: Callable[[], object], report: Callable[[str], None]) -> MutationCounts:
    """Use a changed file; what is neither done nor refused in one sentence is reported in a line."""
    try:
        use()
    except SightlineError as problem:
        if "\n" not in str(problem):
            return MutationCounts(1, refused=1)
        report(f"{what}: an error of several lines: {problem!r:.200}")
    except Exception as problem:  # noqa: BLE001 - to find these is what this is for
        report(f"{what}: {type(problem).__name__}: {problem!s:.200}")
    else:
        return MutationCounts(1, loaded=1)
    return MutationCounts(1, foreign=1)


def _used(content: bytes, pages: Sequence[Page], *, repair: bool) -> None:
    """Load a wrapper, and do everything that can be done with it; warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for step in _uses(sl.Wrapper.loads(content), pages, repair=repair):
            _use(step)


def _use(step: Callable[[], object]) -> None:
    """Use a wrapper once; that it cannot be used in this way is no fault, if it says so."""
    try:
        step()
    except SightlineError as problem:
        if "\n" in str(problem):
            raise ValueError(f"an error of several lines: {problem!r:.200}") from problem


def _uses(wrapper: sl.Wrapper, pages: Sequence[Page], *, repair: bool) -> Iterator[Callable[[], object]]:
    """Everything that can be done with a wrapper."""
    for page in pages:
        yield lambda page=page: result_marks([wrapper.read(page, traced=True).records])  # type: ignore[misc]
        yield lambda page=page: wrapper.extract(page).to_dicts(typed=True, origins=True)  # type: ignore[misc]
        yield lambda page=page: wrapper.explain(page)  # type: ignore[misc]
        yield lambda page=page: wrapper.judge(page, 5)  # type: ignore[misc]
    yield lambda: wrapper.judge(pages[0], "Camera 1")
    yield lambda: (
        wrapper.words(),
        wrapper.outline(),
        str(wrapper.schema),
        wrapper.fields,
        wrapper.beside,
        repr(wrapper),
    )
    for framework in ("web-poet", "scrapy"):
        yield lambda framework=framework: compile(wrapper.to_code(framework), "exported", "exec")  # type: ignore[misc]
    yield lambda: sl.Wrapper.loads(wrapper.dumps())
    yield lambda: sl.check([wrapper.read(page) for page in pages], wrapper, pages=pages).to_json()
    for name in wrapper.fields[:2]:
        yield lambda name=name: wrapper.rename(name, "renamed").read(pages[0])  # type: ignore[misc]
        yield lambda name=name: wrapper.drop(name).restore(name).read(pages[0])  # type: ignore[misc]
        yield lambda name=name: wrapper.records_of(name).read(pages[0])  # type: ignore[misc]
        yield lambda name=name: wrapper.split(name).read(pages[0])  # type: ignore[misc]
    yield lambda: wrapper.merge(*wrapper.fields[:2]).read(pages[0])
    yield lambda: wrapper.records_of(None).read(pages[0])
    if repair:
        yield lambda: wrapper.repair(pages[1:]).diff()


# ---------------------------------------------------------------- mutations


def mutations(text: str) -> Iterator[tuple[str, bytes]]:
    """Every mutation of a document: where and what, and the document with it."""
    document = orjson.loads(text)
    for path, holder, key in list(_entries(document, "")):
        original = holder[key]
        holder[key] = PLACE
        before, _, after = orjson.dumps(document).partition(f'"{PLACE}"'.encode())
        holder[key] = original
        for written in REPLACEMENTS:
            yield f"{path} as {written:.30}", before + written.encode() + after
        if isinstance(holder, dict):
            doubled = orjson.dumps(original) + b"," + orjson.dumps(key) + b":null"
            yield f"{path} doubled", before + doubled + after
            rest = {name: value for name, value in holder.items() if name != key}
            for what, changed in (("removed", rest), ("renamed", {**rest, f"{key}x": original})):
                yield f"{path} {what}", _with(document, holder, changed)
        yield from _swapped(document, path, holder, key)


def _entries(node: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Every entry of a document: its path, and where it is."""
    places = list(node.items()) if isinstance(node, dict) else list(enumerate(node)) if isinstance(node, list) else []
    for key, value in places:
        inner = f"{path}[{key}]" if isinstance(node, list) else f"{path}.{key}"
        yield inner, node, key
        yield from _entries(value, inner)


def _with(document: Any, holder: dict[str, Any], changed: Mapping[str, Any]) -> bytes:
    original = dict(holder)
    holder.clear()
    holder.update(changed)
    written = orjson.dumps(document)
    holder.clear()
    holder.update(original)
    return written


def _swapped(document: Any, path: str, holder: Any, key: Any) -> Iterator[tuple[str, bytes]]:
    """An entry in the place of the next one, and the other way round."""
    keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
    following = keys[(keys.index(key) + 1) % len(keys)]
    if following != key:
        holder[key], holder[following] = holder[following], holder[key]
        written = orjson.dumps(document)
        holder[key], holder[following] = holder[following], holder[key]
        yield f"{path} swapped", written


# ---------------------------------------------------------------- wrappers


def wrappers_to_mutate() -> dict[str, tuple[sl.Wrapper, list[Page]]]:
    """Wrappers of all kinds, small enough to try everything, each with a page of its site and one of another."""
    other = _opened("<h1>News</h1><p>Nothing here is for sale.</p><ul><li>one<li>two<li>three</ul>")
    made: dict[str, tuple[sl.Wrapper, list[Page]]] = {}
    for name, page in (("rows", _rows), ("list", _list), ("groups", _groups), ("article", _article), ("cards", _cards)):
        pages = [_opened(page(number)) for number in range(5)]
        made[f"induced from {name}"] = (sl.induce(pages[:4]), [pages[4], other])
    carrying = [_opened(_carrying(number)) for number in range(5)]
    taught = sl.teach()
    for number, page in enumerate(carrying[:3]):
        lenses = [{"name": f"Lens {number}{own}", "price": f"€{own + 1}.{number}5"} for own in range(4)]
        taught.show(page, {"title": [f"Lenses {number}"]}, lenses)
    made["taught with paths into the data"] = (taught.wrapper, [carrying[4], other])
    shop = [_opened(_shop(number)) for number in range(3)]
    lesson = sl.teach()
    for number, page in enumerate(shop[:2]):
        records = [
            {
                "name": f"Camera {number}{own}",
                "shops": [{"shop": f"Shop {number}{own}{at}", "price": f"{own}{at} €"} for at in (1, 2)],
            }
            for own in (1, 2)
        ]
        lesson.show(page, {"title": [f"Shop of {number}"], "maker": [f"Arden {number}"]}, records)
    made["taught with nested records and a cut"] = (lesson.wrapper, [shop[2], other])
    single = sl.teach(shop[0]).want("link", "/camera/1").want("title", "Shop of 0").reject("title", "News")
    made["taught by single examples"] = (single.wrapper, [shop[2], other])
    return made


def _opened(body: str) -> Page:
    return sl.open(f"<!doctype html><html lang=en><meta charset=utf-8><body>{body}".encode(), static=True)


FOOT = "<hr><footer>All prices include tax.</footer>"


def _rows(number: int) -> str:
    rows = "".join(
        f"<tr><td>{name}<td>{value}" for name, value in (("Price:", f"{number}9 €"), ("Weight:", f"{number}50 g"))
    )
    return f"<p><a href=/>Home</a><h1>Camera {number}</h1><table>{rows}</table>{FOOT}"


def _list(number: int) -> str:
    items = "".join(
        f"<li><h3>Lens {number}-{own}</h3><b class=price>{number}{own}.50 €</b>" + "<i class=stock>left</i>" * (own % 2)
        for own in range(2 + number)
    )
    return f"<h1>Our lenses</h1><ul>{items}</ul>{FOOT}"


def _groups(number: int) -> str:
    parts = "".join(f"<dt>Term {number}{own}</dt><dd>Says {number}{own}</dd>" for own in range(2 + number))
    return f"<h1>Words {number}</h1><dl>{parts}</dl>{FOOT}"


def _cards(number: int) -> str:
    """A page with a picture, and records with links and pictures."""
    cards = "".join(
        f"<li><a href=/seed/{number}{own}><img src=/s{number}{own}.jpg><b>Seed {number}{own}</b></a><i>{own}9 €</i>"
        for own in range(4)
    )
    photo = f"<img width=300 height=200 src=/tree{number}.jpg>"
    return f"<h1>Tree {number}</h1><div>{photo}</div><p>Price: {number}5 €</p><h2>Seeds</h2><ul>{cards}</ul>{FOOT}"


def _carrying(number: int) -> str:
    """A page with what it shows in its scripts as well: a thing in JSON-LD, and records in a state."""
    lenses = [{"name": f"Lens {number}{own}", "price": {"cents": 100 * own + 105 + 10 * number}} for own in range(4)]
    shown = "".join(f"<li><b>{one['name']}</b><i>€{one['price']['cents'] / 100:.2f}</i>" for one in lenses)  # type: ignore[index]
    said = orjson.dumps({"@type": "CollectionPage", "name": f"Lenses {number}"}).decode()
    scripts = f"<script type=application/ld+json>{said}</script><script>shop = {orjson.dumps(lenses).decode()}</script>"
    return f"{scripts}<h1>Lenses {number}</h1><ul>{shown}</ul>{FOOT}"


def _article(number: int) -> str:
    """Free text that is marked up in another way on every page."""
    one, two = (" ".join(f"w{start + number * own % 17}" for own in range(15)) for start in (1, 20))
    forms = (
        f"<p>{one}.</p>",
        f"<p>{one}. <b>bold {two}</b></p>",
        f"{one}.<br>{two}",
        f"<p>{one}.</p><ul><li>{two}</ul>",
    )
    return f"<h1>Thing {number}</h1><div><h2>Story</h2>{forms[number % 4]}</div>{FOOT}"


def _shop(number: int) -> str:
    items = "".join(
        f"<div class=card><a href=/camera/{own}><b class=name>Camera {number}{own}</b></a><ul>"
        + "".join(f"<li><i>Shop {number}{own}{at}</i> <span>{own}{at} €</span>" for at in range(1, 4))
        + "</ul></div>"
        for own in range(1, 5)
    )
    return f"<h1>Shop of {number}</h1><p>News</p><p class=by>Maker: Arden {number}</p>{items}{FOOT}"
