"""Delta tables of a batch take every shard once, however often it is delivered."""

from pathlib import Path

import deltalake
import pytest

from sightline.errors import OutputError
from sightline.scale.output import _delta as delta
from sightline.scale.output import deliver_delta

from ._batches import shop_maker, shop_outcomes, written


def _rows(folder: Path, kind: str) -> list[dict[str, object]]:
    table = deltalake.DeltaTable(folder / "delta" / kind).to_pyarrow_table()
    return sorted(table.to_pylist(), key=lambda row: str(row.get("id") or row.get("_document")))


def test_shards_are_added_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same shards again add nothing, a new one is added, and both tables have the columns of the files."""
    monkeypatch.setattr(delta, "SHARDS_AT_ONCE", 2)
    maker = shop_maker()
    names = ["000001", "000002", "000003"]
    for place, name in enumerate(names):
        written(tmp_path, name, shop_outcomes(maker, 2 * place, 2), maker)
    assert deliver_delta(tmp_path, names[:2], maker.schema, "job") == 4
    assert deliver_delta(tmp_path, names[:2], maker.schema, "job") == 0
    assert deliver_delta(tmp_path, names, maker.schema, "job") == 2
    assert deliver_delta(tmp_path, names, maker.schema, "job") == 0
    records = _rows(tmp_path, "records")
    assert [row["_document"] for row in records] == [f"shop#{number}" for number in range(6)]
    assert list(records[0]) == maker.schema.names
    assert [row["id"] for row in _rows(tmp_path, "documents")] == [f"shop#{number}" for number in range(6)]
    # Another batch has shards of the same names.
    assert deliver_delta(tmp_path, names[:1], maker.schema, "another job") == 2


def test_a_delivery_that_fails_goes_on_where_it_ended(tmp_path: Path) -> None:
    """A shard whose file is gone is an error in words, and nothing of its commit is there."""
    maker = shop_maker()
    for name in ("000001", "000002"):
        written(tmp_path, name, shop_outcomes(maker, int(name), 1), maker)
    path = tmp_path / "records/part-000002.parquet"
    content = path.read_bytes()
    path.unlink()
    with pytest.raises(OutputError, match="Delta could not take the rows"):
        deliver_delta(tmp_path, ["000001", "000002"], maker.schema, "job")
    path.write_bytes(content)
    assert deliver_delta(tmp_path, ["000001", "000002"], maker.schema, "job") == 2
    assert len(_rows(tmp_path, "documents")) == len(_rows(tmp_path, "records")) == 2
