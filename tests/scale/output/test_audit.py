"""The audit counts every document by its id, and finds whatever is not as it was written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import orjson
import pytest

from sightline.scale.output import AuditedShard, DocumentOutcome, PartFacts, RowMaker, audit, part_name, write_manifest

from ._batches import shop_maker, shop_outcomes, written

FAILED = DocumentOutcome("shop#x", "page x", status="failed", reasons=("no page",), cause="UnreadableError")


@pytest.fixture(scope="module")
def maker() -> RowMaker:
    """What makes the rows of a shop."""
    return shop_maker()


@pytest.fixture
def shards(tmp_path: Path, maker: RowMaker) -> list[AuditedShard]:
    """Two shards, of which one has a document that failed."""
    parts = {"000001": shop_outcomes(maker, 0, 3), "000002": [*shop_outcomes(maker, 3, 2), FAILED]}
    return [
        AuditedShard(name, [one.id for one in outcomes], written(tmp_path, name, outcomes, maker))
        for name, outcomes in parts.items()
    ]


def test_a_sound_batch_is_complete(tmp_path: Path, shards: list[AuditedShard]) -> None:
    """All counts add up, and the sentence says so."""
    found = audit(tmp_path, iter(shards))
    assert found.is_complete
    assert (found.documents, found.ok, found.failed, found.rows, found.files) == (6, 5, 1, 5, 4)
    counts = "6 documents: 5 ok, 0 suspicious, 1 failed, 0 quarantined; none lost, none doubled."
    assert str(found) == f"{counts} All files were read."
    looked = audit(tmp_path, iter(shards), quick=True)
    assert str(looked) == f"{counts} Only the number and length of the files were compared; --verify reads them all."


def test_a_shard_that_is_not_done_is_lost(tmp_path: Path, shards: list[AuditedShard]) -> None:
    """Its documents are named."""
    found = audit(tmp_path, [*shards, AuditedShard("000003", ["shop#8", "shop#9"])])
    assert not found.is_complete
    assert (found.unfinished, found.lost, found.lost_ids) == (1, 2, ("shop#8", "shop#9"))
    assert "2 lost, none doubled, 1 of 3 shards not done." in str(found)


def test_a_document_that_is_missing_from_its_file_is_lost(tmp_path: Path, shards: list[AuditedShard]) -> None:
    """The ledger says what should be there, not the file."""
    first, second = shards
    found = audit(tmp_path, [msgspec.structs.replace(first, ids=[*first.ids, "shop#7"]), second])
    assert (found.lost_ids, found.is_complete) == (("shop#7",), False)
    assert (found.documents, found.ok + found.failed) == (7, 6)


def test_documents_twice_or_from_elsewhere_are_found(tmp_path: Path, maker: RowMaker) -> None:
    """A document that is there twice is counted once, and a strange one not at all."""
    outcomes = shop_outcomes(maker, 0, 3)
    facts = written(tmp_path, "000001", [*outcomes, outcomes[0]], maker)
    found = audit(tmp_path, [AuditedShard("000001", ["shop#0", "shop#1"], facts)])
    assert (found.doubled_ids, found.unknown_ids, found.ok) == (("shop#0",), ("shop#2",), 2)
    assert not found.is_complete


@pytest.mark.parametrize("kind", ["records", "documents"])
@pytest.mark.parametrize("harm", ["gone", "cut", "flipped", "empty"])
def test_damage_is_found(tmp_path: Path, shards: list[AuditedShard], kind: str, harm: str) -> None:
    """Whatever happens to a file on the disk: the batch is not complete, and the file is named."""
    path = tmp_path / part_name(kind, "000001")
    content = path.read_bytes()
    middle = len(content) // 2
    harmed = {
        "cut": content[:middle],
        "flipped": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
        "empty": b"",
    }
    path.unlink() if harm == "gone" else path.write_bytes(harmed[harm])
    found = audit(tmp_path, shards)
    assert not found.is_complete
    assert found.damaged == 1
    assert found.problems[0].startswith(part_name(kind, "000001"))


@pytest.mark.parametrize("harm", ["gone", "cut"])
def test_a_quick_audit_misses_no_file(tmp_path: Path, shards: list[AuditedShard], harm: str) -> None:
    """It opens none, and counts the same; a file that is gone or shorter is found."""
    assert msgspec.structs.replace(audit(tmp_path, shards, quick=True), contents=True) == audit(tmp_path, shards)
    path = tmp_path / part_name("records", "000002")
    path.unlink() if harm == "gone" else path.write_bytes(path.read_bytes()[:-1])
    assert audit(tmp_path, shards, quick=True).damaged == 1
    strange = [msgspec.structs.replace(shard, ids=[*shard.ids, "shop#7"]) for shard in shards[:1]]
    assert audit(tmp_path, strange, quick=True).lost_ids == ("shop#7",)


def test_a_file_of_no_shard_is_found(tmp_path: Path, shards: list[AuditedShard], maker: RowMaker) -> None:
    """Whoever reads the folder would read its rows as well."""
    written(tmp_path, "000009", [], maker)
    found = audit(tmp_path, shards)
    assert found.damaged == 2
    assert found.problems[0] == "records/part-000009.parquet belongs to no shard of this batch; move it elsewhere."


def test_names_of_files_that_are_no_text_are_compared(tmp_path: Path, maker: RowMaker) -> None:
    """Bytes that are no character are spelled out in the file, and in what it is compared with."""
    facts = written(tmp_path, "000001", [DocumentOutcome("x-\udce4.html", "", cause="")], maker)
    assert audit(tmp_path, [AuditedShard("000001", ["x-\udce4.html"], facts)]).is_complete


def test_the_manifest_names_every_file(tmp_path: Path, shards: list[AuditedShard], maker: RowMaker) -> None:
    """With its rows, bytes and digest, and the schema of the rows."""
    found = audit(tmp_path, shards)
    path = write_manifest(tmp_path, (_facts(shard) for shard in shards), maker.schema, found, "job")
    document: dict[str, Any] = orjson.loads(path.read_bytes())
    assert document["complete"]
    assert document["totals"]["documents"] == 6
    assert [file["name"] for file in document["files"]] == [f.name for shard in shards for f in _facts(shard).files]
    assert {"name": "Price", "type": "string"} in document["records"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["documents", "manifest.json", "records"]


def test_a_manifest_that_is_interrupted_leaves_the_old_one(tmp_path: Path, maker: RowMaker) -> None:
    """It is written beside, and renamed when it is whole."""
    write_manifest(tmp_path, [], maker.schema, audit(tmp_path, []))
    before = (tmp_path / "manifest.json").read_bytes()

    def broken() -> Iterator[PartFacts]:
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        write_manifest(tmp_path, broken(), maker.schema, audit(tmp_path, []))
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [before]


def test_two_who_write_the_manifest_at_once_do_not_disturb_each_other(
    tmp_path: Path, shards: list[AuditedShard], maker: RowMaker
) -> None:
    """Drivers that share a batch end it at the same time; each writes it whole."""
    found = audit(tmp_path, shards)

    def interleaved() -> Iterator[PartFacts]:
        for shard in shards:
            write_manifest(tmp_path, (_facts(one) for one in shards), maker.schema, found)
            yield _facts(shard)

    path = write_manifest(tmp_path, interleaved(), maker.schema, found)
    assert len(orjson.loads(path.read_bytes())["files"]) == sum(len(_facts(shard).files) for shard in shards)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["documents", "manifest.json", "records"]


def _facts(shard: AuditedShard) -> PartFacts:
    assert shard.facts is not None
    return shard.facts
