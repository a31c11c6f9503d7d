"""The pages of the set, what is known of them, and the ways to read their tables."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.frame import Corpus, Options, folder_of, thinned
from bench.pages import json_lines, naming
from bench.peers import answered
from bench.tables.adjacency import Found, PageScore, PageTruth, score
from sightline.data import Table
from sightline.extract.published import ventrec
from sightline.extract.tables import RULES, TableSettings, find_tables
from sightline.page import Page

DEFAULT = "sightline"
LATER = "tables2"  # pages that came later
RENDERING = "rendering alone"
PLAIN = "VENTrec"
SHORT_CELLS = "VENTrec-20"  # cells of at most 20 words
MOST_WORDS = 20
PEERS_SCRIPT = Path(__file__).with_name("peers.py")

# How many rows are headings in tables without `th` and `thead` of the sets `tables` and `tables2`, labelled by eye; a
# table that can be read in two ways has no label.
SEEN = Path(__file__).with_name("header_rows.json")

Way = Callable[[Page], list[Table]]


@dataclass(frozen=True)
class Truth:
    """The pages that are measured on, with the folder that they lie in."""

    folder: Path
    pages: tuple[PageTruth, ...]
    name: str = "tables"

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of the pages, in order."""
        return tuple(self.folder / page.file for page in self.pages)

    @property
    def corpus(self) -> Corpus:
        """Pages and truth: figures are comparable only where both are the same."""
        return Corpus(self.name, (self.folder / "truth.jsonl", *self.files))


@dataclass(frozen=True)
class Peer:
    """What another library found on every page."""

    name: str
    version: str
    found: tuple[list[Found], ...]


def read_truth(options: Options, named: Sequence[str] = (), name: str = "tables") -> Truth:
    """What is known of the pages; of those only that have one of the names in their id, set or part, if any."""
    folder = folder_of(name, options)
    seen = json.loads(SEEN.read_text("utf-8"))
    pages = [PageTruth.from_json(line, seen.get(line["id"])) for line in json_lines(folder / "truth.jsonl")]
    chosen = [page for page in pages if not named or any(name in f"{page.id} {page.part}" for name in named)]
    if not chosen:
        raise SystemExit(f"bench: no page of the set {name} is named {', '.join(named)}.")
    return Truth(folder, tuple(thinned(chosen, options.limit)), name)


def settings_without(*rules: str) -> TableSettings:
    """The default settings with some rules left out."""
    unknown = [rule for rule in rules if rule not in RULES]
    if unknown:
        raise SystemExit(f"bench: there is no rule {', '.join(unknown)}; the rules are {', '.join(RULES)}.")
    return TableSettings(without=tuple(dict.fromkeys(rules)))


def ways(without: Sequence[str] = ()) -> Mapping[str, Way]:
    """The ways to read a page that are compared, with these rules left out where there are rules."""
    default, rendering = settings_without(*without), settings_without(*without, "markup")
    return {
        DEFAULT: lambda page: find_tables(page, settings=default),
        RENDERING: lambda page: find_tables(page, settings=rendering),
        PLAIN: ventrec,
        SHORT_CELLS: lambda page: ventrec(page, most_words=MOST_WORDS),
    }


def found_on(truth: Truth, pages: Sequence[Page], way: Way) -> list[list[Found]]:
    """The tables of every page, read in one way."""
    found = []
    for known, page in zip(truth.pages, pages, strict=True):
        with naming(known.id):
            found.append([_found(table) for table in way(page)])
    return found


def _found(table: Table) -> Found:
    return Found(table.rows, table.header_rows, tuple(cell.text for cell in table.anchors))


def scores(truth: Truth, found: Sequence[Sequence[Found]]) -> list[PageScore]:
    """What was found on every page against what is known of it."""
    return [score(known, tables) for known, tables in zip(truth.pages, found, strict=True)]


def peers(truth: Truth) -> Iterator[Peer]:
    """What the peers that are installed find in the same files."""
    answers: Mapping[str, Any] = answered("peers", PEERS_SCRIPT, list(map(str, truth.files)))
    for name, answer in answers.items():
        found = tuple([Found.from_json(table) for table in tables] for tables in answer["pages"])
        yield Peer(name, answer["version"], found)
