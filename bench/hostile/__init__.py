"""Bad input: a page or one clear error, in time and within memory, whatever is opened and extracted from.

Every file of the set is opened by its path and as bytes; the cases inside of html5lib's test files one by one; naughty
names as sources, at home and in server use; and some hundred files in the browser. From each page every extractor
takes what it can, in every format. Then files of strangers: wrappers, examples and histories, changed at every place.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from rich.progress import track
from rich.table import Table

from bench.frame import Corpus, Figure, Options, Outcome, folder_of, thinned
from bench.hostile.cases import Case, cases
from bench.hostile.files import mutate_all
from bench.hostile.wrappers import MutationCounts, mutate_examples, mutate_histories, mutate_wrappers
from bench.processes import Watched

HANG_SECONDS = 90.0  # the longest page is given 25 s by its limits; what takes longer than this has escaped them
# One in so many of the changes to each kind of file; all 60,000 changes to wrappers take more than half an hour.
MUTATED = {
    "wrappers": (mutate_wrappers, 6),
    "examples": (mutate_examples, 1),
    "histories": (mutate_histories, 2),
    "files of every kind": (mutate_all, 1),
}
MOST_MEMORY = 3_000  # MB; a page of the largest size that limits allow has some 1,500


@dataclass
class Total:
    """The sums of all cases opened in one way."""

    cases: int = 0
    pages: int = 0
    clean: int = 0
    calls: int = 0
    hangs: int = 0
    crashes: int = 0
    foreign: list[str] = field(default_factory=list)


class Worker(Watched):
    """The process that does the work."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._nowhere = tempfile.TemporaryDirectory()

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self._nowhere.cleanup()

    def tell(self, number: int) -> dict[str, object] | str:
        """What became of a case; or `hang` or `crash`."""
        end, said = self.ask(str(number), HANG_SECONDS)
        if end != "answer":
            return end
        found: dict[str, object] = json.loads(said)
        return found

    def start(self) -> "subprocess.Popen[str]":
        """In an empty folder inside of another, since among the names of sources are `.`, `..` and `*`."""
        inner = Path(self._nowhere.name, "inner")
        inner.mkdir(exist_ok=True)
        return subprocess.Popen(
            [sys.executable, "-m", "bench.hostile.worker", str(self._folder.absolute())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=inner,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )


def run(options: Options) -> Outcome:
    """Open everything, and count what became of it."""
    folder = folder_of("hostile", options)
    everything = list(enumerate(cases(folder)))
    chosen = thinned(everything, options.limit)
    totals: dict[str, Total] = {}
    slowest: Counter[str] = Counter()
    memory = 0
    with Worker(folder) as worker:
        for number, case in track(chosen, "Opening", transient=True):
            answer = worker.tell(number)
            total = totals.setdefault(case.how, Total())
            memory = max(memory, _add(total, case, answer, slowest))
    broken: list[str] = []
    mutated = {
        name: mutate(broken.append, every=every if options.limit is None else 100 * every)
        for name, (mutate, every) in MUTATED.items()
    }
    files = tuple(sorted({Path(case.source) for _, case in chosen if case.how == "file"}))
    return Outcome(
        task="hostile",
        peer="of",
        corpora=(Corpus("hostile", files),),
        figures=(*_figures(totals, memory), *_mutation_figures(mutated)),
        remarks=(
            *(f"foreign: {text}" for total in totals.values() for text in total.foreign[:10]),
            *(f"foreign: {text}" for text in broken[:10]),
            *(f"{seconds:.1f} s: {what}" for what, seconds in slowest.most_common(5)),
        ),
        views=(_view(totals),),
    )


def _add(total: Total, case: Case, answer: dict[str, object] | str, slowest: Counter[str]) -> int:
    """Add the answer to a case; its memory."""
    total.cases += 1
    name = f"{case.how} {case.source.rpartition('/hostile/')[2][-80:]!r}"
    if isinstance(answer, str):
        total.hangs += answer == "hang"
        total.crashes += answer == "crash"
        total.foreign.append(f"{answer}: {name}")
        return 0
    total.pages += int(str(answer["pages"]))
    total.clean += int(str(answer["clean"]))
    total.calls += int(str(answer["calls"]))
    assert isinstance(answer["foreign"], list)
    assert isinstance(answer["slowest"], list)
    total.foreign += [f"{text} ({name})" for text in answer["foreign"]]
    seconds, what = answer["slowest"]
    slowest[f"{what} of {name}"] = seconds
    return int(str(answer["memory"]))


def _figures(totals: dict[str, Total], memory: int) -> tuple[Figure, ...]:
    calls = sum(total.calls for total in totals.values())
    hangs = sum(total.hangs for total in totals.values())
    crashes = sum(total.crashes for total in totals.values())
    foreign = sum(len(total.foreign) for total in totals.values()) - hangs - crashes
    bad = {"foreign exceptions": foreign, "hangs": hangs, "crashes": crashes}
    peak = memory / 1e6
    return (
        *(Figure.of(name, count, 0, "lower", "calls", peer=calls) for name, count in bad.items()),
        Figure.of("peak memory", peak, MOST_MEMORY, "lower", "MB"),
    )


def _mutation_figures(mutated: dict[str, MutationCounts]) -> tuple[Figure, ...]:
    return tuple(
        Figure.of(f"changed {name}: foreign", counts.foreign, 0, "lower", "files", peer=counts.mutations)
        for name, counts in mutated.items()
    )


def _view(totals: dict[str, Total]) -> Table:
    view = Table("way", "cases", "pages", "clean errors", "calls", "foreign", "hangs", "crashes", title="by way")
    for how, total in totals.items():
        foreign = len(total.foreign) - total.hangs - total.crashes
        counts = (total.cases, total.pages, total.clean, total.calls, foreign, total.hangs, total.crashes)
        view.add_row(how, *(f"{count:,}" for count in counts))
    return view
