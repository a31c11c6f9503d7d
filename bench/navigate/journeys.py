"""Recording: journeys of a scripted person through served pages, recorded once and replayed, also after a redesign."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.sites.journeys import journeys as sites
from tests.sites.journeys.run import SECRET, Outcome, record, replay

from bench.frame import Corpus, Figure, Options, thinned
from bench.navigate.fit_memory import MOST_WRONG, MemoryScore
from sightline import session

TIMES = 5
LEAST_SURVIVED = 0.8  # of the journeys go on after a redesign; the others stop and say why
LEAST_FOUND = 0.75  # of the reworded controls of real redesigns


@dataclass(frozen=True)
class JourneyResult:
    """What came of one journey: its replays, and that on the redesign."""

    name: str
    replays: tuple[Outcome, ...]
    redesigned: Outcome

    @property
    def is_right(self) -> bool:
        """Whether the site saw the same every time."""
        return all(one.kind == "right" for one in self.replays)


def walk_all(options: Options) -> list[JourneyResult]:
    """Record every journey once, and replay it five times as it was and once redesigned."""
    os.environ.update(SECRET)
    chosen = thinned(sites.JOURNEYS, options.limit)
    with TemporaryDirectory() as name, sites.serve_journeys(sites.JOURNEYS) as here:
        folder = Path(name)
        with session(downloads=folder / "one") as person, session(downloads=folder / "two") as fresh:
            found = []
            for journey in chosen:
                recorded = record(journey, here, person, folder)
                replays = tuple(replay(recorded, here, fresh) for _ in range(TIMES))
                found.append(JourneyResult(journey.name, replays, replay(recorded, here, fresh, "redesign")))
            return found


def journey_figures(results: Sequence[JourneyResult]) -> tuple[Figure, ...]:
    """Shares of journeys, and how many clicks were wrong."""
    count = len(results)
    right = sum(one.is_right for one in results) / count
    safe = sum(one.redesigned.kind in ("right", "stopped") for one in results) / count
    same = sum(one.redesigned.kind == "right" for one in results) / count
    wrong = sum(one.kind == "wrong" for result in results for one in (*result.replays, result.redesigned))
    return (
        Figure.of("recording: journeys replayed five times", right, 1.0, "higher", "share"),
        Figure.of("recording: redesigned, right or stopped", safe, 1.0, "higher", "share"),
        Figure.of("recording: redesigned, right", same, LEAST_SURVIVED, "higher", "share"),
        Figure.of("recording: replays with a wrong click", wrong, 0.0, "lower", "share"),
    )


def memory_figures(score: MemoryScore) -> tuple[Figure, ...]:
    """How well controls are found again on real redesigns, on sites that the weights were not fitted on."""
    return (
        Figure.of("memory: reworded controls found", score.found, LEAST_FOUND, "higher", "share"),
        Figure.of("memory: relocated wrongly", score.wrong, MOST_WRONG, "lower", "share"),
    )


def journeys_told(results: Sequence[JourneyResult]) -> Iterator[str]:
    """How many journeys there are, and what is wrong with those that are not as they should be."""
    stopped = [one.name for one in results if one.redesigned.kind == "stopped"]
    yield (
        f"{len(results)} journeys were recorded and replayed {TIMES} times; redesigned, {len(stopped)} of them stopped "
        f"with a report: {', '.join(stopped)}."
    )
    for result in results:
        for one in (*result.replays, result.redesigned):
            if one.kind == "wrong" or (one.kind == "stopped" and one is not result.redesigned):
                yield f"Wrong: {result.name} ({one.kind}: {one.why})."


def journey_corpus() -> Corpus:
    """The code that serves the journeys and plays the person: with other pages, figures are others."""
    folder = Path(sites.__file__).parent
    return Corpus("journeys", tuple(sorted(folder.glob("[_jr]*.py"))))
