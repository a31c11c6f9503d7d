"""Tests of a batch whose site is redesigned in the middle: it stops, says why, and goes on if told to."""

from pathlib import Path

import pytest

import sightline as sl
from sightline.scale import BatchRun, BatchSettings, batch

pytestmark = pytest.mark.slow

BEFORE, AFTER = 120, 100
WITHIN = 50  # pages of each worker, after which a drift must be noticed


def old_page(number: int) -> str:
    """A product as the wrapper knows it."""
    return (
        f"<!DOCTYPE html><title>Shop</title><div class=top><a href=/>Home</a></div><h1>Camera {number}</h1>"
        f"<dl><dt>Price</dt><dd>{number + 100} EUR</dd><dt>Weight</dt><dd>{number + 300} g</dd></dl>"
        f"<p class=text>A camera for people number {number} who like cameras of the kind {number * 7}.</p>"
    )


def new_page(number: int) -> str:
    """The same after a redesign."""
    return (
        f"<!DOCTYPE html><title>Shop</title><main><section><span>{number + 100} EUR</span>"
        f"<h2>Camera {number}</h2><ul><li>{number + 300} g</ul></section></main>"
    )


@pytest.fixture
def shop(tmp_path: Path) -> tuple[Path, Path]:
    """A wrapper for the old pages, and a folder of old pages followed by new ones."""
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(BEFORE + AFTER):
        (pages / f"{number:04d}.html").write_text((old_page if number < BEFORE else new_page)(number))
    wrapper = tmp_path / "shop.wrapper.json"
    sl.induce([sl.open(old_page(number), static=True) for number in (1, 22, 303, 4004)]).save(wrapper)
    return wrapper, pages


def run(shop: tuple[Path, Path], folder: Path, **settings: object) -> BatchRun:
    """The batch, with one worker, so that pages come in order."""
    wrapper, pages = shop
    return batch(wrapper, pages, folder, settings=BatchSettings(workers=1, shard=20, **settings))  # type: ignore[arg-type]


def test_a_redesign_stops_the_batch_within_fifty_pages(shop: tuple[Path, Path], tmp_path: Path) -> None:
    """What was right before stays; the reason says how many pages are wrong, and against what."""
    ended = run(shop, tmp_path / "out")
    assert not ended.complete
    assert ended.verdict == "suspicious"
    assert "pages are suspicious or failed" in ended.stopped
    assert BEFORE <= ended.counts.done_documents <= BEFORE + WITHIN
    assert ended.counts.ok == BEFORE
    assert ended.summary.stopped == ended.stopped


def test_a_stopped_batch_goes_on_if_it_is_told_to(shop: tuple[Path, Path], tmp_path: Path) -> None:
    """Nothing that was read is read again, and no new page is called ok."""
    before = run(shop, tmp_path / "out").counts
    ended = run(shop, tmp_path / "out", keep_going=True)
    assert ended.complete
    assert ended.stopped == ""
    counts = ended.counts
    assert (counts.ok, counts.suspicious + counts.failed) == (BEFORE, AFTER)
    assert counts.attempts - before.attempts <= (BEFORE + AFTER - before.done_documents) // 20 + 1
