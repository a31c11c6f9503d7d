"""The six faults, planted in what a wrapper has taken; each in several ways, all of which can be seen."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import sightline as sl
from bench.pages import naming
from sightline.checks import PageRecords, profile_of_run
from sightline.data import Field, Origin, Profile, Record, Records, Value
from sightline.extract.wrappers import Wrapper
from sightline.page import Page

LIST = 4  # records of a page, from which on it is a list
AMOUNT = re.compile(r"\d[\d.,]*\d|\d")
MONEY = re.compile(r"^[^\d\w]{0,2}[$£€]\s?\d[\d.,]*$")

BLOCKS: tuple[tuple[str, str], ...] = (
    ("Just a moment...", "<h1>shop.example</h1><p>Checking if the site connection is secure</p><p>Ray ID: 7f1</p>"),
    ("Access Denied", "<h1>Access Denied</h1><p>You don't have permission to access this on this server.</p>"),
    ("Robot check", "<h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure.</p><input>"),
    ("Log in", "<h1>Log in</h1><form><label>E-mail</label><input><label>Password</label><input></form>"),
    ("Zugriff verweigert", "<h1>Zugriff verweigert</h1><p>Ihre Anfrage wurde als automatisch eingestuft.</p>"),
    ("", "<p>Service temporarily unavailable. Reference #18.2d. Please come back later.</p>"),
)


@dataclass(frozen=True)
class Case:
    """A wrapper of a site, what it reads on pages that it was not made on, and how much of the truth that is."""

    site: str
    vertical: str
    way: str
    wrapper: Wrapper
    run: tuple[PageRecords, ...]
    right: float | None = None

    @property
    def is_list(self) -> bool:
        """Whether pages have several records of their own."""
        return max((len(own.records) for own in self.run), default=0) >= LIST

    @property
    def runs(self) -> Iterator[tuple[PageRecords, ...]]:
        """The whole run and, of lists, each page."""
        yield self.run
        if self.is_list:
            yield from ((own,) for own in self.run)


Planted = tuple[str, Sequence[PageRecords] | None, Profile | None]
"""How a fault was planted, the run with it (None where it could not be seen there), and the last run's profile."""


def taken(wrapper: Wrapper, names: Sequence[str], pages: Sequence[Page]) -> tuple[PageRecords, ...]:
    """What a wrapper takes from pages."""
    found = []
    for name, page in zip(names, pages, strict=True):
        with naming(name):
            read = wrapper.read(page)
        problems = tuple(own.what for own in read.problems)
        found.append(PageRecords(read.records, page, name, read.verdict, problems))
    return tuple(found)


def values_of(content: Field) -> Iterator[Value]:
    """All values in what stands under a name."""
    if isinstance(content, Value):
        yield content
    elif isinstance(content, Record):
        for inner in content.values():
            yield from values_of(inner)
    elif content is not None:
        for item in content:
            yield from values_of(item)


def changed(own: PageRecords, change: Callable[[Record], Record | None]) -> PageRecords:
    """What was taken, with every record changed, or left out."""
    records = [made for record in own.records if (made := change(record)) is not None]
    return replace(own, records=Records.trusted(records, own.records.schema, own.records.language))


def in_lists(case: Case, change: Callable[[tuple[Record, ...], Page], Sequence[Record]]) -> list[PageRecords] | None:
    """The run with its lists changed: the records of pages, or those of the longest set of each; None without one."""
    found, lists = [], 0
    for own in case.run:
        records = tuple(own.records)
        assert own.page is not None
        if case.is_list:
            made = tuple(change(records, own.page)) if len(records) >= LIST else records
            lists += len(records) >= LIST
        else:
            name = _set_of(case)
            inner = records[0].get(name) if records and name else None
            if isinstance(inner, tuple) and len(inner) >= LIST and all(isinstance(one, Record) for one in inner):
                lists += 1
                again = tuple(change(tuple(one for one in inner if isinstance(one, Record)), own.page))
                made = (records[0].replace(**{name: again}), *records[1:])
            else:
                made = records
        found.append(replace(own, records=Records.trusted(made, own.records.schema, own.records.language)))
    return found if lists else None


