"""The score of top-k lists, on pages small enough to count by hand, and the peers that read headings."""

from pathlib import Path
from typing import Any

import pytest
from bench.lists.items import Found
from bench.lists.peers import headings, promised, read, tag_paths
from bench.lists.topk import TopScore, TopTruth, groups, score, summary, title_key

TITLES = ["Anvil", "Bellows", "Coal Shovel", "Draw Plate"]


def _truth(**more: Any) -> TopTruth:
    line = {"id": "a", "set": "s", "part": "read", "file": "a.html", "k": 4, "items": TITLES, "title": "4 Tools"}
    return TopTruth.from_json(line | {"headings": [f"Tool no. {n}: {t}" for n, t in enumerate(TITLES, 1)]} | more)


NEGATIVE = {"k": None, "items": [], "headings": [], "part": "negative"}


def _found(*titles: str) -> list[Found]:
    return [Found(title, f"{title} and what is said of it") for title in titles]


@pytest.mark.parametrize(
    ("title", "same"),
    [
        ("1. Anvil", "Anvil"),
        ("#12 Anvil", "anvil"),
        ("No. 3: Anvil", "Anvil"),
        ("Tip #4 – Anvil", "Anvil"),
        ("7) “Anvil” [1]", "anvil"),
        ("10/ Anvil ", "Anvil"),
        ("Step 2 Anvil", "Anvil"),
    ],
)
def test_the_number_in_front_is_no_part_of_a_title(title: str, same: str) -> None:
    """Nor are case, marks and punctuation at the ends."""
    assert title_key(title) == title_key(same)


@pytest.mark.parametrize(
    ("title", "other"), [("1984", "84"), ("2001 Odyssey", "Odyssey"), ("Anvil 2", "Anvil"), ("3D Printer", "D Printer")]
)
def test_other_numbers_stay(title: str, other: str) -> None:
    """A title may be a number, begin with a year, end with a number, or have one in its first word."""
    assert title_key(title) != title_key(other)


def test_everything_right() -> None:
    """All items with nothing else: full marks, whatever their order."""
    page = score(_truth(), _found(*TITLES[1:], "1. ANVIL"))
    assert (page.correct, page.exact_k, page.perfect) == (True, True, True)
    assert (page.items.f1, page.near) == (1.0, 1.0)


def test_the_heading_of_the_page_is_right_as_well() -> None:
    """Items may be called as the page calls them."""
    page = score(_truth(), _found("Tool no. 1: Anvil", "Tool no. 3: Coal Shovel"))
    assert page.partners == {0: 0, 1: 2}


def test_a_page_is_correct_by_its_first_item() -> None:
    """The published metric: any item found has the first one in it, as its title or anywhere in its text."""
    assert score(_truth(), [Found("Tools", "All about the Anvil and more")]).correct
    assert score(_truth(), [Found("Big anvils", "")]).correct
    assert not score(_truth(), _found(*TITLES[1:])).correct
    assert not score(_truth(), [Found("An", "vi l")]).perfect
    assert not score(_truth(), []).correct


def test_items_are_paired_one_to_one() -> None:
    """The same title twice is right once."""
    page = score(_truth(), _found("Anvil", "Anvil", "Bellows", "Other"))
    assert (page.items.precision, page.items.recall, page.exact_k, page.perfect) == (0.5, 0.5, True, False)


def test_one_too_many_is_not_perfect() -> None:
    """All items are there, and one more: recall is full, precision is not."""
    page = score(_truth(), _found(*TITLES, "Epilogue"))
    assert (page.items.recall, page.items.precision) == (1.0, 0.8)
    assert (page.exact_k, page.perfect) == (False, False)


def test_a_near_title_has_most_words_and_few_more() -> None:
    """80 % of the label's words, and at most twice as many words and four."""
    label = {"items": ["one two three four five"], "headings": None, "k": 1}
    near = {
        title: score(_truth(**label), _found(title)).near
        for title in (
            "one two three four",
            "one two three",
            "one two three four five " + "more " * 9,
            "one two three four five " + "more " * 10,
        )
    }
    assert list(near.values()) == [1.0, 0.0, 1.0, 0.0]
    assert score(_truth(**label), _found("one two three four")).items.f1 == 0.0


def test_an_exact_title_is_near() -> None:
    """Also one without words, which has no share of them."""
    assert score(_truth(items=["!!!"], headings=None, k=1), _found("!!!")).near == 1.0


