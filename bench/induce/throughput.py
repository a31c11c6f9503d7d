"""Pages a second, from bytes to dicts, with wrappers that have read nothing before; in one process and in two."""

import multiprocessing
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import perf_counter

import sightline as sl
from bench.frame import Figure
from bench.induce.sites import Site
from sightline import Wrapper

LEAST_GAIN = 1.85
ROUNDS = 3


def throughput_figures(sites: Sequence[Site], wrappers: Mapping[str, Wrapper]) -> tuple[Figure, ...]:
    """How many pages one process reads in a second, and how much more two of them read."""
    work = [(wrappers[site.name].dumps(), site.paths(site.split[1])) for site in sites if site.name in wrappers]
    # The largest first, so that at the end no process waits long for the other.
    work.sort(key=lambda one: -len(one[1]))
    if not work:
        return ()
    one, two = (_pages_a_second(work, processes) for processes in (1, 2))
    return (
        Figure.of("pages a second, bytes to dicts, 1 process", one, None, "higher"),
        Figure.ratio("pages a second, 2 processes / 1", two, one, LEAST_GAIN, "higher"),
    )


def _pages_a_second(work: Sequence[tuple[str, list[Path]]], processes: int) -> float:
    """The best of some rounds: what others do on the machine only ever takes away from it."""
    pages = sum(len(paths) for _, paths in work)
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        list(pool.map(_read_all, [one[0] for one in work[:processes]], [one[1][:1] for one in work[:processes]]))
        best = 0.0
        for _ in range(ROUNDS):
            began = perf_counter()
            list(pool.map(_read_all, [one[0] for one in work], [one[1] for one in work]))
            best = max(best, pages / (perf_counter() - began))
    return best


def _read_all(wrapper: str, paths: list[Path]) -> int:
    """Read the pages of a site by a wrapper just loaded."""
    fresh = Wrapper.loads(wrapper)
    return sum(len(fresh.read(sl.open(path.read_bytes(), static=True)).records.to_dicts()) for path in paths)
