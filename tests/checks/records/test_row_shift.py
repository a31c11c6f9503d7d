"""Values that have moved by a row."""

from dataclasses import replace

import pytest

from sightline.checks import PageRecords, check_records
from sightline.data import Origin, Records, Value
from sightline.testing import grid_page

from ._shop import run_of_pages


@pytest.mark.parametrize(("step", "told"), [(1, "next"), (-1, "previous")])
def test_values_of_the_neighbouring_record_are_told(step: int, told: str) -> None:
    """All prices are those of the next, or of the previous record."""
    [taken] = run_of_pages(1)
    rows = list(taken.records)
    moved = [
        record.replace(price=rows[number + step]["price"] if 0 <= number + step < len(rows) else None)
        for number, record in enumerate(rows)
    ]
    issues = check_records([replace(taken, records=Records(moved))]).of("rows")
    assert [(issue.field, told in issue.reason) for issue in issues] == [("price", True)]
    assert check_records([taken]).verdict == "ok"


def test_records_written_column_by_column_are_not_told() -> None:
    """Where the rows of a table are the fields, every value stands far from the others of its record."""
    page = grid_page([["A", "B", "C", "D"], ["5 €", "6 €", "7 €", "8 €"], ["1", "2", "3", "4"]])
    cells = page.with_tag("td").tolist()
    names = ("name", "price", "stock")
    records = [
        {
            name: Value(page.text_of(cells[4 * row + place]), None, Origin(page.id, (cells[4 * row + place],)))
            for row, name in enumerate(names)
        }
        for place in range(4)
    ]
    assert check_records([PageRecords(Records(records), page)]).of("rows") == ()