def test_the_text_serves_where_there_is_no_title() -> None:
    """An item without a title is called by its text."""
    assert score(_truth(), [Found("", title) for title in TITLES]).perfect


def _pages() -> list[TopScore]:
    """A perfect page, one without its first item, one where nothing was found, a false alarm and no alarm."""
    return [
        score(_truth(), _found(*TITLES)),
        score(_truth(part="numbered"), _found(*TITLES[1:])),
        score(_truth(part="numbered"), []),
        score(_truth(**NEGATIVE), _found("News")),
        score(_truth(**NEGATIVE), []),
    ]


def test_summary() -> None:
    """Precision is over all pages where anything was found, recall and means over those with a list."""
    found = summary(_pages())
    assert (found.pages, found.positive) == (5, 3)
    assert (found.paper_precision, found.paper_recall) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert (found.strict_precision, found.strict_recall) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert found.item_precision == pytest.approx(2 / 3)
    assert found.item_recall == pytest.approx((1 + 0.75) / 3)
    assert found.exact_k == pytest.approx(1 / 3)
    assert found.false_alarms == 0.5


def test_a_negative_page_has_no_share_in_the_means() -> None:
    """Pages without a list tell of false alarms only."""
    found = summary([score(_truth(**NEGATIVE), [])])
    assert (found.false_alarms, found.paper_recall, found.item_f1, found.exact_k) == (0.0, None, None, None)
    assert summary(_pages()[:1]).false_alarms is None


def test_groups() -> None:
    """Everything, and each part."""
    found = groups(_pages())
    assert list(found) == ["all", "negative", "numbered", "read"]
    assert (found["read"].paper_recall, found["numbered"].paper_recall) == (1.0, 0.0)


def _page(tmp_path: Path, title: str, body: str) -> Path:
    path = tmp_path / "page.html"
    path.write_text(f"<!doctype html><title>{title}</title>{body}", "utf-8")
    return path


@pytest.mark.parametrize(
    ("title", "k"),
    [
        ("4 Tools for Smiths", 4),
        ("Tools: the top 25 | Smith 24", 25),
        ("In 2024, 12 Tools", 12),
        ("Smithing in 2024", None),
        ("Tools from $15 upwards", None),
        ("Version 3.11 notes", None),
        ("Tools", None),
    ],
)
def test_what_a_title_promises(tmp_path: Path, title: str, k: int | None) -> None:
    """A number before a word, or after `top`; no year, no price, no version."""
    assert promised(read(_page(tmp_path, title, "<h1>Tools</h1>"))) == k


def test_the_first_heading_promises_as_well(tmp_path: Path) -> None:
    """Where the title says nothing."""
    assert promised(read(_page(tmp_path, "The Smithy", "<h1>5 Tools</h1>"))) == 5


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (
            "<h2>About</h2><h2>1. A</h2><h2>2. B</h2><h2>3. C</h2><h3>x</h3><h3>y</h3><h3>z</h3>",
            ["1. A", "2. B", "3. C"],
        ),
        ("<h2>About</h2><h3>A</h3><h3>B</h3><h3>C</h3>", ["A", "B", "C"]),
        ("<h2>A</h2><h2>B</h2><h2>C</h2><h2>About</h2><h3>x</h3>", ["A", "B", "C"]),
        ("<h2>A</h2><h2>B</h2>", []),
    ],
)
def test_headings(tmp_path: Path, body: str, found: list[str]) -> None:
    """The level with k numbered ones, or else exactly k, or else the first k of more."""
    assert [item.title for item in headings(read(_page(tmp_path, "3 Tools", body)))] == found
    assert headings(read(_page(tmp_path, "Tools", body))) == []


def test_tag_paths(tmp_path: Path) -> None:
    """Of the tag paths with exactly k texts the one with the most text."""
    body = "<ul><li>a<li>b<li>c</ul><p><b>long</b> one<p><b>longer</b> two<p><b>longest</b> three<ol><li>d<li>e</ol>"
    assert [item.title for item in tag_paths(read(_page(tmp_path, "3 Tools", body)))] == ["long", "longer", "longest"]
    assert tag_paths(read(_page(tmp_path, "7 Tools", body))) == []
    assert tag_paths(read(_page(tmp_path, "Tools", body))) == []
