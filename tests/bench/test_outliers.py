"""The tables of the published method are computed as they are described."""

import numpy as np
import pytest
from bench.content.pages import PageTruth
from bench.content.scores import Summary
from bench.outliers.cuts import Cut
from bench.outliers.extracted import Extracted
from bench.outliers.published import best_cut, published_scores

from sightline.checks import ExtractedNodes
from sightline.checks.outliers._likeness import extracted_blocks
from sightline.testing import list_page


def extracted(texts: list[str], right: list[float]) -> Extracted:
    """Everything of a page, with what is right of it."""
    page = list_page(texts)
    seen = ExtractedNodes(page, np.flatnonzero(page.is_text).tolist())
    true = "".join(text for text, share in zip(texts, right, strict=True) if share > 0.5)
    truth = PageTruth("a", "a.html", "", "article", css=True, text=true, present=(), absent=(), fields={})
    words = np.array([len(text.split()) for text in texts], dtype=np.float64)
    return Extracted(
        truth, seen, extracted_blocks(seen), tuple(texts), np.array(right), words, np.full(len(texts), 0.5)
    )


def test_without_a_score_everything_is_kept() -> None:
    """Half of the bytes and two of three nodes are right, and nothing is deleted."""
    values = best_cut([extracted(["aaaa", "bbbb", "c" * 8], [1, 1, 0])], None)
    assert values == pytest.approx((0.5, 1.0, 2 / 3, 2 / 3, 1.0, 0.8, 0.0))


def test_a_perfect_ranking_deletes_what_is_wrong_and_no_more() -> None:
    """With the wrong node on top, the best cut deletes it alone."""
    values = best_cut([extracted(["aaaa", "bbbb", "c" * 8], [1, 1, 0])], np.array([0.1, 0.2, 0.9]))
    assert values == pytest.approx((1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5))


def test_a_useless_ranking_deletes_nothing() -> None:
    """With the right nodes on top, every deletion costs more than it gains."""
    values = best_cut([extracted(["aaaa", "bbbb", "c" * 8], [1, 1, 0])], np.array([0.9, 0.8, 0.1]))
    assert values[-1] == pytest.approx(0.0)


def test_there_is_a_score_for_every_published_way_and_node() -> None:
    """10-, 50-, 100-, 200-, 500-NN and HBOS, as the paper has them, and one by page."""
    scores = published_scores([extracted(["one", "two", "three"], [1, 1, 0]), extracted(["four"], [1])])
    assert list(scores)[:6] == ["10-NN", "50-NN", "100-NN", "200-NN", "500-NN", "HBOS"]
    assert all(len(own) == 4 for own in scores.values())


def test_the_share_of_the_oracle_is_that_of_its_gain() -> None:
    """Two points of four are half; where nothing can be gained, all of it is."""
    before, after = (Summary(1, 0.8, 0.8, own, 0.8, 0.8, 1.0, 1.0, 1.0) for own in (0.80, 0.82))
    assert Cut({"article": before}, {"article": after}, 0.84, 0.1).share_of_oracle == pytest.approx(0.5)
    assert Cut({"article": before}, {"article": before}, 0.80, 0.0).share_of_oracle == 1.0
    assert Cut({"article": before}, {"article": after}, 0.84, 0.1).worst == ("article", pytest.approx(2.0))
