"""Traps of a site: spaces of addresses without end and without anything new in them.

Each rule needs evidence from visited pages before it cuts anything off, and says what it cut off. They are rules on
addresses alone and on what pages lead to, so they work with any ranking, and also where every page is wanted.
"""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TypeVar

from sightline.crawler._addresses import parts_of, shape_of, without_parameter

_MOST_STEPS = 20  # of a path; the deepest of 25,000 links on 121 real pages of lists has 12
_DEEP_STEPS = 9  # from here on paths count as deep, and have to lead somewhere: 2 % of those links
_DEEP_VISITS = 25  # deep pages below one place that show nothing, before the rest is cut off
# A stretch of one to three steps with a letter in it, three times in a row; numbers may well repeat.
_REPEATS = re.compile(r"/((?=[^/]*[A-Za-z])(?:[^/]+/){1,3}?)(?:\1){2,}")
_DATE = re.compile(
    r"(?:^|[^0-9])(?:19|20)\d\d[-/._](?:0?[1-9]|1[0-2])(?:[^0-9]|$)|(?:^|[^0-9])(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[^0-9]|$)"
)
_DATE_NAMES = re.compile(
    r"(?:year|month|day|date|week|jahr|monat|tag|datum|annee|mois|jour|fecha|mes|cal\w*)", re.IGNORECASE
)
_YEAR = re.compile(r"(?:^|[^0-9])((?:19|20|21)\d\d)(?:[^0-9]|$)")
_YEARS_AHEAD = 2  # events are announced a year ahead, seldom two
_BARREN = 20  # pages of a calendar in a row that lead to nothing new; two thirds of a month of days
_ALIKE = 3  # skeletons among them: a month has four or five rows of weeks, and there may be a page without any day
_VOTES = 3  # pairs of pages that agree on what a parameter does not change
_VARIANTS = 24  # addresses of one path before its parameters are taken for filters: four filters with six values
_TIMES_VALUES = 1.5  # combinations a value; pages that are named by a number have a value each
_BARREN_VARIANTS = 12
_WORD = re.compile(rb"\w+")
_TAG = re.compile(rb"<[^>]*>")
_FEW_WORDS = 20  # fewer may be the same on two pages by chance
_LONG_VALUE = 6  # letters; shorter values occur on a page by chance
_KEPT_VALUES = 500  # of a parameter
_KEPT_FAMILIES = 5_000  # of a host; beyond, the oldest is forgotten


@dataclass(frozen=True, slots=True)
class SeenPage:
    """What the rules look at of a visited page; `leads` are addresses that nobody knew before."""

    url: str
    content: bytes
    skeleton: str
    links: tuple[str, ...]
    leads: tuple[str, ...]
    is_target: bool


@dataclass(frozen=True, slots=True)
class Trap:
    """Something to cut off: `what` in a word, `text` in a sentence."""

    what: str
    text: str
    parameter: str = ""


@dataclass
class _Calendar:
    visits: int = 0
    barren: int = 0
    skeletons: deque[str] = field(default_factory=lambda: deque(maxlen=_BARREN))


@dataclass
class _Variants:
    """The addresses of one path: which values its parameters have, and what following them brought."""

    known: int = 0
    barren: int = 0
    values: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