def _set_of(case: Case) -> str:
    """The set that a taught wrapper was taught as the records of its pages."""
    if case.way != "taught":
        return ""
    names = Counter(
        name
        for own in case.run
        for record in own.records
        for name, content in record.items()
        if isinstance(content, tuple) and any(isinstance(one, Record) for one in content)
    )
    return names.most_common(1)[0][0] if names else ""


def named_texts(run: Sequence[PageRecords]) -> list[list[tuple[tuple[str, str], ...]]]:
    """What records say, to see whether anything was changed."""
    return [[_named(record) for record in own.records] for own in run]


def _named(record: Record) -> tuple[tuple[str, str], ...]:
    return tuple((name, "|".join(value.text for value in values_of(content))) for name, content in record.items())


def shifted(case: Case, chance: random.Random) -> Iterator[Planted]:
    """Values under the name of their neighbour: all fields by one, or two that change places."""
    names = _names(case)
    if len(names) < 2:
        yield "all by one", None, None
        return
    around = {name: names[(place + 1) % len(names)] for place, name in enumerate(names)}
    place = chance.randrange(len(names) - 1)
    two = {names[place]: names[place + 1], names[place + 1]: names[place]}
    for told, moves in (("all by one", around), ("two change places", two)):
        yield told, _moved(case, moves, keep=False), None
        yield f"{told}, in place", _moved(case, moves, keep=True), None


def _names(case: Case) -> list[str]:
    """The fields that records have, in the order of the wrapper, those first that most have; sets are left out."""
    filled: Counter[str] = Counter()
    for own in case.run:
        for record in own.records:
            filled.update(name for name, content in record.items() if any(values_of(content)) and _is_flat(content))
    records = sum(len(own.records) for own in case.run)
    return [name for name, count in filled.items() if count >= records / 2]


def _is_flat(content: Field) -> bool:
    return isinstance(content, Value) or (isinstance(content, tuple) and all(isinstance(one, Value) for one in content))


def _moved(case: Case, moves: Mapping[str, str], *, keep: bool) -> list[PageRecords]:
    def change(record: Record) -> Record:
        made = dict(record)
        for name, other in moves.items():
            content = record.get(other)
            made[name] = _standing(content, record.get(name)) if keep else content
        return Record(made)

    return [changed(own, change) for own in case.run]


def _standing(content: Field, place: Field) -> Field:
    """The texts of one field where another stands: the site itself shows them there."""
    origins = [value.origin for value in values_of(place)]
    texts = [value.text for value in values_of(content)]
    made = tuple(
        Value(text, None, origins[min(number, len(origins) - 1)] if origins else None)
        for number, text in enumerate(texts)
    )
    return None if not made else made[0] if len(made) == 1 else made


def fees(case: Case, chance: random.Random) -> Iterator[Planted]:
    """An amount that is no price: one for all, one of three, or another amount of the same page."""
    name = _price_of(case)
    if name is None:
        return
    yield "one fee", [changed(own, lambda record: _priced(record, name, ("4.99",), chance)) for own in case.run], None
    three = ("2.99", "4.99", "9.99")
    yield "three fees", [changed(own, lambda record: _priced(record, name, three, chance)) for own in case.run], None
    yield "another amount of the page", _other_amounts(case, name), None


def _price_of(case: Case) -> str | None:
    """The field of money that most records have, if half of them have it; one that is called a price before others."""
    money = dict.fromkeys(
        own.name.rpartition(".")[2] for own in case.wrapper.profile.fields if own.type.kind == "money"
    )
    filled = {
        name: sum(isinstance(record.get(name), Value) for own in case.run for record in own.records) for name in money
    }
    records = sum(len(own.records) for own in case.run)
    having = [name for name, count in filled.items() if count >= records / 2]
    return max(having, key=lambda name: ("price" in name.lower(), filled[name]), default=None)


def _priced(record: Record, name: str, amounts: Sequence[str], chance: random.Random) -> Record:
    content = record.get(name)
    if not isinstance(content, Value):
        return record
    return record.replace(
        **{name: Value(AMOUNT.sub(chance.choice(amounts), content.text, count=1), None, content.origin)}
    )


