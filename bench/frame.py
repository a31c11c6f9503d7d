"""What every task shares: where the data lies, how a figure is written down, and how it is shown."""

import argparse
import hashlib
import json
import os
import platform
import statistics
import subprocess
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, Self, TypeVar

from rich.console import Console
from rich.table import Table

from sightline.files import write_bytes

T = TypeVar("T")
Better = Literal["lower", "higher"]

HERE = Path(__file__).parent
RESULTS = HERE / "results"
CACHE = Path.home() / ".cache" / "sightline" / "bench"
MOST_SHOWN = 10  # of what is wrong, if nobody says how many
RIGHT = 0.9995  # from here on there is nothing to look at
SHOWN, TEXT_SHOWN = 4, 100  # texts of a sort, and the characters of each
UNPACK = HERE.parent.parent / "shared" / "data" / "unpack"


@dataclass(frozen=True)
class Options:
    """How a task was called."""

    data: Path | None = None
    limit: int | None = None
    without: tuple[str, ...] = ()
    show: tuple[str, ...] = ()
    keep_pages: bool = False

    @property
    def is_full(self) -> bool:
        """Whether what is found is to be held: of all data, by all rules, on pages captured now."""
        return self.limit is None and not self.without and not self.keep_pages


@dataclass(frozen=True)
class Figure:
    """One line of a result: ours, the peer's, their ratio, and the bound that the ratio (or ours) must keep.

    Without a bound it is shown for comparison, and nothing holds it.
    """

    name: str
    ours: float
    peer: float | None
    value: float
    bound: float | None
    better: Better
    unit: str = ""

    @classmethod
    def of(
        cls, name: str, ours: float, bound: float | None, better: Better, unit: str = "", *, peer: float | None = None
    ) -> "Figure":
        """A figure that is held by its own value; what a peer has is shown beside it."""
        return cls(name, ours, peer, ours, bound, better, unit)

    @classmethod
    def ratio(
        cls, name: str, ours: float, peer: float, bound: float | None, better: Better, unit: str = "x"
    ) -> "Figure":
        """A figure that is held by what ours is to the peer's."""
        return cls(name, ours, peer, ours / peer, bound, better, unit)

    @property
    def kept(self) -> bool:
        """Whether the bound is kept; where there is none, it is."""
        if self.bound is None:
            return True
        return self.value <= self.bound if self.better == "lower" else self.value >= self.bound


@dataclass
class Counts:
    """Numbers that are summed up one by one; what counts something is made of it."""

    def __add__(self, other: Self) -> Self:
        return type(self)(*(getattr(self, own.name) + getattr(other, own.name) for own in fields(self)))


@dataclass(frozen=True)
class Corpus:
    """The files that were measured on, with a hash of their names and contents."""

    name: str
    files: tuple[Path, ...]

    @property
    def hash(self) -> str:
        """Changes when any file does."""
        digest = hashlib.blake2b(digest_size=8)
        for path in self.files:
            digest.update(path.name.encode() + hashlib.blake2b(path.read_bytes(), digest_size=8).digest())
        return digest.hexdigest()

    def to_json(self) -> dict[str, Any]:
        """What results keep of it."""
        return {"hash": self.hash, "files": len(self.files)}


@dataclass(frozen=True)
class Outcome:
    """What a task found."""

    task: str
    peer: str
    corpora: tuple[Corpus, ...]
    figures: tuple[Figure, ...]
    remarks: tuple[str, ...] = ()
    details: dict[str, float] = field(default_factory=dict)
    views: tuple[Table, ...] = ()


