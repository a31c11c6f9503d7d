"""Part files appear whole under the name of their shard, and say what is in them."""

import errno
import hashlib
import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sightline.data import Content, ContentPart, Extraction, Value
from sightline.errors import OutputError
from sightline.scale.output import (
    DOCUMENT_SCHEMA,
    DocumentOutcome,
    discard_parts,
    part_name,
    publish_parts,
    write_parts,
)
from sightline.scale.output import _parts as part_file
from sightline.scale.output import _parts as parts

from ._batches import PAGE, shop_maker, shop_outcomes, text_maker, written


def _files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_shard_is_two_files(tmp_path: Path) -> None:
    """Rows and documents, by the name of the shard, with facts that match them byte by byte."""
    maker = shop_maker()
    broken = DocumentOutcome("shop#x", "page x", status="failed", reasons=("no page",), cause="UnreadableError")
    facts = written(tmp_path, "000001", [*shop_outcomes(maker, 0, 3), broken], maker)
    assert _files(tmp_path) == ["documents/part-000001.parquet", "records/part-000001.parquet"]
    for file in facts.files:
        content = (tmp_path / file.name).read_bytes()
        assert (file.bytes, file.sha256) == (len(content), hashlib.sha256(content).hexdigest())
        assert file.rows == pq.read_metadata(tmp_path / file.name).num_rows
    assert (facts.documents, facts.ok, facts.failed, facts.rows, facts.filled) == (4, 3, 1, 3, (3, 3, 2))
    assert facts.ids_digest == hashlib.sha256(b"shop#0\nshop#1\nshop#2\nshop#x").hexdigest()
    rows = pq.read_table(tmp_path / part_name("records", "000001"))
    assert rows.schema == maker.schema
    assert rows["_document"].to_pylist() == ["shop#0", "shop#1", "shop#2"]
    assert rows["title"].to_pylist() == ["Camera 0", "Camera 1", "Camera 2"]
    documents = pq.read_table(tmp_path / part_name("documents", "000001"))
    assert documents.schema == DOCUMENT_SCHEMA
    assert documents["status"].to_pylist() == ["ok"] * 3 + ["failed"]
    assert documents["reasons"].to_pylist() == [[], [], [], ["no page"]]
    assert set(documents["wrapper"].to_pylist()) == {maker.version}


def test_nothing_has_its_name_before_it_is_published(tmp_path: Path) -> None:
    """Until then, the files begin with a point, which readers of folders skip; discarded, they are gone."""
    maker = shop_maker()
    write_parts(tmp_path, "000001", 7, shop_outcomes(maker, 0, 1), maker)
    assert _files(tmp_path) == ["documents/.part-000001.7.tmp", "records/.part-000001.7.tmp"]
    discard_parts(tmp_path, "000001", 7)
    assert _files(tmp_path) == []


def test_publishing_again_changes_nothing(tmp_path: Path) -> None:
    """A commit that is repeated after a crash finds its files in place; where they are gone it says so."""
    maker = shop_maker()
    facts = written(tmp_path, "000001", shop_outcomes(maker, 0, 2), maker)
    before = {name: (tmp_path / name).read_bytes() for name in _files(tmp_path)}
    publish_parts(tmp_path, facts, "000001", 1)
    assert {name: (tmp_path / name).read_bytes() for name in _files(tmp_path)} == before
    path = tmp_path / facts.files[0].name
    path.write_bytes(path.read_bytes()[::-1])  # as long as it was
    with pytest.raises(OutputError, match="gone before it got its name"):
        publish_parts(tmp_path, facts, "000001", 1)


def test_a_later_try_replaces_the_files_of_an_earlier_one(tmp_path: Path) -> None:
    """The same shard has the same names, so that nothing is there twice."""
    maker = shop_maker()
    written(tmp_path, "000001", shop_outcomes(maker, 0, 2), maker, fence=1)
    facts = written(tmp_path, "000001", shop_outcomes(maker, 0, 3), maker, fence=2)
    assert len(_files(tmp_path)) == 2
    assert pq.read_metadata(tmp_path / facts.files[0].name).num_rows == 3


def test_parts_have_one_schema_even_when_empty(tmp_path: Path) -> None:
    """A shard without rows has the same columns as all others, so that folders can be read as one table."""
    maker = shop_maker()
    failed = DocumentOutcome("shop#9", "page 9", status="failed", reasons=("gone",), cause="UnreachableError")
    written(tmp_path, "000001", [failed], maker)
    written(tmp_path, "000002", shop_outcomes(maker, 0, 2), maker)
    written(tmp_path, "000003", [], maker)
    assert pq.read_table(tmp_path / "records").num_rows == 2
    assert pq.read_table(tmp_path / "documents").num_rows == 3


def test_hostile_texts_and_names_are_written(tmp_path: Path) -> None:
    """Half characters, zeros and 10 MB of text; two names that differ in a byte which is no character stay two."""
    maker = text_maker()
    texts = ["a\ud800b", "nul\0nul", "ü" * 5_000_000]
    outcomes = []
    for text, name in zip(texts, ("x-\udce4.html", "x-\udce5.html", "z\0.html"), strict=True):
        rows, count = maker.rows(name, PAGE, Extraction("content", (Content((ContentPart(Value(text)),)),)))
        outcomes.append(
            DocumentOutcome(name, name, name, "suspicious", ("half \ud800",), "odd", rows=rows, row_count=count)
        )
    written(tmp_path, "000001", outcomes, maker)
    rows = pq.read_table(tmp_path / "records")
    assert rows["text"].to_pylist() == ["a\ufffdb", texts[1], texts[2]]
    ids = pq.read_table(tmp_path / "documents")["id"].to_pylist()
    assert ids == ["x-\\udce4.html", "x-\\udce5.html", "z\0.html"]


def test_memory_is_bounded_by_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outcomes are taken from a stream, and become a row group as soon as they are large enough."""
    monkeypatch.setattr(parts, "BATCH_BYTES", 1)
    maker = shop_maker()
    written(tmp_path, "000001", iter(shop_outcomes(maker, 0, 3)), maker)
    assert pq.read_metadata(tmp_path / part_name("records", "000001")).num_row_groups == 3
    assert pq.read_metadata(tmp_path / part_name("documents", "000001")).num_row_groups == 1


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to do, and no half-written file stays."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(part_file.os, "fsync", full)
    maker = shop_maker()
    outcomes = shop_outcomes(maker, 0, 1)
    with pytest.raises(OutputError, match="No space left on device; free some space, then start the batch again"):
        write_parts(tmp_path, "000001", 1, outcomes, maker)
    assert _files(tmp_path) == []
