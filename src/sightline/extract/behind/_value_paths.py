"""Paths that give what pages of one kind show: found on some pages by the values, and held against every other one.

A path is a rule beside those that look at the page. What both say has to agree, whatever the page writes: the price is
1299 in its data and “$1,299.00” for its readers.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from sightline.data import Value
from sightline.extract.behind._carried import (
    JSON_LD,
    STATE,
    CarriedName,
    CarriedParts,
    carried_at,
    carried_values,
    told_carried,
)
from sightline.extract.behind._documents import EVERY
from sightline.extract.behind._forms import number_of, plain
from sightline.extract.behind._keys import LONGEST, keys_of_shown, keys_of_value
from sightline.extract.behind._rules import DataRule, NoWordError, ShownPart, find_rule
from sightline.page import OwnPath

# On how many pages both have to be there, and agree, by what the data is made for: JSON-LD says what the page shows, a
# state what its program needs, such as the name of a company in the books and not on the page; and with how many
# different texts. For JSON-LD that is what folds over the sites choose. For states six of nine folds choose two pages;
# what they give on the sites left out, 7 doubts for nothing beside 133 values confirmed, speaks for four, with which
# there is none beside 114. (`python -m bench.behind.paths`)
LEAST_PAGES = {JSON_LD: 3, STATE: 4}
LEAST_TEXTS = 2
SEARCHED = 3  # pages on which paths are looked for; they are held against all of them
MOST_PATHS = 3  # for one field: of several that say the same, one may be wrong on another page
LEAST_WITHIN = 4  # characters of a value that is a part of what is shown
IN_CENTS = "number:-2:"  # how the forms of amounts begin that are held in cents
CUT = " .…"  # how a text ends that goes on elsewhere
LONGEST_AROUND = 300  # characters of a text that holds more than a value

Shown: TypeAlias = Value | tuple[Value, ...]
"""What a page shows of a field: one value or several."""


@dataclass(frozen=True)
class ValuePath:
    """Where pages carry a value that they show, and how they write it.

    Without a `rule` it says the same in another way, such as a day by its date: what is shown can be checked by it, and
    not be made from it.
    """

    source: CarriedName
    path: OwnPath
    rule: DataRule | None = None

    @property
    def place(self) -> str:
        """Where it is, in words."""
        return told_carried(self.source, self.path)

    @property
    def told(self) -> str:
        """Where it is, and how it is written, in words."""
        pieces = self.rule.pieces if self.rule else ()
        around = "".join(piece if isinstance(piece, str) else "{}" for piece in pieces)
        return self.place if around in ("", "{}") else f"{self.place}, written “{around}”"

    def raw(self, carried: CarriedParts) -> Any:
        """The value as the page's data has it; None if there is none."""
        part = carried.get(self.source)
        return None if part is None else carried_at(part, self.path)

    def shown(self, raw: Any) -> ShownPart:
        """What the page shows for it; None if nobody can know."""
        if self.rule is None or raw is None:
            return None
        try:
            return self.rule.read({self.path: raw})
        except NoWordError:
            return None

    def agrees(self, shown: Shown, raw: Any, base: str) -> bool:
        """Whether what a page shows is, or holds, what its data says."""
        said = _in_units(raw) if self._is_in_cents else raw
        return is_same(shown, said, base) or _holds(shown, raw) or _text(shown) == self.shown(raw)

    @property
    def _is_in_cents(self) -> bool:
        return self.rule is not None and self.rule.slots[0].form.startswith(IN_CENTS)


def is_same(shown: Shown, raw: Any, base: str) -> bool:
    """Whether what a page shows says the same as its data, whatever way it is written."""
    if isinstance(raw, list):
        values = shown if isinstance(shown, tuple) else (shown,)
        return len(values) == len(raw) and all(is_same(*pair, base) for pair in zip(values, raw, strict=True))
    # What is one text in the data, a page may show in several paragraphs.
    value = shown if isinstance(shown, Value) else Value(" ".join(one.text for one in shown))
    return not keys_of_shown(value).isdisjoint(keys_of_value(raw, base))


def _in_units(raw: Any) -> Any:
    """An amount in cents as it is in whole units; what is none as it is."""
    number = number_of(raw) if isinstance(raw, int) else None
    return raw if number is None else str(number.scaleb(-2))


def _holds(shown: Shown, raw: Any) -> bool:
    """Whether a text holds a value among others, “by Ada and Grace”, or is the beginning of one that is cut."""
    if isinstance(raw, bool) or not isinstance(raw, str | int) or not isinstance(shown, Value):
        return False
    within = plain(str(raw))
    if LEAST_WITHIN <= len(within) < len(shown.text) <= LONGEST_AROUND:
        return within in shown.text
    start = plain(shown.text).rstrip(CUT)
    return LEAST_WITHIN <= len(start) < len(within) and within.startswith(start)


class CarryingPage(NamedTuple):
    """A page to learn from: what it carries, the values that it shows by their fields, its address and language."""

    carried: CarriedParts
    shown: Mapping[str, Shown]
    base: str
    language: str


