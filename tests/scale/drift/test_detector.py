"""A wrapper that no longer fits is noticed within 50 pages, and one that fits as ever is left alone."""

from collections.abc import Iterable
from itertools import islice
from random import Random

import pytest

from sightline.extract.wrappers import induce
from sightline.page import Page
from sightline.scale.drift import WINDOW, Drift, DriftBaseline, DriftDetector
from sightline.scale.drift._detector import CHANCE, LENGTHS, _tails, too_many
from sightline.scale.output import DocumentOutcome
from sightline.testing import list_page, shop_pages

MISSING = "the field “price” is missing"
OK = DocumentOutcome("x", "x", page="3f2a")
BAD = DocumentOutcome("x", "x", status="suspicious", reasons=(MISSING,), cause="page", page="3f2a")
REFUSED = DocumentOutcome("x", "x", status="failed", reasons=("it is another template.",), cause="VerificationError")
GONE = DocumentOutcome("x", "x", status="failed", reasons=("no such file.",), cause="UnreachableError")


def _first(detector: DriftDetector, outcomes: Iterable[DocumentOutcome]) -> tuple[int, Drift] | None:
    """After how many outcomes something is said, and what."""
    said = ((number, drift) for number, one in enumerate(outcomes, start=1) if (drift := detector.add(one)))
    return next(said, None)


def _coins(share: float, random: Random, count: int) -> list[DocumentOutcome]:
    return [BAD if random.random() < share else OK for _ in range(count)]


@pytest.mark.parametrize("bad", [BAD, REFUSED])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.1])
def test_a_redesign_is_noticed_within_the_window(share: float, bad: DocumentOutcome) -> None:
    """Whatever was usual before, and whether the wrapper doubts the new pages or refuses them."""
    for seed in range(20):
        detector = DriftDetector()
        assert _first(detector, _coins(share, Random(seed), 300)) is None
        said = _first(detector, [bad] * WINDOW)
        assert said is not None
        assert said[0] <= 30


def test_most_pages_are_enough() -> None:
    """After a sample, a rise from 2 % to 70 % is noticed as well."""
    late = []
    for seed in range(40):
        random = Random(seed)
        detector = DriftDetector(DriftBaseline(1000, 20))
        assert _first(detector, _coins(0.02, random, 300)) is None
        said = _first(detector, _coins(0.7, random, WINDOW))
        late.append(said[0] if said else None)
    assert sum(one is not None for one in late) >= 39


@pytest.mark.parametrize("share", [0.01, 0.1])
def test_a_steady_share_raises_no_alarm(share: float) -> None:
    """100,000 pages here; the chance of an alarm is bounded below, and a million are run by the benchmark."""
    random = Random(5)
    detector = DriftDetector()
    assert not any(detector.see(is_ok=random.random() >= share) for _ in range(100_000))


def test_bursts_are_learned() -> None:
    """Odd pages that come in groups of four or so are usual after a while, and then no reason to stop."""
    random, is_bad = Random(3), False
    detector = DriftDetector(DriftBaseline(1000, 50, 50, 37))
    for _ in range(50_000):
        is_bad = random.random() < (0.75 if is_bad else 0.013)
        assert detector.see(is_ok=not is_bad) is None


def test_a_wrapper_that_never_fitted_is_noticed_from_the_start() -> None:
    """Without a sample nothing is known of it, and all of its first pages are not ok."""
    said = _first(DriftDetector(), [BAD] * WINDOW)
    assert said is not None
    assert "hardly any were read before" in str(said[1])


def test_documents_that_are_no_pages_say_nothing() -> None:
    """A damaged archive, or a site that is down, is no fault of the wrapper."""
    assert _first(DriftDetector(DriftBaseline(1000, 0)), [GONE] * 500) is None


def test_the_reason_is_told_in_words() -> None:
    """How many of how many, what was usual, and the most frequent reason without its numbers."""
    detector = DriftDetector()
    _first(detector, [OK] * 97 + [BAD] * 3 + [OK] * 100)
    other = DocumentOutcome("x", "x", status="failed", reasons=("it ends at byte 77.",), cause="x", page="3f2a")
    said = _first(detector, [*[BAD, other, BAD, BAD] * 20])
    assert said is not None
    number, drift = said
    assert (drift.pages, drift.not_ok) == (number, number)
    assert str(drift) == (
        f"{number} of the last {number} pages are suspicious or failed, against {drift.before.not_ok} % before; "
        f"most often: the field “price” is missing ({drift.times})."
    ).replace(f"{drift.before.not_ok} %", f"{100 * drift.before.not_ok / drift.before.pages:.2g} %")
    assert drift.times > drift.not_ok / 2


def test_a_real_wrapper_on_pages_of_another_template() -> None:
    """It refuses them, one after the other, and the batch can be stopped before many are read."""
    wrapper = induce(shop_pages(4))
    detector = DriftDetector()

    def outcomes(pages: Iterable[Page]) -> Iterable[DocumentOutcome]:
        for page in pages:
            found = wrapper.read(page)
            reasons = tuple(problem.what for problem in found.problems)
            yield DocumentOutcome("x", "x", status=found.verdict, reasons=reasons, page=page.id)

    assert _first(detector, outcomes(shop_pages(120))) is None
    said = _first(detector, outcomes(list_page([f"item {number}", "two"]) for number in range(WINDOW)))
    assert said is not None
    assert said[0] <= 30


def test_another_worker_goes_on_with_what_is_known() -> None:
    """A detector that begins with the baseline of another one is as quick as that."""
    first = DriftDetector()
    _first(first, islice([OK, OK, OK, BAD, OK] * 1000, 5000))
    said = [
        _first(DriftDetector(known), [BAD] * 200) for known in (first.baseline, DriftBaseline(20_000, 4000, 4000, 0))
    ]
    assert all(said)
    assert first.baseline.not_ok == pytest.approx(0.2 * first.baseline.pages, abs=2)


@pytest.mark.parametrize(("share", "again"), [(0.02, 0.02), (0.1, 0.1), (0.1, 0.5), (0.3, 0.8)])
def test_limits_bound_the_chance_of_a_false_alarm(share: float, again: float) -> None:
    """The chances of all lengths together stay below one in a million pages, even at the limit itself."""
    limits, tails = too_many(share, again), _tails(share, again)
    assert sum(tails[length][limits[length]] for length in LENGTHS) <= CHANCE
    for length in (1, 5, 50):
        assert tails[length][0] == pytest.approx(1)


def test_chances_of_a_chain_are_those_that_are_counted() -> None:
    """The exact chances agree with a chain that is run."""
    share, again, length = 0.2, 0.6, 10
    begin = share * (1 - again) / (1 - share)
    random, counts = Random(1), []
    for _ in range(20_000):
        is_bad, hits = random.random() < share, 0
        for _ in range(length):
            hits += is_bad
            is_bad = random.random() < (again if is_bad else begin)
        counts.append(hits)
    tails = _tails(share, again)[length]
    for least in (1, 3, 6):
        assert sum(hits >= least for hits in counts) / len(counts) == pytest.approx(tails[least], abs=0.012)