class Traps:
    """The rules for one host; it remembers what they need, and what was cut off.

    >>> Traps(focused=False).closed("https://example.org/a/b/a/b/a/b/")
    'its path goes in circles'
    """

    def __init__(self, *, focused: bool, known: Callable[[str], bool] = lambda _: False) -> None:
        """`known` says whether an address was found before."""
        self._focused = focused
        self._known = known
        self.ignored: set[str] = set()
        """Parameters that change nothing."""
        self.shut: dict[str, str] = {}
        """Families of addresses that are cut off, and why."""
        self._calendars: dict[str, _Calendar] = {}
        self._variants: dict[str, _Variants] = {}
        self._word_sets: dict[str, dict[int, tuple[tuple[str, str], ...]]] = {}
        self._deep: Counter[str] = Counter()
        self._without: dict[tuple[str, str], tuple[str, bytes]] = {}
        self._votes: Counter[str] = Counter()

    # ------------------------------------------------------------------------------------------------- before a visit

    def plain(self, url: str) -> str:
        """The address without the parameters that change nothing."""
        if self.ignored and "?" in url:
            for name in self.ignored:
                if name in url:
                    url = without_parameter(url, name)
        return url

    def closed(self, url: str) -> str | None:
        """Why an address is not to be visited; None if it may be."""
        path, _, query = url.partition("?")
        steps = path.count("/") - 2
        if steps > _MOST_STEPS:
            return f"its path has more than {_MOST_STEPS} steps"
        if steps >= 3 and _REPEATS.search(f"{path}/"):
            return "its path goes in circles"
        if not self.shut:
            return None
        families = [_deep_family(path)] if steps >= _DEEP_STEPS else []
        if "&" in query:
            families.append(_filter_family(self._unfiltered(url)))
        if _is_dated(url):
            families.append(_calendar_family(url))
        return next((self.shut[family] for family in families if family in self.shut), None)

    # -------------------------------------------------------------------------------------------------- after a visit

    def learn(self, page: SeenPage) -> list[Trap]:
        """Take in a visited page; the traps that it made certain."""
        found = [self._deep_path(page), self._calendar(page), self._session(page), *self._views(page)]
        return [trap for trap in found if trap]

    def _deep_path(self, page: SeenPage) -> Trap | None:
        path = page.url.partition("?")[0]
        if path.count("/") - 2 < _DEEP_STEPS:
            return None
        family = _deep_family(path)
        self._deep[family] = 0 if self._pays(page, family) else self._deep[family] + 1
        if self._deep[family] < _DEEP_VISITS or family in self.shut:
            return None
        return self._shut(family, "depth", f"{_DEEP_VISITS} pages deep below {path_start(path)} led to nothing new")

    def _calendar(self, page: SeenPage) -> Trap | None:
        if not _is_dated(page.url):
            return None
        family = _calendar_family(page.url)
        seen = _kept(self._calendars, family, _Calendar)
        seen.visits += 1
        seen.skeletons.append(page.skeleton)
        outside = any(_calendar_family(url) != family for url in page.leads)
        pays = outside or (self._focused and page.is_target)
        seen.barren = 0 if pays else seen.barren + 1
        enough = 3 if _is_far_ahead(page.url) else _BARREN
        if seen.barren < enough or len(set(seen.skeletons)) > _ALIKE or family in self.shut:
            return None
        return self._shut(family, "calendar", f"{seen.barren} pages of the calendar {family[9:]} led to nothing new")

    def _session(self, page: SeenPage) -> Trap | None:
        """A parameter whose values, wherever they stand, are the only things in which two pages differ."""
        for name, value in parts_of(page.url)[1]:
            if len(value) < _LONG_VALUE or name in self.ignored:
                continue
            bare = re.sub(re.escape(name).encode() + rb"=[^&\"'\s<>#]*", b"", page.content)
            key = (name, without_parameter(page.url, name))
            digest = blake2b(bare, digest_size=8).digest()
            other = self._without.get(key)
            if len(self._without) >= _KEPT_FAMILIES:
                self._without.clear()
            self._without[key] = (value, digest)
            if other and other[0] != value and other[1] == digest:
                return self._vote(name, "session", "names the visit and not the page")
        return None

    def _views(self, page: SeenPage) -> list[Trap]:
        """Parameters that only sort, and combinations of filters that show nothing new."""
        traps = [self._sorting(page)]
        base = self._unfiltered(page.url)
        if "?" in page.url or base in self._variants:
            seen = _kept(self._variants, base, _Variants)
            pays = any(self._unfiltered(url) != base for url in page.leads) or (self._focused and page.is_target)
            seen.barren = 0 if pays else seen.barren + 1
            traps.append(self._filters(seen, base))
        return [trap for trap in traps if trap]

    def _unfiltered(self, url: str) -> str:
        """The address without its filters: as long as it is known without a parameter, it goes without it."""
        names = [name for name, _ in parts_of(url)[1]]
        shorter = (without_parameter(url, name) for name in reversed(names))
        found = next((one for one in shorter if self._known(one)), None)
        return url if found is None else self._unfiltered(found)

    def _sorting(self, page: SeenPage) -> Trap | None:
        """A parameter that shows the same words in another order."""
        path, parameters = parts_of(page.url)
        if not parameters and path not in self._word_sets:
            return None
        words = sorted(_WORD.findall(_TAG.sub(b" ", page.content)))
        sets = _kept(self._word_sets, path, dict)
        if len(words) < _FEW_WORDS or len(sets) >= _KEPT_VALUES:
            return None
        other = sets.setdefault(hash(tuple(words)), parameters)
        differing = {name for name, _ in set(other) ^ set(parameters)}
        return self._vote(differing.pop(), "view", "shows the same in another way") if len(differing) == 1 else None

    def copy(self, url: str, other: str) -> Trap | None:
        """Take in that two addresses gave the same bytes; a parameter in which alone they differ changes nothing."""
        path, parameters = parts_of(url)
        there, others = parts_of(other)
        differing = {name for name, _ in set(parameters) ^ set(others)}
        if path != there or len(differing) != 1:
            return None
        return self._vote(differing.pop(), "session", "changes nothing")

    def _vote(self, name: str, what: str, why: str) -> Trap | None:
        """One more pair of pages that a parameter does not tell apart; enough of them make it certain."""
        self._votes[name] += 1
        return self._ignore(name, what, why) if self._votes[name] >= _VOTES and name not in self.ignored else None

    def note(self, url: str) -> None:
        """Take in an address that was found: which values its parameters have."""
        parameters = parts_of(url)[1]
        if len(parameters) < 2:
            return
        seen = _kept(self._variants, self._unfiltered(url), _Variants)
        seen.known += 1
        for name, value in parameters:
            if len(seen.values[name]) < _KEPT_VALUES:
                seen.values[name].add(value)

    def _filters(self, seen: _Variants, base: str) -> Trap | None:
        values = sum(map(len, seen.values.values()))
        family = _filter_family(base)
        combined = seen.known >= _VARIANTS and seen.known >= _TIMES_VALUES * values
        if not combined or seen.barren < _BARREN_VARIANTS or family in self.shut:
            return None
        text = f"{seen.known} combinations of filters of {base}, of which the last {seen.barren} led to nothing new"
        return self._shut(family, "filters", text)

    # -------------------------------------------------------------------------------------------------------- helpers

    def _pays(self, page: SeenPage, family: str) -> bool:
        """Whether a page led out of its family, or is one of those looked for."""
        if self._focused and page.is_target:
            return True
        return any(_deep_family(url.partition("?")[0]) != family for url in page.leads)

    def _shut(self, family: str, what: str, text: str) -> Trap:
        self.shut[family] = text
        return Trap(what, f"Cut off: {text}.")

    def _ignore(self, name: str, what: str, why: str) -> Trap:
        self.ignored.add(name)
        return Trap(what, f"The parameter `{name}` {why}; addresses that differ in it alone count as one.", name)