def _other_amounts(case: Case, name: str) -> list[PageRecords] | None:
    """Take the smallest other amount of each page for the price, where most pages have one that is a third or less."""
    found, having = [], 0
    for own in case.run:
        assert own.page is not None
        amounts = [(amount, node) for node in _leaves(own.page) if (amount := _amount(own.page, node)) is not None]
        prices = [
            price for record in own.records for value in values_of(record.get(name)) if (price := _money(value.text))
        ]
        low = [(amount, node) for amount, node in amounts if prices and 0 < amount < min(prices) / 3]
        if not low or len(own.records) != 1:
            found.append(own)
            continue
        having += 1
        value = _value(own.page, min(low)[1])
        found.append(changed(own, lambda record, value=value: record.replace(**{name: value})))  # type: ignore[misc]
    return found if having > len(found) / 2 else None


def _amount(page: Page, node: int) -> float | None:
    text = page.strings[page.text[node]].strip()
    return _money(text) if MONEY.match(text) else None


def _money(text: str) -> float | None:
    match = AMOUNT.search(text)
    return float(match[0].replace(",", "")) if match and match[0].count(".") <= 1 else None


def _leaves(page: Page) -> list[int]:
    found: list[int] = (page.is_text & ~page.is_blank & page.visible).nonzero()[0].tolist()
    return found


def _value(page: Page, node: int) -> Value:
    return Value(" ".join(page.strings[page.text[node]].split()), None, Origin(page.id, (node,)))


def advertisements(case: Case, chance: random.Random) -> Iterator[Planted]:
    """Other texts of the page as records, with all fields or with one; and an advertisement made as a record is."""

    def with_texts(fields: int | None) -> Callable[[tuple[Record, ...], Page], Sequence[Record]]:
        def change(records: tuple[Record, ...], page: Page) -> Sequence[Record]:
            taken_nodes = {
                node
                for one in records
                for value in values_of(one)
                for node in (value.origin.nodes if value.origin else ())
            }
            others = [
                node for node in _leaves(page) if node not in taken_nodes and int(page.parent[node]) not in taken_nodes
            ]
            names = [name for name, content in records[0].items() if _is_flat(content)][:fields]
            if len(others) < 3 * len(names):
                return records
            start = chance.randrange(len(others) - len(names))
            made = dict.fromkeys(records[0]) | {
                name: _value(page, others[start + place]) for place, name in enumerate(names)
            }
            where = chance.randrange(len(records))
            return [*records[:where], Record(made), *records[where:]]

        return change

    yield "one text of elsewhere", in_lists(case, with_texts(1)), None
    yield "all fields of elsewhere", in_lists(case, with_texts(None)), None
    yield "made as a record", _read_again(case, _advertised), None


def _read_again(case: Case, edit: Callable[[Case, PageRecords], str | None]) -> list[PageRecords] | None:
    """The run with pages edited and read anew, where the wrapper takes what was put in."""
    found, edited = [], 0
    for own in case.run:
        source = edit(case, own)
        if source is None:
            found.append(own)
            continue
        [again] = taken(case.wrapper, [own.source], [sl.open(source.encode(), static=True)])
        edited += len(again.records) > len(own.records)
        found.append(again)
    return found if edited else None


def _advertised(case: Case, own: PageRecords) -> str | None:
    """The page with a copy of its second record, called sponsored, that leads to another site and says other things."""
    if not case.is_list or own.page is None or len(own.records) < LIST:
        return None
    page = own.page
    firsts = [
        min(node for value in values_of(record) for node in (value.origin.nodes if value.origin else (0,)))
        for record in own.records
    ]
    second, third = firsts[1], firsts[2]
    unit = second
    while page.parent[unit] >= 0 and not (page.parent[unit] < third < page.end[page.parent[unit]]):
        unit = int(page.parent[unit])
    return _html(page, copied=unit)


