"""Infoboxes are one record; tables of rows are none, however narrow they are."""

import pytest

import sightline as sl
from sightline.data import Cell, Table, Value
from sightline.errors import UsageError
from sightline.extract.tables import find_tables

from ._pages import STOCK, markup, rendered, static

CSS = "table { border: 1px solid } th { text-align: left; font-weight: bold }"
BOX = """<table><tr><th colspan=2>Corrie Hill Observatory</th></tr>
<tr><td colspan=2><img width=120 height=80 alt="The dome"></td></tr>
<tr><th>Country</th><td>Scotland</td></tr><tr><th>Founded</th><td>1894</td></tr>
<tr><th>Altitude</th><td>412 m</td></tr><tr><th colspan=2>Instruments</th></tr>
<tr><th>Refractor</th><td>Lantern 18</td></tr><tr><th>Camera</th><td>Tern</td></tr></table>"""


def _only(page: sl.Page) -> Table:
    (table,) = find_tables(page)
    return table


def test_infobox_is_one_record() -> None:
    """A title, a picture, and labels with their values: one record, with the part below a heading inside it."""
    table = _only(rendered(BOX, CSS))
    assert table.kind == "record"
    assert table.to_record().to_dict() == {
        "title": "Corrie Hill Observatory",
        "Country": "Scotland",
        "Founded": "1894",
        "Altitude": "412 m",
        "Instruments": {"Refractor": "Lantern 18", "Camera": "Tern"},
    }


def test_kind_is_in_the_contract_where_it_is_a_record_alone() -> None:
    """The key is added to the contract, and a grid does not have it; both come back as they were."""
    record, grid = _only(rendered(BOX, CSS)), _only(rendered(markup(STOCK, head="th"), CSS))
    assert record.to_json()["kind"] == "record"
    assert Table.from_json(record.to_json()).kind == "record"
    assert "kind" not in grid.to_json()
    assert Table.from_json(grid.to_json()).kind == "grid"


def test_record_is_told_without_layout() -> None:
    """The tags of the labels are enough."""
    assert _only(static(BOX)).kind == "record"


@pytest.mark.parametrize(
    "rows",
    [
        [["Model", "Price"], ["Arden 5", "1,200"], ["Norda 850", "2,100"], ["Alto 7", "1,900"]],
        [["<b>1990</b>", "Berg"], ["<b>1994</b>", "Lund"], ["<b>1998</b>", "Holm"], ["<b>2002</b>", "Diaz"]],
        [["<b>open()</b>", "Opens a page"], ["<b>close()</b>", "Closes it"], ["<b>save()</b>", "Writes it to a file"]],
    ],
    ids=["headings over columns", "years", "names with descriptions"],
)
def test_pairs_of_many_things_are_no_record(rows: list[list[str]]) -> None:
    """Two columns alone make no record: every row may be about something else."""
    table = find_tables(rendered(markup(rows), CSS), containing="e")[0]
    assert table.kind == "grid"


def test_labels_that_come_twice_have_several_values() -> None:
    """No value is lost."""
    rows = [["Name:", "Lantern"], ["Owner:", "Berg"], ["Owner:", "Lund"]]
    table = Table.from_rows(rows, header_rows=0, header_columns=1)
    assert table.to_record().to_dict() == {"Name": "Lantern", "Owner": ["Berg", "Lund"]}


def test_table_without_labels_is_refused() -> None:
    """One column has no values beside labels."""
    with pytest.raises(UsageError, match="no labels with values"):
        Table.from_rows([["a"], ["b"]]).to_record()


def test_nothing_of_a_record_is_lost() -> None:
    """A label without a value has none, a text without a label is a text, and a second title is one of two."""
    rows = [["Ulm", "Ulm"], ["The old town", "The old town"], ["Facts", "Facts"], ["Title", "City"], ["Mayor", ""]]
    cells = [Cell(row, 0, column_span=2, value=Value(rows[row][0])) for row in range(3)]
    cells += [Cell(row, place, value=Value(rows[row][place])) for row in (3, 4) for place in (0, 1)]
    table = Table(tuple(cells), header_columns=1, kind="record")
    assert table.to_record().to_dict() == {
        "title": "Ulm",
        "text": "The old town",
        "Facts": {"Title": "City", "Mayor": None},
    }
    same = [["Ulm", "Ulm"], ["title", "City"], ["", "On the Danube"]]
    cells = [Cell(0, 0, column_span=2, value=Value("Ulm"))]
    cells += [Cell(row, place, value=Value(same[row][place])) for row in (1, 2) for place in (0, 1)]
    assert Table(tuple(cells), kind="record").to_record().to_dict() == {
        "title": ["Ulm", "City"],
        "text": "On the Danube",
    }