def program(about: str | None) -> argparse.ArgumentParser:
    """What the programs beside the tasks are told: where the data lies, and what each adds to that."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the data sets (default: what the unpack script prints)")
    return parser


def corpus(name: str, options: Options, *, pattern: str = "**/*.html", most: int | None = None) -> Corpus:
    """The pages of a data set, evenly thinned out to at most so many."""
    folder = folder_of(name, options)
    files = sorted(path for path in folder.glob(pattern) if path.is_file())
    if not files:
        raise SystemExit(
            f"bench: the set {name} has no pages in {folder}; see docs/benchmarks.md for how to rebuild it."
        )
    return Corpus(name, tuple(thinned(files, min(most or len(files), options.limit or len(files)))))


def thinned(several: Sequence[T], most: int | None) -> list[T]:
    """At most so many, taken evenly."""
    limit = min(most or len(several), len(several))
    return [several[int(number * len(several) / limit)] for number in range(limit)]


def folder_of(name: str, options: Options) -> Path:
    """Where a data set lies."""
    return options.data / name if options.data else _unpacked(name)


def _unpacked(name: str) -> Path:
    if not UNPACK.exists():
        raise SystemExit(f"bench: there is no data for {name}; give its folder by --data (see docs/benchmarks.md).")
    done = subprocess.run([UNPACK, name], check=True, capture_output=True, text=True)
    return Path(done.stdout.strip())


def median_seconds(work: Callable[[], object], times: int) -> float:
    """The median time of some calls."""
    taken = []
    for _ in range(times):
        began = perf_counter()
        work()
        taken.append(perf_counter() - began)
    return statistics.median(taken)


def publish(outcome: Outcome, options: Options) -> None:
    """Print the table; write it down unless only a part of the data was measured."""
    console = Console(width=110)
    names = ", ".join(f"{one.name} ({len(one.files)} files, {one.hash})" for one in outcome.corpora)
    for view in (_table(outcome.figures, outcome.peer, f"{outcome.task}: {names}"), *outcome.views):
        console.print(view)
    for remark in outcome.remarks:
        console.print(f"  {remark}")
    if options.is_full:
        _write(outcome)


def tell(figures: Iterable[Figure], *remarks: str) -> None:
    """Print some figures: what the programs do that measure a part of a task."""
    Console(width=130).print(_table(figures, "beside", None), *remarks, sep="\n")


def _table(figures: Iterable[Figure], peer: str, title: str | None) -> Table:
    table = Table("figure", "ours", peer, "ratio or value", "bound", "", title=title)
    for one in figures:
        beside = "" if one.peer is None else f"{one.peer:,.4g}"
        table.add_row(one.name, f"{one.ours:,.4g}", beside, f"{one.value:,.4g} {one.unit}", *_bound_shown(one))
    return table


def _bound_shown(figure: Figure) -> tuple[str, str]:
    if figure.bound is None:
        return "–", ""
    sign = "≤" if figure.better == "lower" else "≥"
    return f"{sign} {figure.bound:g}", "[green]kept" if figure.kept else "[red]missed"


def _write(outcome: Outcome) -> None:
    write_result(
        {
            "task": outcome.task,
            "peer": outcome.peer,
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
            "corpora": {one.name: one.to_json() for one in outcome.corpora},
            "figures": [asdict(figure) for figure in outcome.figures],
            "remarks": outcome.remarks,
            "details": outcome.details,
        }
    )


def write_result(document: Mapping[str, Any]) -> None:
    """Write down what a task found."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    write_bytes(RESULTS / f"{document['task']}.json", text.encode())


def shown(value: float | None) -> str:
    """A figure in a table.

    >>> shown(0.5), shown(None)
    ('0.500', '–')
    """
    return "–" if value is None else f"{value:.3f}"


def side_by_side(title: str, columns: Mapping[str, str], results: Mapping[str, object]) -> Table:
    """A row for everybody, with the fields of what they came to by the headings of their columns."""
    sheet = Table("", *columns, title=title)
    for name, of in results.items():
        sheet.add_row(name, *(shown(getattr(of, field)) for field in columns.values()))
    return sheet


def asked_to_show(options: Options, others: Collection[str] = ()) -> tuple[int, list[str]]:
    """How many of the worst `--show` asks for, and parts of names; `others` are words that mean something else."""
    number = next((int(word) for word in options.show if word.isdigit()), MOST_SHOWN)
    return number, [word for word in options.show if not word.isdigit() and word not in (*others, "worst")]


def show_title(text: str, most: int) -> None:
    """Print what is shown next."""
    print(f"\n{'─' * 100}\n{text} (at most {most} shown)")


def show_texts(what: str, texts: Sequence[str], indent: str = "  ") -> None:
    """Print how many texts there are of a sort, and the first of them."""
    if texts:
        print(f"{indent}{what}: {len(texts)}")
    for text in texts[:SHOWN]:
        flat = " ".join(text.split())
        print(f"{indent}  {flat if len(flat) <= TEXT_SHOWN else flat[: TEXT_SHOWN - 1] + '…'}")
