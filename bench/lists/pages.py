"""The pages of the two sets, what is known of them, and the ways to read their lists."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from bench.frame import Corpus, Options, folder_of, thinned
from bench.lists import peers, records, topk
from bench.lists.items import Found, FoundList
from bench.lists.records import ListTruth
from bench.lists.topk import TopTruth
from bench.pages import json_lines, naming
from sightline.data import ItemList
from sightline.extract import lists as engine
from sightline.extract.published import basic_top
from sightline.page import Page

LISTS = "lists"
DEFAULT = "sightline"
BASIC = "Basic"
OPTIMISATIONS = ("visual area", "interleaving", "k ± 1", "item title")  # the four that were published
PATHS = "paths alone"
# What the published method has not: without it, tag paths and its four optimisations are left, ranked by our measures.
OURS = ("headings", "bold lines", "regions", "windows", "numbering", "hidden", "unfading")
LIST_PEERS = {"siblings": peers.siblings}
TOP_PEERS = {"headings": peers.headings, "tag paths": peers.tag_paths}

Way = Callable[[Page], Sequence[ItemList]]
TopWay = Callable[[Page], ItemList | None]
R = TypeVar("R")
Known = TypeVar("Known", ListTruth, TopTruth)


@dataclass(frozen=True)
class Truth(Generic[Known]):
    """What is known of the pages of a set that are measured on, with the folder that they lie in."""

    set: str
    folder: Path
    known: tuple[Known, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The files of the pages, each once, in order."""
        return tuple(dict.fromkeys(one.file for one in self.known))

    @property
    def files(self) -> tuple[Path, ...]:
        """The same, where they lie."""
        return tuple(self.folder / name for name in self.names)

    @property
    def corpus(self) -> Corpus:
        """Pages and truth: figures are comparable only where both are the same."""
        return Corpus(self.set, (self.folder / "truth.jsonl", *self.files))


def lists_truth(options: Options, named: Sequence[str] = (), *, of: str = LISTS) -> Truth[ListTruth]:
    """The pages of a set with lists of records; those only that have one of the names in their id or part, if any."""
    return _read(of, ListTruth.from_json, options, named)


def top_truth(options: Options, named: Sequence[str] = ()) -> Truth[TopTruth]:
    """The pages that promise a number of items, or seem to; chosen in the same way."""
    return _read("topk", TopTruth.from_json, options, named)


def _read(set: str, make: Callable[[Mapping[str, Any]], Known], options: Options, named: Sequence[str]) -> Truth[Known]:
    folder = folder_of(set, options)
    known = [make(line) for line in json_lines(folder / "truth.jsonl")]
    chosen = [one for one in known if not named or any(name in f"{one.id} {one.part}" for name in named)]
    return Truth(set, folder, tuple(thinned(chosen, options.limit)))


def split(rules: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """These rules, as far as they are rules for lists, and for top-k lists."""
    known = engine.LIST_RULES, engine.TOP_RULES
    unknown = [rule for rule in rules if not any(rule in names for names in known)]
    if unknown:
        names = ", ".join(dict.fromkeys(name for several in known for name in several))
        raise SystemExit(f"bench: there is no rule {', '.join(unknown)}; the rules are {names}.")
    for_lists, for_top = (tuple(dict.fromkeys(rule for rule in rules if rule in names)) for names in known)
    return for_lists, for_top


def list_way(without: Sequence[str] = ()) -> Way:
    """Our reading of the lists of a page, with these rules left out."""
    settings = engine.ListSettings(without=split(without)[0])
    return lambda page: engine.find_lists(page, settings=settings)


def top_way(without: Sequence[str] = ()) -> TopWay:
    """Our reading of the list that a page promises, with these rules left out."""
    settings = engine.TopSettings(without=split(without)[1])
    return lambda page: engine.find_top(page, settings=settings)


def top_ways(without: Sequence[str] = ()) -> Mapping[str, TopWay]:
    """Ours, the published method with and without its optimisations, and both without each of them."""
    alone = {f"without {rule}": top_way((*without, rule)) for rule in OPTIMISATIONS}
    paths = {f"{PATHS} without {rule}": top_way((*without, *OURS, rule)) for rule in OPTIMISATIONS}
    plain = {BASIC: lambda page: basic_top(page), PATHS: top_way((*without, *OURS))}
    return {DEFAULT: top_way(without)} | plain | alone | paths


def found_lists(truth: Truth[ListTruth], pages: Sequence[Page], way: Way) -> dict[str, list[FoundList]]:
    """The lists of every file, in their ranking."""
    return _on_each(truth, pages, lambda page: [_found(one) for one in way(page)])


def found_tops(truth: Truth[TopTruth], pages: Sequence[Page], way: TopWay) -> dict[str, FoundList]:
    """The promised list of every file; no items where there is none."""
    return _on_each(truth, pages, lambda page: _found(way(page)))


def score_lists(truth: Truth[ListTruth], found: Mapping[str, Sequence[FoundList]]) -> list[records.PageScore]:
    """What was found in every file against the lists known of it."""
    return [records.score(one, found[one.file]) for one in truth.known]


def score_tops(truth: Truth[TopTruth], found: Mapping[str, FoundList]) -> list[topk.TopScore]:
    """What was found in every file against the items known of it."""
    return [topk.score(one, found[one.file]) for one in truth.known]


def read_by_tags(truth: Truth[Any], reader: Callable[[peers.Document], R]) -> dict[str, R]:
    """What a peer finds in every file."""
    return {name: reader(peers.read(path)) for name, path in zip(truth.names, truth.files, strict=True)}


def _on_each(truth: Truth[Any], pages: Sequence[Page], read: Callable[[Page], R]) -> dict[str, R]:
    found = {}
    for name, page in zip(truth.names, pages, strict=True):
        with naming(name):
            found[name] = read(page)
    return found


def _found(items: ItemList | None) -> FoundList:
    """What the JSON contract hands out, as that is what users get."""
    return [Found.from_json(item) for item in items.to_json()["items"]] if items else []
