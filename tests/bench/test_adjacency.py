"""The score of tables, on tables small enough to count by hand."""

from typing import Any

import pytest
from bench.tables.adjacency import Found, PageScore, PageTruth, groups, relations, score, summary

PRICES = [["Name", "Price"], ["Anvil", "12"], ["Bellows", "30"], ["Chisel", "7"]]
PLACES = [["Town", "River"], ["Ulm", "Danube"], ["Bonn", "Rhine"], ["Trier", "Moselle"]]
MENU = "Home News Products Contact About"
BOX = "Founded 1901 Members 400 Seat Geneva"


def _truth(**more: Any) -> PageTruth:
    tables = [
        {"rows": PRICES, "header_rows": 1, "kind": "markup"},
        {"rows": PLACES, "header_rows": None, "kind": "visual"},
    ]
    line = {"id": "a", "set": "s", "part": "p", "file": "a.html", "tables": tables, "complete": True}
    return PageTruth.from_json(line | {"layout": [MENU], "ignore": [BOX]} | more)


def _found(rows: list[list[str]], header_rows: int = 1) -> Found:
    return Found.from_json({"rows": rows, "header_rows": header_rows})


def test_relations_skip_empty_cells() -> None:
    """The neighbour is the next filled cell; short rows end where they end."""
    found = relations([["a", "", "b"], ["", "c"], ["d", "e", ""]])
    expected = {("a", "b", "right"), ("d", "e", "right"), ("a", "d", "below"), ("c", "e", "below")}
    assert set(found) == expected
    assert found.total() == 4


def test_relations_count_repetitions() -> None:
    """A spanning cell is its own neighbour, as often as it is repeated."""
    assert relations([["a", "a", "a"]])["a", "a", "right"] == 2


def test_everything_right() -> None:
    """All tables found: full marks, and nothing wrong."""
    page = score(_truth(), [_found(PLACES), _found(PRICES)])
    assert [(table.f1, table.header, table.partner) for table in page.tables] == [(1.0, True, 1), (1.0, None, 0)]
    assert (page.hits, page.wrong, page.ignored, page.layout) == (2, (), (), frozenset())


def test_a_missing_row_costs_recall_only() -> None:
    """Without the last row 7 of 10 relations are left."""
    [first, _] = score(_truth(), [_found(PRICES[:3])]).tables
    assert (first.precision, first.recall) == (1.0, 0.7)
    assert first.f1 == pytest.approx(2 * 0.7 / 1.7)
    assert first.is_found


def test_a_row_too_many_costs_precision_only() -> None:
    """One more row brings 3 relations that are not true."""
    [first, _] = score(_truth(), [_found([*PRICES, ["Total", "49"]])]).tables
    assert (first.precision, first.recall) == (pytest.approx(10 / 13), 1.0)


def test_headers_are_asked_of_tables_that_were_found() -> None:
    """A wrong number of header rows is wrong; of a table that was not found, or not known, nothing is asked."""
    assert score(_truth(), [_found(PRICES, 2)]).tables[0].header is False
    assert score(_truth(), [_found(PRICES[:2])]).tables[0].header is None
    assert score(_truth(), [_found(PLACES, 5)]).tables[1].header is None


def test_pairs_are_one_to_one_best_first() -> None:
    """Two readings of one table: the better is the partner, the other is wrong."""
    page = score(_truth(), [_found(PRICES[:3]), _found(PRICES)])
    assert page.tables[0].partner == 1
    assert page.wrong == (0,)


def test_a_table_is_found_for_one_table_only() -> None:
    """Of two equal tables one goes without a partner when only one was found."""
    table = {"rows": PRICES, "header_rows": 1, "kind": "markup"}
    page = score(_truth(tables=[table, table]), [_found(PRICES)])
    assert [one.f1 for one in page.tables] == [1.0, 0.0]


def test_a_poor_partner_scores_but_is_no_hit() -> None:
    """Half a table earns its F1, and counts as wrong."""
    page = score(_truth(), [_found(PRICES[:2])])
    assert 0 < page.tables[0].f1 < 0.8
    assert (page.hits, page.wrong) == (0, (0,))


def test_layout_and_ignored_tables() -> None:
    """The words tell which known table was handed out; other tables are simply wrong."""
    menu, box = (_found([text.split()], 0) for text in (MENU, BOX))
    page = score(_truth(), [box, menu, menu, _found([["Quite", "other"], ["words", "here"]])])
    assert page.layout == {0}
    assert page.ignored == (0,)
    assert page.wrong == (1, 2, 3)


def test_a_few_common_words_make_no_layout_table() -> None:
    """Two words in five are too few to be taken for that table; three in five are enough."""
    half, more = (_found([[*MENU.split()[:many], *["one", "two", "three"][: 5 - many]]], 0) for many in (2, 3))
    assert (score(_truth(), [half]).layout, score(_truth(), [half]).wrong) == (frozenset(), (0,))
    assert score(_truth(), [more]).layout == {0}


def test_a_tie_is_no_layout() -> None:
    """A table whose words are those of an ignored and of a layout table is ignored."""
    page = score(_truth(ignore=[MENU]), [_found([MENU.split()], 0)])
    assert (page.ignored, page.layout) == ((0,), frozenset())


def test_spans_count_once_among_the_words() -> None:
    """Repeated neighbours are taken for spans, unless the cells themselves are known."""
    rows = [["Home", "Home", "Home"], ["Home", "News", "Products"], ["Contact", "About", "About"]]
    assert Found(rows, 0).bag == Found([MENU.split()], 0).bag
    assert Found(rows, 0, ("Home", "Home")).bag == {"home": 2}


def test_tables_without_rows_are_nobodys() -> None:
    """An empty table is neither hit nor wrong."""
    page = score(_truth(), [_found([]), _found(PRICES)])
    assert (page.hits, page.wrong) == (1, ())


def _pages() -> list[PageScore]:
    """A page read well, one of another part with everything wrong, and one that is not complete."""
    menu = _found([MENU.split()], 0)
    return [
        score(_truth(), [_found(PRICES), _found(PLACES)]),
        score(_truth(part="q"), [menu, _found([["no", "table"]])]),
        score(_truth(set="t", complete=False), [_found(PRICES, 0), menu]),
    ]


def test_summary() -> None:
    """Means are over tables, layout over all pages, precision over complete ones."""
    found = summary(_pages())
    assert (found.pages, found.tables) == (3, 6)
    assert found.f1 == found.found == found.precision == found.recall == 0.5
    assert found.header == 0.5
    assert found.layout_handed_out == pytest.approx(2 / 3)
    assert found.hit_share == 0.5
    assert found.extra == 1.0


def test_summary_of_nothing() -> None:
    """Where there is nothing to take a mean of, there is none; complete pages without any table found score 0."""
    nothing = summary([score(_truth(complete=False, layout=[], tables=[]), [])])
    assert (nothing.f1, nothing.layout_handed_out, nothing.hit_share, nothing.extra) == (None, None, None, None)
    assert summary([score(_truth(), [])]).hit_share == 0.0


def test_groups() -> None:
    """Kinds, sets, and the parts of a set that has more than one."""
    found = groups(_pages())
    assert list(found) == ["all", "markup", "visual", "s", "s / p", "s / q", "t"]
    assert found["markup"].f1 == pytest.approx(2 / 3)
    assert found["visual"].f1 == pytest.approx(1 / 3)
    assert found["markup"].hit_share is None
    assert (found["s / p"].f1, found["s / q"].f1, found["t"].f1) == (1.0, 0.0, 0.5)
