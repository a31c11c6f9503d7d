"""The figures of recording and of memories: what counts as right, and how limits are kept."""

import numpy as np
from bench.navigate.fit_memory import NAMES, Case, Fit, _Sheet, _written, scored
from bench.navigate.journeys import JourneyResult, journey_figures, journeys_told
from tests.sites.journeys.run import Outcome

from sightline.navigate.play import Played

PLAYED = Played({}, "end")


def result(name: str, replays: str, redesigned: str) -> JourneyResult:
    """A journey whose replays came to this."""
    return JourneyResult(
        name, tuple(Outcome(kind, "", PLAYED) for kind in replays.split()), Outcome(redesigned, "why", PLAYED)
    )


def test_journey_counts_if_every_replay_is_right() -> None:
    """One that stops once is not replayed five times; a stop on the redesign is no fault, a wrong click always is."""
    results = [
        result("a", "right right", "right"),
        result("b", "right stopped", "stopped"),
        result("c", "right", "wrong"),
    ]
    values = [figure.value for figure in journey_figures(results)]
    assert values == [2 / 3, 2 / 3, 1 / 3, 1]
    told = list(journeys_told(results))
    assert "1 of them stopped with a report: b" in told[0]
    assert told[1:] == ["Wrong: b (stopped: ).", "Wrong: c (wrong: why)."]


def case(truth: int, *rows: float) -> Case:
    """Candidates that differ in their names only."""
    alike = np.zeros((len(rows), len(NAMES)))
    alike[:, 0] = rows
    return Case("site", "kind", alike, np.eye(len(NAMES))[0], truth)


def test_memory_is_scored_by_what_is_clear() -> None:
    """Found if the right one wins clearly, wrong if another does, and neither if it is close or too little."""
    fit = Fit(np.ones(len(NAMES)), least=0.5, margin=0.1, alone=0.3)
    cases = [case(0, 0.9, 0.2), case(0, 0.6, 0.55), case(1, 0.9, 0.2), case(0, 0.4), case(-1, 0.2), case(0, 0.4, 0.1)]
    found = scored(_Sheet(cases), fit)
    assert (found.found, found.wrong) == (2 / 5, 1 / 6)


def test_fit_is_written_into_the_module() -> None:
    """Weights and limits, and nothing else."""
    module = 'WEIGHTS: dict[str, float] = {\n    "x": 1.0,\n}\nLEAST = 0.1  # a\nLEAST_ALONE = 0.2  # b\nMARGIN = 0.3\n'
    written = _written(module, Fit(np.arange(len(NAMES), dtype=float), 0.5, 0.6, 0.7))
    assert f'    "{NAMES[1]}": 1.00,' in written
    assert written.endswith("}\nLEAST = 0.50  # a\nLEAST_ALONE = 0.70  # b\nMARGIN = 0.60\n")
