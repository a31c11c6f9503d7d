"""Repeats: what an extractor sees of one unchanged saved page, captured again and again.

Saved pages of five sets whose scripts use timers or whose styles move things, and pages made for this that move in the
ways that sites do (`bench/moving.py`). Each is captured by a new browser in every round, as commands do one after the
other. Two captures differ if other texts are visible, if a box of a visible element is elsewhere by more than a pixel,
or if tables, lists or main text come out differently; what most captures of a page have in common counts as the page.

The environment variable SIGHTLINE_BENCH_LOAD says how many processes keep the machine busy meanwhile.
"""

import multiprocessing
import os
import re
import statistics
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt

import sightline as sl
from bench.frame import Corpus, Figure, Options, Outcome, corpus, thinned
from bench.moving import write_moving
from sightline.page import Page
from sightline.sources import Loader

SETS = ("content", "content2", "evolution", "sites", "paging")
PAGES = 8  # of each set
ROUNDS = 10
MOST_MOVED = 1.0  # pixels
MOST_BYTES = 600_000  # larger pages say no more, and take the time of ten others
MOVES = re.compile(r"setTimeout|setInterval|requestAnimationFrame|@keyframes|\btransition\s*:|\banimation\s*:")
SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)", re.IGNORECASE)
LOAD = int(os.environ.get("SIGHTLINE_BENCH_LOAD", "0"))


@dataclass(frozen=True)
class Seen:
    """What an extractor sees of one capture."""

    texts: tuple[str, ...]
    results: tuple[str, ...]
    boxes: npt.NDArray[np.float32]
    seconds: float


def run(options: Options) -> Outcome:
    """Capture every page in every round."""
    made = Corpus("made", tuple(write_moving(Path(tempfile.mkdtemp(prefix="sightline-repeats-")))))
    sets = [made, *(_with_scripts(name, options) for name in SETS)]
    files = [path for one in sets for path in one.files]
    seen: dict[Path, list[Seen]] = defaultdict(list)
    with _loaded(LOAD):
        for _ in range(ROUNDS):
            for path, one in _round(files):
                seen[path].append(one)
    texts, boxes, results = (_strays(seen, what) for what in ("texts", "boxes", "results"))
    captures = sum(map(len, seen.values()))
    strays = {path: max(texts[path], boxes[path], results[path]) for path in seen}
    return Outcome(
        task="repeats",
        peer="captures",
        corpora=tuple(sets),
        figures=(
            _figure("captures in which other texts are visible", texts, captures),
            _figure("captures in which boxes are elsewhere", boxes, captures),
            _figure("captures from which something else is extracted", results, captures),
            Figure.of("seconds a capture, median", _seconds(seen), None, "lower", "s"),
        ),
        remarks=(
            f"{captures} captures of {len(seen)} pages with {LOAD} processes beside them; "
            f"{sum(1 for count in strays.values() if count)} pages are not always the same.",
            *(f"{count} of {len(seen[path])}: {path}" for path, count in strays.items() if count),
        ),
    )


def _figure(name: str, strays: dict[Path, int], captures: int) -> Figure:
    count = sum(strays.values())
    return Figure.ratio(name, count, captures, 0.02, "lower", "")


def _seconds(seen: dict[Path, list[Seen]]) -> float:
    return statistics.median(one.seconds for several in seen.values() for one in several)


def _with_scripts(name: str, options: Options) -> Corpus:
    """Pages that move and have a script of their own in the markup: those that stand elsewhere were rarely saved."""
    found = [
        path
        for path in corpus(name, Options(data=options.data)).files
        if path.stat().st_size < MOST_BYTES and _moves(path.read_text("utf-8", "replace"))
    ]
    return Corpus(name, tuple(thinned(found, min(PAGES, options.limit or PAGES))))


def _moves(text: str) -> bool:
    return MOVES.search(text) is not None and SCRIPT.search(text) is not None


def _round(files: Sequence[Path]) -> Iterator[tuple[Path, Seen]]:
    with Loader() as loader:
        for path in files:
            began = perf_counter()
            page = loader.load(path)
            yield path, _seen(page, perf_counter() - began)


def _seen(page: Page, seconds: float) -> Seen:
    written = page.visible & page.is_text & ~page.is_blank
    results = (
        *(str(table.to_dicts()) for table in sl.tables(page)),
        *(str([item.text.text for item in found.items]) for found in sl.lists(page)),
        sl.content(page).text,
    )
    shown = np.flatnonzero(page.visible & ~page.is_text)
    return Seen(tuple(page.texts_of(np.flatnonzero(written))), results, page.box[shown], seconds)


def _strays(seen: dict[Path, list[Seen]], what: str) -> dict[Path, int]:
    """How many captures of a page differ from most."""
    return {path: len(several) - max(Counter(_classes(several, what)).values()) for path, several in seen.items()}


def _classes(several: list[Seen], what: str) -> list[int]:
    """Which captures are alike, each by the number of the first of them."""
    kinds: list[int] = []
    for number, one in enumerate(several):
        kinds.append(next((first for first in dict.fromkeys(kinds) if _alike(several[first], one, what)), number))
    return kinds


def _alike(one: Seen, other: Seen, what: str) -> bool:
    if what != "boxes":
        return bool(getattr(one, what) == getattr(other, what))
    return one.boxes.shape == other.boxes.shape and bool((np.abs(one.boxes - other.boxes) <= MOST_MOVED).all())


def _spin() -> None:
    while True:
        pass


@contextmanager
def _loaded(processes: int) -> Iterator[None]:
    """So many processes that keep the machine busy."""
    busy = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(processes)]
    for one in busy:
        one.start()
    try:
        yield
    finally:
        for one in busy:
            one.terminate()
            one.join()
