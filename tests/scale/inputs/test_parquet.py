"""Parquet files of a batch: which column holds the pages, and a document for every row."""

import random
from pathlib import Path

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sightline.errors import SourceError, UnreadableError, UsageError
from sightline.net import Document, Limits
from sightline.scale.inputs import BatchInput, DocumentReader, InputSettings, find_inputs, list_documents

LIMITS = Limits()


def written(path: Path, columns: dict[str, list[object]], group: int = 100) -> str:
    """A file with these columns, in groups of so many rows."""
    pq.write_table(pa.table(columns), path, row_group_size=group)
    return str(path)


def found(path: str, **settings: str) -> BatchInput:
    """The only input that a file is."""
    (one,) = find_inputs([path], InputSettings(**settings))
    assert isinstance(one, BatchInput)
    return one


def pages(count: int) -> list[object]:
    """So many pages."""
    return [f"<!doctype html><title>{number}</title><p>page {number}" for number in range(count)]


def test_rows_are_documents_in_any_order(tmp_path: Path) -> None:
    """Over groups and batches of rows, each reference gives its row, with number and address."""
    urls: list[object] = [f"http://site.example/{number}" for number in range(500)]
    one = found(written(tmp_path / "x.parquet", {"url": urls, "html": pages(500)}, group=130))
    assert (one.kind, one.column, one.url_column) == ("parquet", "html", "url")
    references = list(list_documents(one, LIMITS))
    assert [reference.id for reference in references] == [f"{one.name}#{row}" for row in range(1, 501)]
    pairs = list(enumerate(references))
    with DocumentReader(one, LIMITS) as reader:
        for number, reference in (*pairs, *random.Random(1).sample(pairs, 60)):
            document = reader.read(reference)
            assert isinstance(document, Document)
            assert document.source == f"{one.name}#{number + 1}"
            assert document.url == f"http://site.example/{number}"
            assert document.content.endswith(b"page %d" % number)


def test_column_is_found_by_its_content(tmp_path: Path) -> None:
    """Without a name that tells, the only column that begins with markup is taken; bytes are pages as well."""
    raw: list[object] = [str(page).encode("utf-16") for page in pages(3)]
    one = found(written(tmp_path / "x.parquet", {"name": ["a", "b", "c"], "raw": raw, "size": [1, 2, 3]}))
    assert (one.column, one.url_column) == ("raw", "")
    with DocumentReader(one, LIMITS) as reader:
        document = reader.read(next(list_documents(one, LIMITS)))
    assert isinstance(document, Document)
    assert (document.content, document.charset) == (raw[0], None)


@pytest.mark.parametrize(
    "columns",
    [
        {"left": pages(2), "right": pages(2)},
        {"html": pages(2), "body": pages(2)},
        {"name": ["a", "b"], "size": [1, 2]},
    ],
)
def test_unclear_column_is_asked_for(columns: dict[str, list[object]], tmp_path: Path) -> None:
    """The error names the columns and the flag; the named column is taken then."""
    path = written(tmp_path / "x.parquet", columns)
    first, second = columns
    with pytest.raises(UsageError, match=f"{first}, {second}.*--column"):
        list(find_inputs([path]))
    assert found(path, column=first).column == first
    with pytest.raises(UsageError, match="no column 'nothing'"):
        list(find_inputs([path], InputSettings(url_column="nothing")))


def test_empty_cell_and_large_page_are_errors_of_their_own(tmp_path: Path) -> None:
    """A null cell, and a page beyond the limit, cost their own row only."""
    cells = [pages(1)[0], None, "<p>" + "x" * 5000, pages(1)[0]]
    one = found(written(tmp_path / "x.parquet", {"html": cells}))
    limits = Limits(decoded_bytes=1000)
    with DocumentReader(one, limits) as reader:
        results = [reader.read(reference) for reference in list_documents(one, limits)]
    assert [type(result).__name__ for result in results] == ["Document", "UnreadableError", "LimitError", "Document"]


def test_damaged_file_is_an_error_and_not_an_exception(tmp_path: Path) -> None:
    """A cut file is refused when it is found; damaged pages of the file are errors of their rows."""
    path = Path(written(tmp_path / "x.parquet", {"html": pages(300)}, group=100))
    content = path.read_bytes()
    path.write_bytes(content[:-10])
    (refused,) = find_inputs([str(path)])
    assert isinstance(refused, UnreadableError)
    path.write_bytes(content)
    hole = pq.ParquetFile(path).metadata.row_group(1).column(0).data_page_offset + 8
    path.write_bytes(content[:hole] + b"\xff" * 60 + content[hole + 60 :])
    one = found(str(path))
    with DocumentReader(one, LIMITS) as reader:
        results = [reader.read(reference) for reference in list_documents(one, LIMITS)]
    assert len(results) == 300
    assert all(isinstance(result, Document) for result in (*results[:100], *results[200:]))
    assert any(isinstance(result, SourceError) for result in results[100:200])


def test_file_of_an_object_store_is_read_as_well() -> None:
    """The same rows, by way of fsspec."""
    store = fsspec.filesystem("memory")
    with store.open("/rows/x.parquet", "wb") as file:
        pq.write_table(pa.table({"html": pages(5)}), file)
    try:
        one = found("memory://rows/x.parquet")
        with DocumentReader(one, LIMITS) as reader:
            documents = [reader.read(reference) for reference in list_documents(one, LIMITS)]
        assert [one.content.decode() for one in documents if isinstance(one, Document)] == pages(5)
    finally:
        store.rm("/rows", recursive=True)