def path_start(path: str) -> str:
    """The first steps of a path, by which people know where they are."""
    return "/".join(path.split("/")[:5])


def _deep_family(path: str) -> str:
    return f"deep {path_start(path)}"


def _filter_family(base: str) -> str:
    return f"filters {base}"


def _calendar_family(url: str) -> str:
    return f"calendar {shape_of(url)}"


def _is_dated(url: str) -> bool:
    """Whether an address names a day or a month, as calendars do."""
    path, parameters = parts_of(url)
    if _DATE.search(path[path.find("/", 8) :]):
        return True
    return any(
        _DATE_NAMES.fullmatch(name) or (len(value) >= 6 and _DATE.search(value))
        for name, value in parameters
        if any(letter.isdecimal() for letter in value)
    )


def _is_far_ahead(url: str) -> bool:
    years = [int(year) for year in _YEAR.findall(url[url.find("/", 8) :])]
    return bool(years) and max(years) > datetime.now(UTC).year + _YEARS_AHEAD


_Family = TypeVar("_Family")


def _kept(families: dict[str, _Family], name: str, make: Callable[[], _Family]) -> _Family:
    """What is remembered of a family; the oldest is forgotten when there are too many."""
    if name not in families:
        if len(families) >= _KEPT_FAMILIES:
            del families[next(iter(families))]
        families[name] = make()
    return families[name]
