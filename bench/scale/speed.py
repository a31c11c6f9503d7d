"""Pages a second: bare loops in one and two processes, and batches with one and two workers, local and on Ray.

All read the same WARCs, in turns, so that a machine that slows down slows all of them. A bare loop reads each page and
applies the wrapper, and writes nothing; a second one beside it shows how much of a second core this machine can give.
`python -m bench.scale.speed --pages 2000`; times include the start of all processes.
"""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.frame import Figure, Options, program, tell
from bench.scale.corpus import ScalePages, numbers, write_warcs
from bench.scale.truth import Compared, Rows, compare

PAGES, ROUNDS = 50_000, 2
LEAST_RATIO = 1.8
MOST_LOCAL, MOST_RAY = 0.10, 0.20
DONE = (0, 3)  # exit statuses of a batch that is complete
BARE = """
import sys
from sightline.extract.wrappers import Wrapper
from sightline.sources.files import read_warc
from sightline.sources.html import decode, parse
wrapper = Wrapper.load(sys.argv[1])
for name in sys.argv[2:]:
    with open(name, "rb") as stream:
        for document in read_warc(stream, name):
            wrapper.read(parse(decode(document.content, document.charset).text, url=document.url))
"""


@dataclass(frozen=True)
class Speeds:
    """The seconds that each way took, by its name and the number of processes, and what the batches delivered.

    Processor time is that of all processes that ended with theirs, which those of Ray do not.
    """

    pages: int
    seconds: dict[tuple[str, int], float]
    processor: dict[tuple[str, int], float]
    compared: Compared

    def rate(self, way: str, processes: int) -> float:
        """Pages a second."""
        return self.pages / self.seconds[way, processes]

    def gain(self, way: str) -> float:
        """How much faster two are than one."""
        return self.seconds[way, 1] / self.seconds[way, 2]

    def overhead(self, way: str, processes: int) -> float:
        """The share of time that is not the pages'."""
        return self.seconds[way, processes] / self.seconds["bare", processes] - 1


def measure_speeds(options: Options, count: int = PAGES, rounds: int = ROUNDS) -> Speeds:
    """Run every way in turns, each round over other pages."""
    pages = ScalePages.load(options)
    seconds: dict[tuple[str, int], float] = {}
    processor: dict[tuple[str, int], float] = {}
    compared = Compared()
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            one = _Round(pages, Path(folder), count // rounds)
            for way in _in_turn(one.ways(), number):
                taken, used = one.run(*way)
                seconds[way] = seconds.get(way, 0.0) + taken
                processor[way] = processor.get(way, 0.0) + used
            compared += one.compared
    return Speeds(count // rounds * rounds, seconds, processor, compared)


def _in_turn(ways: Sequence[tuple[str, int]], round: int) -> list[tuple[str, int]]:
    """Backwards in every other round, so that none is always the first."""
    return list(ways if round % 2 == 0 else reversed(ways))


class _Round:
    """Some pages in a folder, and all ways over them."""

    def __init__(self, pages: ScalePages, folder: Path, count: int) -> None:
        self._pages, self._folder, self._count = pages, folder, count
        self._wrapper = pages.wrapper.save(folder / "movies.wrapper.json")
        self._files = write_warcs(pages, folder, count)
        self.compared = Compared()

    def ways(self) -> list[tuple[str, int]]:
        return [(way, processes) for processes in (1, 2) for way in ("bare", "local", "ray")]

    def run(self, way: str, processes: int) -> tuple[float, float]:
        """The seconds that a way takes, and those of the processor."""
        output = self._folder / f"{way}{processes}"
        began, used = perf_counter(), _processor()
        if way == "bare":
            _bare(self._wrapper, self._files, processes)
        else:
            _batch(self._wrapper, self._files, output, way, processes)
        taken = perf_counter() - began, _processor() - used
        if way != "bare":
            truth = {name: self._pages.row(number) for name, number in numbers(self._count)}
            self.compared += compare(output, truth, {}, is_the_row)
        return taken


def _processor() -> float:
    """The processor time of all processes that were waited for."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def _bare(wrapper: Path, files: Sequence[Path], processes: int) -> None:
    begun = [
        subprocess.Popen([sys.executable, "-c", BARE, wrapper, *files[number::processes]])
        for number in range(processes)
    ]
    statuses = [process.wait() for process in begun]
    if any(statuses):
        raise SystemExit("bench: a bare loop failed.")


def _batch(wrapper: Path, files: Sequence[Path], output: Path, engine: str, workers: int) -> None:
    command = [sys.executable, "-m", "sightline", "batch", wrapper, *(path.name for path in files), output]
    options = ["--engine", engine, "--workers", str(workers), "--static", "--keep-going"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, cwd=files[0].parent)
    if done.returncode not in DONE:
        raise SystemExit(f"bench: a batch failed: {done.stderr}")


def is_the_row(found: Rows, true: dict[str, Any]) -> bool:
    """Whether exactly this record was delivered; of several values in a column for one, the first."""
    return len(found) == 1 and all(_same(found[0].get(name), value) for name, value in true.items())


def _same(found: Any, true: Any) -> bool:
    if isinstance(true, list) and not isinstance(found, list):
        return bool(found == (true[0] if true else None))
    return bool(_plain(found) == _plain(true))


def _plain(value: Any) -> Any:
    """Without fields that have no value, which a file of columns cannot leave out."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items() if one is not None}
    return [_plain(one) for one in value] if isinstance(value, list) else (value or None)


def speed_figures(speeds: Speeds) -> list[Figure]:
    """Rates beside those of the bare loop, gains beside what the machine allows, and the overheads."""
    rates = [
        Figure.ratio(
            f"{way}, {processes} worker{'s'[: processes - 1]}",
            speeds.rate(way, processes),
            speeds.rate("bare", processes),
            None,
            "higher",
            "x the bare loop's pages a second",
        )
        for way in ("local", "ray")
        for processes in (1, 2)
    ]
    allowed = speeds.gain("bare")
    gains = [
        Figure.of(f"{way}: 2 workers / 1 worker", speeds.gain(way), LEAST_RATIO, "higher", "x", peer=allowed)
        for way in ("local", "ray")
    ]
    overheads = [
        _overhead(speeds, way, processes, most)
        for way, most in (("local", MOST_LOCAL), ("ray", MOST_RAY))
        for processes in (1, 2)
    ]
    used = speeds.processor["local", 1] / speeds.processor["bare", 1] - 1
    overheads.append(Figure.of("local, 1 worker: processor time", used, None, "lower", "more than the bare loop"))
    wrong = speeds.compared.lost + speeds.compared.doubled + speeds.compared.wrong + speeds.compared.set_aside
    right = Figure.of(f"{speeds.compared.documents:,} documents: not as in truth", wrong, 0, "lower")
    return [*rates, *gains, *overheads, right]


def _overhead(speeds: Speeds, way: str, processes: int, most: float) -> Figure:
    name = f"{way}, {processes} worker{'s'[: processes - 1]}: overhead"
    value = speeds.overhead(way, processes)
    return Figure.of(name, value, most, "lower", "of a bare loop's time")


if __name__ == "__main__":
    parser = program(__doc__)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    tell(speed_figures(measure_speeds(Options(data=given.data), given.pages, given.rounds)))
