"""What a sample says about the whole, and that it is spread over the whole."""

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Content, ContentPart, Extraction, Value
from sightline.scale import BatchSpec
from sightline.scale.drift import Estimate, estimate, spread_positions
from sightline.scale.drift._detector import wilson
from sightline.scale.output import DocumentOutcome, RowMaker, write_parts
from sightline.testing import list_page

PAGE = list_page(["one"])


def _sample(bad: int, count: int = 100) -> tuple[list[DocumentOutcome], RowMaker]:
    maker = RowMaker(BatchSpec(extractor="content"), None)
    found = Extraction("content", (Content((ContentPart(Value("text")),), title=Value("Title")),))
    rows, made = maker.rows("x", PAGE, found)
    outcomes = [
        DocumentOutcome(f"x#{number}", f"x {number}", seconds=0.02, cpu_seconds=0.01, rows=rows, row_count=made)
        for number in range(count)
    ]
    for number in range(bad):
        outcomes[number] = msgspec.structs.replace(
            outcomes[number], status="suspicious", reasons=("no text was found on the page",), cause="content"
        )
    return outcomes, maker


def _estimated(bad: int, count: int = 100, **known: Any) -> Estimate:
    """What a sample says, once its rows are written."""
    outcomes, maker = _sample(bad, count)
    with TemporaryDirectory() as folder:
        parts = [write_parts(Path(folder), "sample", 0, outcomes, maker)] if outcomes else []
    return estimate(
        parts,
        maker.fields,
        seconds=[one.seconds for one in outcomes],
        cpu_seconds=[one.cpu_seconds for one in outcomes],
        **known,
    )


def test_hours_storage_and_cost_follow_from_the_sample() -> None:
    """All of them for the whole, by the mean of the sample."""
    found = _estimated(5, documents=3_600_000, workers=4, price=0.05)
    assert found.hours == pytest.approx(0.02 * 3_600_000 / 3600 / 4)
    assert found.hours_range == pytest.approx((found.hours, found.hours))  # all took the same
    assert found.cpu_hours == pytest.approx(10.0)
    assert found.cost == pytest.approx(0.5)
    assert found.storage == pytest.approx(found.file_bytes * 3_600_000)
    assert found.file_bytes > 10
    assert {field.name: field.share for field in found.fields}["title"] == 1
    assert (found.baseline.pages, found.baseline.not_ok) == (100, 5)


def test_verdicts_have_their_interval() -> None:
    """Wilson's, as of any share of a sample."""
    found = _estimated(5, documents=1000)
    shares = {one.status: one for one in found.verdicts}
    assert (shares["suspicious"].low, shares["suspicious"].high) == wilson(5, 100)
    assert shares["failed"].low == 0
    assert 0.03 < shares["failed"].high < 0.04


@pytest.mark.parametrize(("bad", "speaks"), [(5, False), (12, False), (40, True)])
def test_advice_only_where_many_are_not_ok(bad: int, *, speaks: bool) -> None:
    """One sentence with the reason, where it is certain that more than a tenth are not ok."""
    advice = _estimated(bad, documents=1000).advice
    assert bool(advice) == speaks
    assert not speaks or advice.startswith("40 % of the sample are not ok (no text was found on the page); look at")


def test_text_and_json() -> None:
    """Text that fits a terminal; JSON with all that follows from the sample."""
    found = _estimated(40, documents=1_000_000, workers=2)
    text = found.to_text()
    assert max(map(len, text.splitlines())) <= 100
    assert "A sample of 100 of 1,000,000 documents" in text
    assert "time with 2 workers" in text
    document = orjson.loads(orjson.dumps(found.to_json()))
    assert document["cost"] == pytest.approx(found.cost)
    assert document["verdicts"][1]["documents"] == 40


def test_an_empty_sample_is_no_error() -> None:
    """Nothing is divided by zero."""
    found = _estimated(0, count=0, documents=0)
    assert found.to_text()
    assert found.to_json()["hours"] == 0


@given(st.integers(0, 5000), st.integers(1, 200), st.integers(0, 5))
def test_a_sample_is_spread_over_the_whole(total: int, count: int, seed: int) -> None:
    """As many as are wanted, in order, none twice, and no stretch of the whole is left out."""
    sample = spread_positions(total, count, seed=seed)
    assert len(sample) == min(total, count)
    assert sample == sorted({*sample})
    gaps = [later - number for number, later in pairwise([-1, *sample, total])]
    assert max(gaps) <= 2 * total / count + 1 or total <= count


def test_every_document_has_about_the_same_chance() -> None:
    """The first and the last stretch are in as many samples as the middle."""
    hits = [0] * 10
    for seed in range(400):
        for number in spread_positions(997, 50, seed=seed):
            hits[number * 10 // 997] += 1
    assert min(hits) > 0.85 * sum(hits) / 10
