"""What every ranking does: it sorts links into kinds, learns where they led, and chooses the kind to follow next.

The addresses that wait may be millions, so they stay on disk, sorted into kinds: links that stand at alike places and
have alike addresses. A ranking holds figures on kinds only. What it learns about a kind counts for every address of it
at once, and choosing one takes as long as looking through the kinds.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar
from urllib.parse import parse_qsl, unquote

import msgspec

from sightline.sources import Anchor, PageOutline


@dataclass(frozen=True, slots=True)
class VisitedPage:
    """A page that was visited: the kind of link that led to it, and whether it is one of those looked for."""

    url: str
    outline: PageOutline
    kind: str
    depth: int
    is_target: bool
    likeness: float
    order: int = 0
    """How many addresses of the crawl were found before it."""


class FoundLink(NamedTuple):
    """A link to a page that was not visited yet; `kind` is None unless its address waits already."""

    url: str
    anchor: Anchor
    kind: str | None = None


class Placed(NamedTuple):
    """Where an address waits: with others of its kind, the highest score first."""

    kind: str
    score: float


class Ranking(Protocol):
    """The ranking of one site; one object for each host of a crawl."""

    def learn(self, visit: VisitedPage, links: Sequence[FoundLink]) -> None:
        """Take in a page with its links to pages not yet visited, before they are placed."""

    def place(self, visit: VisitedPage, links: Sequence[FoundLink]) -> Sequence[Placed | None]:
        """The place of each link; None leaves an address where it waits."""

    def choose(self, waiting: Mapping[str, int]) -> str | None:
        """The kind to follow next, of those that have addresses waiting (at least one has).

        None asks for the address that breadth-first would visit, whatever its kind: the first one found of those at the
        least depth.
        """

    def rescored(self) -> Mapping[str, float]:
        """New scores of waiting addresses, for rankings that judge each address anew; empty for the others."""

    def dumps(self) -> bytes:
        """All that was learned, to go on after a stop."""


# Breadth-first: pages near the start come first, whatever they are.

_ONLY = "all"


class BreadthFirst:
    """Visits pages in the order of their depth; among those of one depth, in the order found."""

    def __init__(self, *, found: int = 0) -> None:
        self._found = found

    @classmethod
    def loads(cls, state: bytes) -> "BreadthFirst":
        """The ranking that `dumps` wrote down."""
        return cls(found=int(state))

    def learn(self, visit: VisitedPage, links: Sequence[FoundLink]) -> None:
        """Nothing to learn."""

    def place(self, visit: VisitedPage, links: Sequence[FoundLink]) -> Sequence[Placed | None]:
        """New addresses go behind all others of their depth."""
        placed: list[Placed | None] = []
        for link in links:
            if link.kind is None:
                self._found += 1
                placed.append(Placed(_ONLY, -(visit.depth + 1) - self._found * _STEP))
            else:
                placed.append(None)
        return placed

    def choose(self, waiting: Mapping[str, int]) -> str:
        """The kind to follow next."""
        return next(kind for kind, count in waiting.items() if count)

    def rescored(self) -> Mapping[str, float]:
        """Scores never change."""
        return {}

    def dumps(self) -> bytes:
        """How many addresses were found."""
        return str(self._found).encode()


# Small enough that the order found never weighs as much as a step in depth, for up to 10 ** 9 addresses.
_STEP = 1e-9


# -- what links of one kind have in common: the shapes of their addresses, places and texts -------------------------
# Words that many addresses of the site share stay as they are (`package-summary.html`). Others become a letter
# (`Thread.html` is `A.html`, `sql-createtable.html` is `sql-a.html`), and numbers become `#`. Shapes change only when
# twice as many addresses are known, so that most links keep theirs for long.

# Counts and shares at which a word belongs to the site, not to the page. Found by hand over the cases of bench/crawl:
# shares of 1 % and folders of any size split the sites into more kinds than a crawl can learn about.
_LEAST_ADDRESSES, _SHARE_OF_ADDRESSES = 5, 0.025
_SHARE_OF_FOLDERS = 0.05
_LEAST_PAGES, _SHARE_OF_PAGES = 2, 0.1
_LEAST_TEXTS, _SHARE_OF_TEXTS = 5, 0.01
_MOST_VARIANTS = 8  # tab-1 to tab-6 are six different things; item-1 to item-500 are not five hundred
_STEPS = 4  # of a place, counted from the link
_REMEMBERED = 20_000
_MOST_COUNTED = 20_000  # words; beyond, those seen once are forgotten

_Known = TypeVar("_Known")

_WORDS = re.compile(r"[^\W\d_]+|\d+|[\W_]")
_DIGITS = re.compile(r"\d+")
# Classes that say where in a list an element is, or what state it is in.
_STATES = re.compile(
    r"(?:^|[-_])(?:odd|even|active|current|selected|first|last|open|opened|closed|collapsed|expanded|hover|visited|"
    r"disabled|hidden|visible|show|alt|alternate|stripe|striped|highlight|new)(?:$|[-_])",
    re.IGNORECASE,
)
_LANDMARK = re.compile(r"(?:nav|header|footer|aside|main|article|form|menu)\b|\w+#")


class CommonState(msgspec.Struct):
    """What so many addresses or pages have that it belongs to the site; settled once a round."""

    words: set[str] = set()
    folders: set[str] = set()
    ids: set[str] = set()
    texts: set[str] = set()


class ShapesState(msgspec.Struct):
    """What was counted."""

    addresses: int
    pages: int
    round: int
    words: dict[str, int]
    folders: dict[str, int]
    ids: dict[str, int]
    texts: dict[str, int]
    variants: dict[str, set[str]]
    common: CommonState


class Shapes:
    """Counts the words of a site, and gives links their shapes by them."""

    def __init__(self, examples: Sequence[str] = (), state: ShapesState | None = None) -> None:
        """Words that at least two of the `examples` share stay as they are from the start; they are addresses."""
        shared = Counter(word for url in examples for word in _parts_of(url)[1])
        self._kept = frozenset(word for word, count in shared.items() if count > 1)
        self._state = state or ShapesState(0, 0, 0, {}, {}, {}, {}, {}, CommonState())
        self._words = Counter(self._state.words)
        self._folders = Counter(self._state.folders)
        self._ids = Counter(self._state.ids)
        self._texts = Counter(self._state.texts)
        self._address_memory: dict[str, str] = {}
        self._place_memory: dict[str, str] = {}
        self._step_memory: dict[str, str] = {}
        self._ids_memory: dict[str, frozenset[str]] = {}

    def state(self) -> ShapesState:
        """What was counted, to go on after a stop."""
        self._state.words, self._state.folders = dict(self._words), dict(self._folders)
        self._state.ids, self._state.texts = dict(self._ids), dict(self._texts)
        return self._state

    def count_page(self, places: Iterable[str], new: Iterable[tuple[str, str]]) -> None:
        """Take in the places of the links of a page, and the addresses and texts of those that are new."""
        state = self._state
        state.pages += 1
        self._ids.update({own for place in places for own in self._ids_of(place)})
        for url, text in new:
            state.addresses += 1
            folder, words = _parts_of(url)
            self._words.update(words)
            self._folders[folder] += 1
            self._texts[_DIGITS.sub("#", text)] += 1
        if state.addresses >= 2**state.round:
            self._begin_round()

    def address(self, url: str) -> str:
        """The shape of an address."""
        known = self._address_memory.get(url)
        if known is None:
            known = self._shape_of(url)
            _remember(self._address_memory, url, known)
        return known

    @property
    def round(self) -> int:
        """Shapes stay the same within a round."""
        return self._state.round

    def place(self, place: str) -> str:
        """The shape of a place."""
        known = self._place_memory.get(place)
        if known is None:
            known = self._place_shape(place)
            _remember(self._place_memory, place, known)
        return known

    def text(self, text: str) -> str:
        """A text that many links have, or nothing."""
        text = _DIGITS.sub("#", text)
        return text if text in self._state.common.texts else ""

    def _begin_round(self) -> None:
        state = self._state
        while state.addresses >= 2**state.round:
            state.round += 1
        for memory in (self._address_memory, self._place_memory, self._step_memory):
            memory.clear()
        state.common = self._common()
        for counter in (self._words, self._folders, self._ids, self._texts):
            if len(counter) > _MOST_COUNTED:
                for word in [word for word, count in counter.items() if count == 1]:
                    del counter[word]

    def _common(self) -> CommonState:
        addresses, pages = self._state.addresses, self._state.pages
        return CommonState(
            _frequent(self._words, max(_LEAST_ADDRESSES, _SHARE_OF_ADDRESSES * addresses)),
            _frequent(self._folders, max(_LEAST_ADDRESSES, _SHARE_OF_FOLDERS * addresses)),
            _frequent(self._ids, max(_LEAST_PAGES, _SHARE_OF_PAGES * pages) if pages > 1 else 1),
            _frequent(self._texts, max(_LEAST_TEXTS, _SHARE_OF_TEXTS * addresses)),
        )

    def _shape_of(self, url: str) -> str:
        path, asked = _split(url)
        folder, _, file = path.rpartition("/")
        folders = folder.split("/")[1:]
        top = [self._folder(folders[0])] if folders else []
        deeper = ["…"] if len(folders) > 1 else []
        query = (
            "&".join(sorted(self._asked(*pair) for pair in parse_qsl(asked, keep_blank_values=True))) if asked else ""
        )
        return "/".join(["", *top, *deeper, self._segment(file)]) + (f"?{query}" if query else "")

    def _folder(self, folder: str) -> str:
        return folder if folder in self._state.common.folders else self._segment(folder)

    def _asked(self, key: str, value: str) -> str:
        return f"{key}={value}" if not value.isdigit() and self._is_common(value) else key

    def _is_common(self, word: str) -> bool:
        return word in self._state.common.words or word in self._kept

    def _segment(self, segment: str) -> str:
        shape: list[str] = []
        for word in _WORDS.findall(segment):
            kept = self._word(word) if word.isalnum() else word
            # A name of three words has the shape of a name of two.
            if len(shape) >= 2 and kept == shape[-2] and shape[-1] in "-_+ .":
                shape.pop()
            elif not shape or kept != shape[-1]:
                shape.append(kept)
        return "".join(shape).replace(" ", "_")

    def _word(self, word: str) -> str:
        if word.isdigit():
            return "#"
        if self._is_common(word):
            return word
        return "A" if word[0].isupper() else "a"

    def _place_shape(self, place: str) -> str:
        steps = [self._step_shape(step) for step in place.split("/")]
        shaped = _collapsed(steps)
        marks = [step for step in shaped[:-_STEPS] if _LANDMARK.match(step)]
        return "/".join([*marks[-1:], *shaped[-_STEPS:]])

    def _step_shape(self, step: str) -> str:
        known = self._step_memory.get(step)
        if known is None:
            tag, own, classes = _read_step(step)
            is_known = own in self._state.common.ids and not _STATES.search(own)
            kept = {self._class(name) for name in classes if not _STATES.search(name)}
            known = (
                tag + (f"#{_DIGITS.sub('0', own)}" if is_known else "") + "".join(f".{name}" for name in sorted(kept))
            )
            _remember(self._step_memory, step, known)
        return known

    def _class(self, name: str) -> str:
        general = _DIGITS.sub("0", name)
        if general == name:
            return name
        variants = self._state.variants.setdefault(general, set())
        if len(variants) <= _MOST_VARIANTS:
            variants.add(name)
        return general if len(variants) > _MOST_VARIANTS else name

    def _ids_of(self, place: str) -> frozenset[str]:
        known = self._ids_memory.get(place)
        if known is None:
            known = frozenset(own for step in place.split("/") if (own := _read_step(step)[1]))
            _remember(self._ids_memory, place, known)
        return known


def _frequent(counts: Mapping[str, int], least: float) -> set[str]:
    return {name for name, count in counts.items() if count >= least}


def _remember(memory: dict[str, _Known], key: str, value: _Known) -> None:
    if len(memory) >= _REMEMBERED:
        memory.clear()
    memory[key] = value


def _parts_of(url: str) -> tuple[str, set[str]]:
    """The first folder of an address, and the words of its file and its query."""
    path, asked = _split(url)
    folder, _, file = path.rpartition("/")
    return folder[1:].partition("/")[0], set(_WORDS.findall(f"{file}?{asked}"))


def _split(url: str) -> tuple[str, str]:
    """The path and the query of a clean address; `urlsplit`, which takes any, takes five times as long.

    >>> _split("https://shop.example/a%20b/c.html?d=e")
    ('/a b/c.html', 'd=e')
    """
    path, _, asked = url.partition("://")[2].partition("#")[0].partition("?")
    _, slash, path = path.partition("/")
    return (unquote(slash + path) if "%" in path else slash + path), asked


def _read_step(step: str) -> tuple[str, str, list[str]]:
    """A tag, its id and its classes."""
    rest, _, classes = step.partition(".")
    tag, _, own = rest.partition("#")
    return tag, own, classes.split()


def _collapsed(steps: list[str]) -> list[str]:
    """Without repetitions: a list in a list in a list is a list."""
    kept: list[str] = []
    for step in steps:
        if len(kept) >= 2 and step == kept[-2]:
            kept.pop()
        elif not kept or step != kept[-1]:
            kept.append(step)
    return kept


# What the pages looked for are about: words that their titles share and other titles lack.
#
# A link that says such a word and isn't a link to such a page may lead to a list of them: "All Examples", "File List".

_WORD = re.compile(r"[^\W\d_]{3,}")
_OFTEN, _SELDOM = 0.5, 0.25  # the share of the titles of targets that have a word of the topic, and of other titles
_MOST_WORDS = 20_000
_ROUND = 1.3  # the words are settled anew when so many times the pages are known


class TopicState(msgspec.Struct):
    """What was counted."""

    targets: int = 0
    others: int = 0
    in_targets: dict[str, int] = {}
    in_others: dict[str, int] = {}
    words: set[str] = set()
    next_round: int = 2


class Topic:
    """Counts the words of titles, and knows those of the topic."""

    def __init__(self, state: TopicState | None = None) -> None:
        self._state = state or TopicState()
        self._in_targets, self._in_others = Counter(self._state.in_targets), Counter(self._state.in_others)

    def state(self) -> TopicState:
        """What was counted, to go on after a stop."""
        self._state.in_targets, self._state.in_others = dict(self._in_targets), dict(self._in_others)
        return self._state

    def count(self, title: str, *, is_target: bool) -> None:
        """Take in the title of a page."""
        state = self._state
        if is_target:
            state.targets += 1
        else:
            state.others += 1
        counter = self._in_targets if is_target else self._in_others
        counter.update(set(_stems(title)))
        if state.targets + state.others >= state.next_round:
            self._settle()

    @property
    def round(self) -> int:
        """The words of the topic stay the same within a round."""
        return self._state.next_round

    def is_said(self, text: str) -> bool:
        """Whether a text has a word of the topic."""
        return bool(self._state.words) and not self._state.words.isdisjoint(_stems(text))

    def _settle(self) -> None:
        state = self._state
        state.next_round = 1 + int(_ROUND * (state.targets + state.others))
        state.words = {
            word
            for word, count in self._in_targets.items()
            if count > 1 and count >= _OFTEN * state.targets and self._in_others[word] <= _SELDOM * state.others
        }
        if len(self._in_others) > _MOST_WORDS:
            self._in_others = Counter({word: count for word, count in self._in_others.items() if count > 1})


def _stems(text: str) -> Iterable[str]:
    """Words without the s of a plural."""
    for word in _WORD.findall(text.lower()):
        yield word.removesuffix("s") if len(word) > 3 else word