def _html(page: Page, copied: int) -> str:
    """The page as HTML again, with the copy of an element behind it."""

    def write(node: int, *, is_copy: bool) -> str:
        own = page.node(node)
        if own.tag == "#text":
            return own.raw_text.replace("&", "&amp;").replace("<", "&lt;")
        attributes = dict(own.attributes)
        if is_copy and node == copied:
            attributes["class"] = (attributes.get("class", "") + " sponsored").strip()
        if is_copy and "href" in attributes:
            attributes["href"] = "https://ads.example/click?id=7"
        marks = "".join(
            f' {name}="{value.replace("&", "&amp;").replace(chr(34), "&quot;")}"' for name, value in attributes.items()
        )
        inner = "".join(write(child.number, is_copy=is_copy) for child in own.children)
        told = f"<{own.tag}{marks}>{inner}" + ("" if own.tag in VOID else f"</{own.tag}>")
        return told + (write(node, is_copy=True) if node == copied and not is_copy else "")

    return "<!DOCTYPE html>" + write(0, is_copy=False)


VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])


def halved(case: Case, chance: random.Random) -> Iterator[Planted]:  # noqa: ARG001 - all are planted alike
    """Every second record missing, or the second half of them; of pages that are one record each, every second page."""
    every = in_lists(case, lambda records, _: records[::2])
    yield "every second", every, None
    yield "second half", in_lists(case, lambda records, _: records[: len(records) // 2]), None
    if every is None and len(case.run) >= 2:
        empty = [changed(own, lambda _: None) if number % 2 else own for number, own in enumerate(case.run)]
        yield "every second page empty", empty, None
        hollow = [
            changed(own, lambda record: Record(dict.fromkeys(record))) if number % 2 else own
            for number, own in enumerate(case.run)
        ]
        yield "every second page without values", hollow, None


def stale(case: Case, chance: random.Random) -> Iterator[Planted]:
    """The page of another address, once or three times; and the older half of the pages after the newer one."""
    for told, count in (("one page again", 1), ("three pages again", 3)):
        if len(case.run) <= count:
            yield told, None, None
            continue
        run = list(case.run)
        [origin, *places] = chance.sample(range(len(run)), count + 1)
        for place in places:
            run[place] = replace(run[origin], source=run[place].source)
        yield told, run, None
    whole = profile_of_run(case.run)
    dated = [(newest, number) for number, own in enumerate(case.run) if (newest := _newest(own, whole)) is not None]
    if len(dated) >= 4:
        order = [number for _, number in sorted(dated)]
        half = len(order) // 2
        older, newer = ([case.run[number] for number in part] for part in (order[:half], order[half:]))
        visible = max(dated)[0] > max(_newest(own, whole) or "" for own in older)
        yield "an older run", older if visible else None, profile_of_run(newer)


def _newest(own: PageRecords, whole: Profile) -> str | None:
    """The newest date of the first field of dates; the order of day and month is that of the whole run."""
    field_of_dates = next((one for one in whole.fields if one.newest and "." not in one.name), None)
    if field_of_dates is None:
        return None
    texts = [value.text for record in own.records for value in values_of(record.get(field_of_dates.name))]
    return max((str(found)[:10] for text in texts if (found := field_of_dates.type.parse(text))), default=None)


def blocked(case: Case, chance: random.Random) -> Iterator[Planted]:
    """Each kind of block page in the place of one page, and all kinds in the place of all."""
    for title, body in BLOCKS:
        run = list(case.run)
        place = chance.randrange(len(run))
        run[place] = _wall(case, run[place], title, body)
        yield f"one page: {title or 'no title'}", run, None
    yield "all pages", [_wall(case, own, *BLOCKS[number % len(BLOCKS)]) for number, own in enumerate(case.run)], None


def _wall(case: Case, own: PageRecords, title: str, body: str) -> PageRecords:
    html = f"<html><head><title>{title}</title></head><body>{body}</body></html>"
    [again] = taken(case.wrapper, [own.source], [sl.open(html.encode(), static=True)])
    return again


FAULTS: dict[str, Callable[[Case, random.Random], Iterator[Planted]]] = {
    "shifted columns": shifted,
    "fee as price": fees,
    "advertisements as records": advertisements,
    "half of the records missing": halved,
    "stale page": stale,
    "block page": blocked,
}
