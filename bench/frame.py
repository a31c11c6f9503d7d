"""What every task shares: where the data lies, how a figure is written down, and how it is shown."""

import hashlib
import json
import os
import platform
import statistics
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Literal, TypeVar

from rich.console import Console
from rich.table import Table

T = TypeVar("T")
Better = Literal["lower", "higher"]

HERE = Path(__file__).parent
RESULTS = HERE / "results"
LEAST_CHANGE = 0.0005  # smaller changes vanish in three digits
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


def publish(outcome: Outcome, *, full: bool) -> None:
    """Print the table; write it down unless only a part of the data was measured."""
    console = Console(width=110)
    names = ", ".join(f"{one.name} ({len(one.files)} files, {one.hash})" for one in outcome.corpora)
    table = Table("figure", "ours", outcome.peer, "ratio or value", "bound", "", title=f"{outcome.task}: {names}")
    for figure in outcome.figures:
        peer = "" if figure.peer is None else f"{figure.peer:,.4g}"
        table.add_row(
            figure.name,
            f"{figure.ours:,.4g}",
            peer,
            f"{figure.value:,.4g} {figure.unit}",
            *_bound_shown(figure),
        )
    for view in (table, *outcome.views):
        console.print(view)
    for remark in outcome.remarks:
        console.print(f"  {remark}")
    if full:
        _write(outcome)


def _bound_shown(figure: Figure) -> tuple[str, str]:
    if figure.bound is None:
        return "–", ""
    sign = "≤" if figure.better == "lower" else "≥"
    return f"{sign} {figure.bound:g}", "[green]kept" if figure.kept else "[red]missed"


def _write(outcome: Outcome) -> None:
    document = {
        "task": outcome.task,
        "peer": outcome.peer,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "corpora": {one.name: {"hash": one.hash, "files": len(one.files)} for one in outcome.corpora},
        "figures": [asdict(figure) for figure in outcome.figures],
        "remarks": outcome.remarks,
        "details": outcome.details,
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{outcome.task}.json"
    temporary = path.with_suffix(".part")
    temporary.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", "utf-8")
    temporary.replace(path)


def changed(full: float, value: float, *, lower_is_better: bool = False) -> str:
    """A figure with a rule left out, and by how much it changed: red for a loss, green for a gain.

    >>> changed(0.9, 0.8), changed(0.9, 0.9)
    ('0.800 [red]-0.100[/]', '0.900')
    """
    change = value - full
    if abs(change) < LEAST_CHANGE:
        return f"{value:.3f}"
    is_loss = (change > 0) == lower_is_better
    return f"{value:.3f} [{'red' if is_loss else 'green'}]{change:+.3f}[/]"


def show_texts(what: str, texts: Sequence[str], indent: str = "  ") -> None:
    """Print how many texts there are of a sort, and the first of them."""
    if texts:
        print(f"{indent}{what}: {len(texts)}")
    for text in texts[:SHOWN]:
        flat = " ".join(text.split())
        print(f"{indent}  {flat if len(flat) <= TEXT_SHOWN else flat[: TEXT_SHOWN - 1] + '…'}")
