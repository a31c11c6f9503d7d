"""The records of one table that are the same thing are found, each record in one cluster."""

from pathlib import Path

import pytest

import sightline as sl
from sightline.errors import UsageError
from sightline.flow.match import DuplicateSettings

ROWS = [
    {"id": "a", "name": "John Smith", "born": "1956-04-09", "phone": "0171 2345678"},
    {"id": "b", "name": "Jon Smith", "born": "1956-04-09", "phone": "0171-2345678"},
    {"id": "c", "name": "Smith, John", "born": "09.04.1956", "phone": "0171 2345678"},
    {"id": "d", "name": "John Smith", "born": "1980-11-01", "phone": "0151 5550001"},
    {"id": "e", "name": "Mary Miller", "born": "1971-12-30", "phone": "0181 9876543"},
    {"id": "f", "name": "Ann Taylor", "born": "1963-07-21", "phone": "0151 4445556"},
]


def test_records_of_a_thing_are_one_cluster() -> None:
    """However they are written; a namesake who was born on another day is somebody else."""
    found = sl.deduplicate(ROWS)
    assert {"a", "b", "c"} in [set(own) for own in found.duplicates]
    assert not any("d" in own for own in found.duplicates)


def test_every_record_is_in_one_cluster() -> None:
    """None is lost, none is twice."""
    records = [one for own in sl.deduplicate(ROWS).clusters for one in own]
    assert sorted(records) == [row["id"] for row in ROWS]


def test_clusters_are_written_as_a_table(tmp_path: Path) -> None:
    """A row for each record: the record, the number of its thing, how many there are of it, and how sure that is."""
    path = sl.deduplicate(ROWS).to_csv(tmp_path / "clusters.csv")
    lines = path.read_text().splitlines()
    assert lines[0] == "record,thing,of,score"
    assert len(lines) == len(ROWS) + 1
    assert lines[1].startswith("a,1,")
    assert lines[-1].endswith(",1,")


def test_the_columns_can_be_chosen() -> None:
    """By name alone, namesakes are one."""
    found = sl.deduplicate(ROWS, settings=DuplicateSettings(on="name", matched=0.01))
    assert any({"a", "d"} <= set(own) for own in found.duplicates)
    with pytest.raises(UsageError, match="no column 'age'"):
        sl.deduplicate(ROWS, settings=DuplicateSettings(on="age"))


@pytest.mark.parametrize("rows", [ROWS[:1], ROWS[:2]])
def test_small_tables_are_no_trouble(rows: list[dict[str, str]]) -> None:
    """One record has no duplicate."""
    found = sl.deduplicate(rows)
    assert len(found) == len(rows)
