"""What looks different among the extracted is told and cut off; what is all right stays whole."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sightline as sl
from sightline.checks import ExtractedNodes, OutlierSettings, find_outliers, outlier_report
from sightline.checks.outliers._likeness import extracted_blocks
from sightline.errors import UsageError
from sightline.page import Page
from sightline.testing import element, list_page, page_of

TEXT = "The telescope was built on a mountain, far from the lights of the town, and it has looked at the stars since. "
BODY = {"display": "block", "font-size": "16px", "font-weight": "400", "color": "rgb(0, 0, 0)", "visibility": "visible"}
SMALL = BODY | {"font-size": "11px", "color": "rgb(120, 120, 120)", "text-align": "center"}
METHODS = [
    OutlierSettings(),
    OutlierSettings(method="hbos"),
    OutlierSettings(method="knn", k=3),
    OutlierSettings(method="knn", k=3, distance="kth"),
    OutlierSettings(method="hbos", norm="site"),
    OutlierSettings(method="hbos", norm="all"),
]


def article(*, teasers: int = 6) -> Page:
    """An article in a column, and teasers of others in a box at its side."""
    paragraphs = [
        element("p", f"{number}. {TEXT * 3}", box=(100, 100 + 90 * number, 700, 180 + 90 * number), style=BODY)
        for number in range(12)
    ]
    boxes = [
        element(
            "p",
            f"More of this: story {number}",
            box=(800, 100 + 30 * number, 950, 120 + 30 * number),
            style=SMALL,
            class_="teaser",
        )
        for number in range(teasers)
    ]
    side = element(
        "aside", element("a", *boxes, style=BODY, href="/x"), box=(800, 100, 950, 900), style=BODY, class_="side"
    )
    main = element("article", *paragraphs, box=(100, 100, 700, 1200), style=BODY)
    return page_of(element("html", element("body", main, side, style=BODY), style=BODY))


def all_texts(page: Page) -> list[int]:
    """All text nodes of a page."""
    return np.flatnonzero(page.is_text).tolist()


def test_teasers_beside_an_article_are_cut_off_and_the_article_stays() -> None:
    """What stands in a box of its own beside an article is removed."""
    page = article()
    found = find_outliers([ExtractedNodes(page, all_texts(page))])
    assert {row.text.split(":")[0] for row in found.removed} == {"More of this"}
    assert len(found.kept(0)) == 12


def test_a_clean_set_stays_whole() -> None:
    """Where everything is usual nothing is removed, by no method."""
    page = article(teasers=0)
    for chosen in METHODS:
        assert find_outliers([ExtractedNodes(page, all_texts(page))], chosen).removed == ()


def test_each_removed_block_says_why() -> None:
    """Every removed block has its reasons."""
    page = article()
    found = find_outliers([ExtractedNodes(page, all_texts(page))])
    assert found.removed
    assert all(row.why for row in found.removed)


def test_the_published_scores_put_the_odd_one_first() -> None:
    """The published scores rank the one odd block first."""
    page = article(teasers=1)
    for chosen in METHODS[1:]:
        found = find_outliers([ExtractedNodes(page, all_texts(page))], chosen)
        assert max(found.rows, key=lambda row: row.score).text == "More of this: story 0", chosen


def test_the_published_scores_are_cut_at_a_gap_with_the_properties_that_differ() -> None:
    """Where one score stands apart, it is cut off, and the properties are named."""
    page = article(teasers=1)
    found = find_outliers([ExtractedNodes(page, all_texts(page))], OutlierSettings(method="knn", k=3))
    assert [row.text for row in found.removed] == ["More of this: story 0"]
    assert any("color" in why or "font-size" in why for why in found.removed[0].why)


def test_no_more_than_allowed_is_ever_removed() -> None:
    """The cap on what is removed holds."""
    page = article()
    found = find_outliers([ExtractedNodes(page, all_texts(page))], OutlierSettings(most_removed=0.001))
    assert found.removed == ()


@pytest.mark.parametrize("chosen", METHODS, ids=lambda own: f"{own.method} {own.norm} {own.distance}")
def test_bad_input_removes_nothing_and_raises_nothing(chosen: OutlierSettings) -> None:
    """One node, two, all the same, no styles, odd values, nothing at all."""
    pages = [
        list_page(["one"]),
        list_page(["one", "two"]),
        list_page(["same"] * 9),
        page_of(element("html", *(element("p", f"text {number}") for number in range(5))), kind="static"),
    ]
    odd = {"margin-top": "calc(1px + 2%)", "padding-left": "NaN", "color": "currentcolor", "display": "block"}
    pages.append(page_of(element("html", *(element("p", f"text {number}", style=odd) for number in range(5)))))
    for page in pages:
        assert find_outliers([ExtractedNodes(page, all_texts(page))], chosen).removed == ()
    assert find_outliers([], chosen).rows == ()
    assert find_outliers([ExtractedNodes(pages[0], [])], chosen).rows == ()


def test_nodes_that_are_not_on_the_page_are_told_and_left_out() -> None:
    """Nodes that vanished are told and do not disturb the others."""
    page = list_page(["one", "two"])
    found = find_outliers([ExtractedNodes(page, [4, 999, -7])])
    assert [row.text for row in found.rows] == ["one"]
    report = outlier_report(found)
    assert report.verdict == "suspicious"
    assert "2 of the nodes are not on the page" in report.issues[0].reason


def test_elements_stand_for_the_texts_in_them() -> None:
    """Elements may be given in place of their texts."""
    page = list_page(["one", "two"])
    assert [row.text for row in find_outliers([ExtractedNodes(page, page.with_tag("ul").tolist())]).rows] == [
        "one",
        "two",
    ]


def test_the_report_names_what_looks_different_with_its_place() -> None:
    """Each issue has its source and its place."""
    page = article()
    report = outlier_report(find_outliers([ExtractedNodes(page, all_texts(page), "a.html")]))
    assert report.issues
    assert all(issue.check == "outliers" and issue.source == "a.html" and issue.evidence for issue in report.issues)


def test_features_and_scores_are_a_table_with_a_row_for_each_block() -> None:
    """The table has a row for each block, with its XPath and features."""
    page = article()
    found = find_outliers([ExtractedNodes(page, all_texts(page), "a.html")], OutlierSettings(method="hbos"))
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert len(rows) == len(found) == 18
    assert rows[0]["xpath"].endswith("/p[1]")
    assert float(rows[0]["font-size"]) == 16


def test_a_witness_speaks_for_every_text_of_its_page() -> None:
    """A witness is heard; one that does not fit the page is refused."""
    page = article()
    sure = np.where([len(page.strings[text]) > 100 for text in page.text[page.is_text]], 0.99, 0.01)
    found = find_outliers([ExtractedNodes(page, all_texts(page), witness=sure)])
    assert len(found.kept(0)) == 12
    with pytest.raises(UsageError, match="witness"):
        find_outliers([ExtractedNodes(page, all_texts(page), witness=sure[:3])])


def test_what_is_no_set_of_nodes_is_refused() -> None:
    """Only nodes of a page can be judged."""
    with pytest.raises(UsageError, match="ExtractedNodes"):
        find_outliers(["page"])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="page"):
        ExtractedNodes("page", [1])  # type: ignore[arg-type]


def test_blocks_know_how_much_of_them_was_extracted() -> None:
    """A block of which a part was extracted knows how much."""
    page = page_of(element("html", element("p", "one ", element("b", "two"), element("i", " three"))), kind="static")
    texts = all_texts(page)
    pieces = extracted_blocks(ExtractedNodes(page, texts[:2]))
    assert len(pieces) == 1
    assert (pieces.extracted[0], pieces.letters[0]) == (7, 13)


@settings(max_examples=30)
@given(st.lists(st.sampled_from(["one", "two words", TEXT, "©"]), min_size=1, max_size=12), st.data())
def test_any_part_of_a_page_can_be_judged(texts: list[str], data: st.DataObject) -> None:
    """Whatever nodes are given, scores are numbers and nothing is kept that was not given."""
    page = list_page(texts)
    nodes = data.draw(st.lists(st.integers(-2, len(page) + 2), max_size=8))
    for chosen in METHODS[:3]:
        found = find_outliers([ExtractedNodes(page, nodes)], chosen)
        assert set(found.kept(0)) <= set(ExtractedNodes(page, nodes).texts.tolist())
        assert np.isfinite(found.scores).all()


def test_evidence_names_the_sheet_it_is_on() -> None:
    """On a PDF every outlier and every issue names the sheet of its box, counted from 1, in Python and in JSON."""
    page = sl.open(Path(__file__).parents[3] / "examples" / "instruments.pdf")
    text = sl.content(page)
    rows = find_outliers([ExtractedNodes(page, text.nodes)]).rows
    assert {row.origin.sheet for row in rows} == {1, 2}
    assert all(row.origin.sheet == page.sheet_of(row.origin.box) for row in rows)
    values = [value for value in text.values() if value.origin and value.origin.box]
    assert all(value.origin and value.origin.sheet == page.sheet_of(value.origin.box) for value in values)
    assert {table.to_json()["sheet"] for table in sl.tables(page)} <= {1, 2}
