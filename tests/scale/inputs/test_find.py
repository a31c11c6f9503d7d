"""Names of a batch: what each stands for, each file once, and what stands for nothing."""

import gzip
import os
import random
import sys
from pathlib import Path

import fsspec
import msgspec
import pytest
from fsspec.spec import AbstractBufferedFile, AbstractFileSystem

from sightline.errors import MissingExtra, SourceError, UnreachableError
from sightline.net import Document, Limits
from sightline.scale.inputs import (
    BatchInput,
    DocumentReader,
    DocumentReference,
    _storage,
    find_inputs,
    list_documents,
)

from ._warcs import answer, build, record

LIMITS = Limits()
PAGE = b"<!doctype html><p>page"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of everything, with the user in the folder above."""
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "all"
    (place / "deep").mkdir(parents=True)
    (place / "a.warc.gz").write_bytes(build(2, "members").content)
    (place / "urls.lst").write_text("https://site.example/1\n")
    (place / "links.txt").write_text("# two\nhttps://site.example/2\n")
    (place / "README.txt").write_text("Notes on these files.\n")
    (place / "LICENSE").write_text("Free.\n")
    for name in ("b.html", "deep/c.HTM", "deep/d.pdf"):
        (place / name).write_bytes(PAGE)
    return place


def found(*names: str) -> dict[str, str]:
    """The kinds of the inputs by their names."""
    inputs = list(find_inputs(names))
    assert not [one for one in inputs if isinstance(one, SourceError)]
    return {one.name: one.kind for one in inputs if isinstance(one, BatchInput)}


def ids(*names: str) -> list[str]:
    """The ids of all documents."""
    return [reference.id for one in find_inputs(names) for reference in listed(one)]


def listed(one: BatchInput | SourceError) -> list[DocumentReference]:
    """The references of an input, as they are after a journey through a ledger."""
    assert isinstance(one, BatchInput), one
    references = list(list_documents(one, LIMITS))
    return msgspec.msgpack.decode(msgspec.msgpack.encode(references), type=list[DocumentReference])


def problem(*names: str) -> SourceError:
    """The only error that names lead to."""
    (one,) = find_inputs(names)
    assert isinstance(one, SourceError)
    return one


@pytest.mark.usefixtures("folder")
def test_folder_gives_files_of_documents_and_pages() -> None:
    """Archives and lists are inputs of their own, pages one together; notes and licences are left alone."""
    assert found("all") == {"all/a.warc.gz": "warc", "all/links.txt": "list", "all/urls.lst": "list", "all": "files"}
    assert ids("all") == [
        *("all/a.warc.gz#1", "all/a.warc.gz#2", "all/links.txt#2", "all/urls.lst#1"),
        *("all/b.html", "all/deep/c.HTM", "all/deep/d.pdf"),
    ]


def test_file_named_twice_is_one(folder: Path) -> None:
    """By its folder, by a glob, by itself, by a link and by an address, a file is read once, under its first name."""
    (folder / "link.warc.gz").symlink_to(folder / "a.warc.gz")
    twice = [
        "all/a.warc.gz",
        "all/*.gz",
        "all",
        folder.as_uri() + "/a.warc.gz",
        str(folder / "b.html"),
        "all/**/*.htm*",
    ]
    several = ids(*twice, "https://site.example/", "https://site.example/")
    assert len(several) == len(set(several)) == len(ids("all")) + 1
    assert several[0] == "all/a.warc.gz#1"


def test_names_that_stand_for_nothing_are_said_and_stop_nobody(folder: Path) -> None:
    """Each gives one error with what to do, and the others are found."""
    (folder / "empty").mkdir()
    for name in ("gone.html", "@gone.txt", "all/*.xyz", "all/empty", "", "x\0y"):
        assert isinstance(problem(name), UnreachableError), name
    several = list(find_inputs(["gone.html", "all/a.warc.gz", "gone/"]))
    assert [isinstance(one, BatchInput) for one in several] == [False, True, False]


def test_files_without_a_telling_name_are_told_by_their_bytes(folder: Path) -> None:
    """A named file may have any name; one in a glob that is no archive is a page."""
    (folder / "crawl.bin").write_bytes(build(2, "members").content)
    (folder / "page.php").write_bytes(PAGE)
    assert found("all/crawl.bin", "all/page.php") == {"all/crawl.bin": "warc", "all/page.php": "files"}
    assert "all/page.php" in ids("all/*.php")
    assert found("all/*.txt") == {"all/links.txt": "list", "all/README.txt": "list"}


def test_identity_changes_with_the_bytes(folder: Path) -> None:
    """For a file of documents and for all files of a folder."""

    def identities() -> dict[str, str]:
        return {one.name: one.identity for one in find_inputs(["all"]) if isinstance(one, BatchInput)}

    before = identities()
    assert identities() == before
    (folder / "b.html").write_bytes(PAGE * 2)
    (folder / "urls.lst").write_text("https://site.example/9999\n")
    after = identities()
    assert {name for name in before if before[name] != after[name]} == {"all", "all/urls.lst"}
    (folder / "new.html").write_bytes(PAGE)
    assert identities()["all"] != after["all"]


def test_name_that_is_no_text_is_said(folder: Path) -> None:
    """Names of files may be any bytes; what a ledger cannot hold is an error and not a crash."""
    (folder / os.fsdecode(b"\xff.html")).write_bytes(PAGE)
    (folder / os.fsdecode(b"\xff.warc")).write_bytes(build(1, "plain").content)
    inputs = list(find_inputs(["all"]))
    assert [one.source for one in inputs if isinstance(one, SourceError)] == ["all/\\xff.warc"]
    assert [one.id for one in listed(inputs[-1]) if one.problem] == ["all/\\xff.html"]


# -- lists ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["list.txt", "list.urls", "list.txt.gz", "@list"])
def test_list_names_addresses_and_paths(name: str) -> None:
    """Comments and empty lines are passed over, and numbers are those of the lines."""
    text = b"\xef\xbb\xbf# comment\nhttps://site.example/1\r\n\n  all/b.html  \ngone.html\nall/a.warc.gz\nbad\xff\n"
    Path(name.removeprefix("@")).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    (one,) = find_inputs([name])
    references = listed(one)
    assert [reference.id for reference in references] == [f"{name}#{line}" for line in (2, 4, 5, 6, 7)]
    assert isinstance(one, BatchInput)
    with DocumentReader(one, LIMITS) as reader:
        address, page, gone, archive, bad = map(reader.read, references)
    assert address == "https://site.example/1"
    assert isinstance(page, Document)
    assert page.content == PAGE
    assert isinstance(gone, UnreachableError)
    assert "several pages" in str(archive)
    assert "UTF-8" in str(bad)


@pytest.mark.usefixtures("folder")
def test_damaged_list_gives_what_stands_before() -> None:
    """A compressed list that is cut, a line without end and an empty list are said."""
    text = "".join(f"https://site.example/{number * 7919}\n" for number in range(3000)).encode()
    Path("cut.txt.gz").write_bytes(gzip.compress(text)[:-2000])
    *lines, last = listed(next(find_inputs(["cut.txt.gz"])))
    assert len(lines) > 100
    assert not any(line.problem for line in lines)
    assert "damaged from here" in last.problem
    Path("long.txt").write_bytes(b"x" * 200_000 + b"\nhttps://site.example/\n")
    long, short = listed(next(find_inputs(["long.txt"])))
    assert (bool(long.problem), short.id, short.problem) == (True, "long.txt#2", "")
    Path("empty.txt").write_text("# nothing\n")
    assert listed(next(find_inputs(["empty.txt"])))[0].problem


# -- crawls and object stores --------------------------------------------------------------------------------------


def test_folder_of_a_crawl_gives_what_was_found(folder: Path) -> None:
    """Only the pages of the index, by its lines; a line that leads out of the folder is an error."""
    crawl = folder / "deep" / "shop"
    crawl.mkdir()
    first, second = (gzip.compress(record(answer(PAGE + b"%d" % number))) for number in range(2))
    (crawl / "pages-00001.warc.gz").write_bytes(first + second)
    lines = [
        f'x 2026 {{"url": "https://a.example/", "filename": "pages-00001.warc.gz", "offset": {len(first)}, '
        f'"length": {len(second)}}}',
        'x 2026 {"url": "https://b.example/", "filename": "../a.warc.gz", "offset": 0, "length": 10}',
        'x 2026 {"url": "https://c.example/", "filename": "gone.warc.gz", "offset": 0, "length": 10}',
        "nonsense",
    ]
    (crawl / "found.cdxj").write_text("\n".join(lines) + "\n")
    (one,) = find_inputs(["all/deep/shop/"])
    assert isinstance(one, BatchInput)
    assert one.kind == "index"
    references = listed(one)
    assert [reference.id for reference in references] == [f"all/deep/shop/found.cdxj#{line}" for line in range(1, 5)]
    with DocumentReader(one, LIMITS) as reader:
        page, *others = map(reader.read, references)
    assert isinstance(page, Document)
    assert page.content == PAGE + b"1"
    assert all(isinstance(other, SourceError) for other in others)
    assert "all/deep/shop/found.cdxj" in found("all")


def test_object_store_is_read_like_a_folder() -> None:
    """Folders, globs and single files of a store, and lists that name files there."""
    store = fsspec.filesystem("memory")
    built = build(60, "members")
    store.pipe(
        {"/data/a.warc.gz": built.content, "/data/x/b.html": PAGE, "/data/urls.lst": b"memory://data/x/b.html\n"}
    )
    try:
        assert found("memory://data") == {
            "memory:///data/a.warc.gz": "warc",
            "memory:///data/urls.lst": "list",
            "memory://data": "files",
        }
        assert found("memory://data/*.warc.gz") == {"memory:///data/a.warc.gz": "warc"}
        (one,) = find_inputs(["memory://data/a.warc.gz"])
        assert isinstance(one, BatchInput)
        references = listed(one)
        with DocumentReader(one, LIMITS) as reader:
            documents = [reader.read(reference) for reference in (references[50], references[3])]
        assert [d.content for d in documents if isinstance(d, Document)] == [built.pages[50], built.pages[3]]
        (lines,) = find_inputs(["memory://data/urls.lst"])
        assert isinstance(lines, BatchInput)
        with DocumentReader(lines, LIMITS) as reader:
            page = reader.read(listed(lines)[0])
        assert isinstance(page, Document)
        assert page.content == PAGE
        assert isinstance(problem("memory://data/gone.warc.gz"), UnreachableError)
        assert isinstance(problem("memory://data/*.xyz"), UnreachableError)
        assert isinstance(problem("nosuchstore://x/y.warc"), UnreachableError)
    finally:
        store.rm("/data", recursive=True)


class CountedFile(AbstractBufferedFile):
    """A file of a store that tells how many bytes were asked for."""

    content = b""
    fetched = 0

    def _fetch_range(self, start: int, end: int) -> bytes:
        type(self).fetched += end - start
        return self.content[start:end]


class CountedStore(AbstractFileSystem):
    """A store with one file."""

    protocol = "counted"

    def info(self, path: str, **_: object) -> dict[str, object]:
        """What the store says of its file."""
        return {"name": path, "size": len(CountedFile.content), "type": "file", "ETag": "1"}

    def _open(self, path: str, mode: str = "rb", block_size: int | None = None, **_: object) -> CountedFile:
        return CountedFile(self, path, mode, block_size or "default", size=len(CountedFile.content))


def test_object_store_is_read_by_ranges() -> None:
    """A document far behind costs some megabytes around it and not the file; the next one costs nothing."""
    fsspec.register_implementation("counted", CountedStore, clobber=True)
    pages = [b"<!doctype html>" + random.Random(number).randbytes(100_000) for number in range(200)]
    CountedFile.content = b"".join(gzip.compress(record(answer(page)), 1) for page in pages)
    (one,) = find_inputs(["counted://store/a.warc.gz"])
    assert isinstance(one, BatchInput)
    references = listed(one)
    CountedFile.fetched = 0
    with DocumentReader(one, LIMITS) as reader:
        documents = [reader.read(reference) for reference in references[150:153]]
    assert [document.content for document in documents if isinstance(document, Document)] == pages[150:153]
    assert CountedFile.fetched < 3_000_000 < len(CountedFile.content) / 6


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without fsspec, the error says what to install; files on this machine need nothing of it."""
    _storage._systems.cache_clear()
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(MissingExtra, match=r"sightline-data\[scale\]"):
        list(find_inputs(["memory://data/a.warc.gz"]))
    assert isinstance(problem("gone.warc.gz"), UnreachableError)