def find_paths(
    pages: Sequence[CarryingPage],
    *,
    least_pages: Mapping[str, int] = LEAST_PAGES,
    least_texts: int = LEAST_TEXTS,
) -> dict[str, list[ValuePath]]:
    """For each field the paths that give what every page shows of it, wherever both are there; the best comes first.

    >>> from sightline.extract.behind import Carried
    >>> name = CarriedName("json-ld", "Product")
    >>> data = [{"it": {"title": "EOS 5D", "price": 1299.0}}, {"it": {"title": "EOS R5", "price": 4299.0}}]
    >>> data.append({"it": {"title": "EOS R6", "price": 2499.0}})
    >>> shown = [{"price": Value(text)} for text in ("€1,299.00", "€4,299.00", "€2,499.00")]
    >>> seen = [CarryingPage({name: Carried(name, [one], [0])}, of, "", "en") for one, of in zip(data, shown)]
    >>> [path.told for path in find_paths(seen)["price"]]
    ['it.price of Product in JSON-LD, written “€{}”']
    """
    fields = dict.fromkeys(name for page in pages for name in page.shown)
    found: dict[str, list[ValuePath]] = {}
    candidates = _candidates(pages)
    for name in fields:
        held = [path for path in candidates.get(name, ()) if _is_held(name, path, pages, least_pages, least_texts)]
        ranked = sorted(held, key=lambda path: _rank(name, path, pages))
        written = (_written(name, path, pages) for path in ranked)
        if paths := [*islice((path for path in written if path is not None), MOST_PATHS)]:
            found[name] = paths
    return found


def _candidates(pages: Sequence[CarryingPage]) -> dict[str, list[ValuePath]]:
    """Paths that give a field on the pages that show the most."""
    fullest = sorted(pages, key=lambda page: -len(page.shown) if page.carried else 0)[:SEARCHED]
    found: dict[str, dict[ValuePath, None]] = {}
    for page in fullest:
        index = _ShownIndex(page)
        for part in page.carried.values():
            for path, raw in carried_values(part):
                for name in index.showing(raw):
                    found.setdefault(name, {})[ValuePath(part.name, path)] = None
    return {name: list(paths) for name, paths in found.items()}


class _ShownIndex:
    """The fields of a page by the keys of their texts, and the texts that may hold more than a value."""

    def __init__(self, page: CarryingPage) -> None:
        self._base = page.base
        self._by_key: dict[str, dict[str, None]] = {}
        self._texts: list[tuple[str, str]] = []
        self._several = {name: shown for name, shown in page.shown.items() if isinstance(shown, tuple)}
        for name, shown in page.shown.items():
            if isinstance(shown, Value):
                for key in keys_of_shown(shown):
                    self._by_key.setdefault(key, {})[name] = None
                if LEAST_WITHIN < len(shown.text) <= LONGEST_AROUND:
                    self._texts.append((name, shown.text))

    def showing(self, raw: Any) -> list[str]:
        """The fields that show a value of the page's data."""
        if isinstance(raw, list):
            return [name for name, shown in self._several.items() if is_same(shown, raw, self._base)]
        if raw is None or isinstance(raw, bool) or (isinstance(raw, str) and len(raw) > LONGEST):
            return []
        keys = keys_of_value(raw, self._base) | keys_of_value(_in_units(raw), self._base)
        found = {name for key in keys for name in self._by_key.get(key, ())}
        within = str(raw) if isinstance(raw, str | int) else ""
        if LEAST_WITHIN <= len(within) <= LONGEST_AROUND:
            found.update(name for name, text in self._texts if within in text)
        return list(found)


def _both(name: str, path: ValuePath, pages: Sequence[CarryingPage]) -> Iterator[tuple[CarryingPage, Shown, Any]]:
    """The pages that show a field and carry something at a path."""
    for page in pages:
        shown = page.shown.get(name)
        if shown is not None and (raw := path.raw(page.carried)) is not None:
            yield page, shown, raw


def _is_held(
    name: str, path: ValuePath, pages: Sequence[CarryingPage], least_pages: Mapping[str, int], least_texts: int
) -> bool:
    """Whether a path gives a field on every page on which both are there, and these are enough."""
    texts: Counter[object] = Counter()
    for page, shown, raw in _both(name, path, pages):
        if not (path.agrees(shown, raw, page.base) or is_same(shown, _in_units(raw), page.base)):
            return False
        texts[_text(shown)] += 1
    return texts.total() >= least_pages[path.source.syntax] and len(texts) >= least_texts


def _text(shown: Shown) -> ShownPart:
    return tuple(plain(one.text) for one in shown) if isinstance(shown, tuple) else plain(shown.text)


def _written(name: str, path: ValuePath, pages: Sequence[CarryingPage]) -> ValuePath | None:
    """A path with the rule by which pages write its values; None if there is none, and they are not the same."""
    both = [(page, _text(shown), raw) for page, shown, raw in _both(name, path, pages)]
    is_many = EVERY in path.path
    texts = [(text,) if is_many and isinstance(text, str) else text for _, text, _ in both]
    rule = find_rule(texts, [{path.path: raw} for *_, raw in both], both[0][0].language)
    if rule is not None and not rule.is_constant:
        return replace(path, rule=rule)
    return path if all(is_same(shown, raw, page.base) for page, shown, raw in _both(name, path, pages)) else None


def _rank(name: str, path: ValuePath, pages: Sequence[CarryingPage]) -> tuple[int, bool, bool, int]:
    """On how many pages it gives the field; then whether it has its name, is what the page publishes, and is short."""
    short = name.rpartition(".")[2].lower()
    named = any(short in str(key).lower() for key in path.path[-2:])
    count = sum(1 for _ in _both(name, path, pages))
    return -count, not named, path.source.syntax != "json-ld", len(path.path)
