"""WACZ files of a batch: the pages of their archives, and what is wrong with the archives as a whole."""

import hashlib
import json
import random
import zipfile
from pathlib import Path

import pytest

from sightline.errors import UnreadableError
from sightline.net import Document, Limits
from sightline.scale.inputs import BatchInput, DocumentReader, DocumentReference, find_inputs, list_documents

from ._warcs import build

LIMITS = Limits()


def written(
    path: Path, archives: dict[str, bytes], digests: dict[str, str] | None = None, method: int = 0
) -> BatchInput:
    """A WACZ with these archives; digests are their own unless others are given."""
    told = {name: f"sha256:{hashlib.sha256(content).hexdigest()}" for name, content in archives.items()}
    resources = [{"path": name, "hash": digest} for name, digest in (told if digests is None else digests).items()]
    with zipfile.ZipFile(path, "w", method) as package:
        package.writestr("datapackage.json", json.dumps({"profile": "data-package", "resources": resources}))
        for name, content in archives.items():
            package.writestr(name, content)
        package.writestr("pages/pages.jsonl", "{}")
    (one,) = find_inputs([str(path)])
    assert isinstance(one, BatchInput)
    assert one.kind == "wacz"
    return one


def read(found: BatchInput) -> list[bytes | None]:
    """The content of each document, twice: in order, and in any order; None for errors."""
    references = list(list_documents(found, LIMITS))
    shuffled = random.Random(1).sample(references, len(references))
    with DocumentReader(found, LIMITS) as reader:
        first = {one.id: content(reader, one) for one in references}
        again = {one.id: content(reader, one) for one in shuffled}
    assert again == first
    assert len(first) == len(references)
    return list(first.values())


def content(reader: DocumentReader, reference: DocumentReference) -> bytes | None:
    """The bytes of a document; None for an error."""
    document = reader.read(reference)
    return document.content if isinstance(document, Document) else None


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("pack", ["members", "plain", "whole"])
def test_pages_of_all_archives_are_counted_through(method: int, pack: str, tmp_path: Path) -> None:
    """Stored and compressed archives give the same pages, in the order of the archives' names."""
    first, second = build(10, pack, 1), build(10, pack, 2)
    found = written(
        tmp_path / "x.wacz", {"archive/b.warc.gz": second.content, "archive/a.warc.gz": first.content}, method=method
    )
    assert read(found) == [*first.pages, *second.pages]
    assert [one.id for one in list_documents(found, LIMITS)] == [f"{found.name}#{n}" for n in range(1, 21)]


def test_wrong_digest_and_missing_archive_are_said(tmp_path: Path) -> None:
    """Both are documents with a problem beside the pages, which are read all the same."""
    built = build(3, "members")
    digests = {"archive/a.warc.gz": "sha256:" + "0" * 64, "archive/gone.warc.gz": "sha256:" + "0" * 64}
    found = written(tmp_path / "x.wacz", {"archive/a.warc.gz": built.content}, digests)
    problems = [one for one in list_documents(found, LIMITS) if one.problem]
    assert [one.id for one in problems] == [f"{found.name}#archive/gone.warc.gz", f"{found.name}#archive/a.warc.gz"]
    assert "does not match its digest" in problems[1].problem
    assert read(found) == [None, None, *built.pages]


def test_bomb_and_name_that_leaves_are_not_read(tmp_path: Path) -> None:
    """An archive that would become a hundred times larger, and one outside of the folder, are refused."""
    built = build(2, "members")
    bomb = b"WARC/1.0\r\n" + bytes(5_000_000)
    archives = {"archive/bomb.warc": bomb, "archive/../../x.warc.gz": built.content}
    found = written(tmp_path / "x.wacz", archives, method=zipfile.ZIP_DEFLATED)
    problems = {one.source: one.problem for one in list_documents(found, LIMITS)}
    assert "times as large" in problems["archive/bomb.warc"]
    assert "leads out" in problems["archive/../../x.warc.gz"]


def test_damaged_archives_lose_what_is_damaged(tmp_path: Path) -> None:
    """A damaged member costs its record, a damaged ZIP file all; nothing raises."""
    built = build(6, "members")
    first, last = built.spans[2]
    holed = built.content[: first + 40] + bytes(last - first - 40) + built.content[last:]
    found = written(tmp_path / "x.wacz", {"archive/a.warc.gz": holed}, {})
    assert read(found) == [*built.pages[:2], None, *built.pages[3:]]
    path = Path(found.name)
    path.write_bytes(path.read_bytes()[:-200])
    (one,) = find_inputs([found.name])
    assert isinstance(one, BatchInput)
    (reference,) = list_documents(one, LIMITS)
    with DocumentReader(one, LIMITS) as reader:
        assert isinstance(reader.read(reference), UnreadableError)


def test_damaged_compressed_member_ends_in_an_error(tmp_path: Path) -> None:
    """An archive that is compressed by the ZIP file and damaged gives what stands before, and an error."""
    built = build(40, "plain")
    found = written(tmp_path / "x.wacz", {"archive/a.warc": built.content}, {}, method=zipfile.ZIP_DEFLATED)
    path = Path(found.name)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(bytes(content))
    (one,) = find_inputs([found.name])
    assert isinstance(one, BatchInput)
    texts = read(one)
    assert None in texts
    assert texts[0] == built.pages[0]
