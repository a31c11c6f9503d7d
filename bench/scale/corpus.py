"""The pages of the benchmark: those of one real site, again and again, each time with another number in the title.

So what a batch delivers can be compared with the truth by id, row for row. `python -m bench.scale.corpus FOLDER` writes
them.
"""

import gzip
import hashlib
import re
from base64 import b32encode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

import sightline as sl
from bench.frame import Corpus, Options, program
from bench.induce.sites import Site, opened, read_sites
from sightline.extract.wrappers import Wrapper
from sightline.sources.html import decode, parse

SITE = "movie-amctv"  # 100 pages of one template, of 23 kB each
FILES = 4  # WARCs, so that two processes have the same to do
FIELD = "title"
_HEADING = re.compile(r"<h1>(.*?) <em>")
_WARC_TIME = "2026-01-01T00:00:00Z"


@dataclass(frozen=True)
class ScalePages:
    """The pages, without their numbers, the wrapper that was induced from ten of them, and what it reads on each."""

    site: Site
    texts: tuple[str, ...]
    wrapper: Wrapper
    rows: tuple[dict[str, Any], ...]

    @classmethod
    def load(cls, options: Options) -> "ScalePages":
        """Induce the wrapper, and read every page once."""
        (site,) = read_sites(Options(data=options.data), [SITE])
        wrapper = sl.induce(opened(site.paths(site.split[0])))
        texts = tuple(decode(path.read_bytes(), None).text for path in site.files)
        rows = tuple(wrapper.read(parse(text)).records.to_dicts()[0] for text in texts)
        return cls(site, texts, wrapper, rows)

    def text(self, number: int) -> str:
        """A page with its number in its title."""
        return _HEADING.sub(lambda found: f"<h1>{found[1]} {_mark(number)} <em>", self.texts[self._base(number)], 1)

    def row(self, number: int) -> dict[str, Any]:
        """What a batch has to deliver for it."""
        row = self.rows[self._base(number)]
        return {**row, FIELD: f"{row[FIELD]} {_mark(number)}"}

    def _base(self, number: int) -> int:
        return number % len(self.texts)


def scale_corpus(pages: ScalePages) -> Corpus:
    """The files that were measured on."""
    return Corpus("sites", pages.site.files)


def _mark(number: int) -> str:
    return f"no. {number:08d}"


# ---------------------------------------------------------------- the same pages in several forms


def write_warcs(pages: ScalePages, folder: Path, count: int, files: int = FILES) -> list[Path]:
    """The pages in some WARCs, one gzip member for each record; page 0 is the first record of the first file."""
    paths = []
    for file in range(files):
        path = folder / f"pages-{file}.warc.gz"
        with path.open("wb") as stream:
            for number in range(file * count // files, (file + 1) * count // files):
                stream.write(gzip.compress(_record(number, pages.text(number).encode()), 1, mtime=0))
        paths.append(path)
    return paths


def numbers(count: int, files: int = FILES) -> Iterator[tuple[str, int]]:
    """The id of each document, and the number of its page."""
    for file in range(files):
        first = file * count // files
        for number in range(first, (file + 1) * count // files):
            yield f"pages-{file}.warc.gz#{number - first + 1}", number


def write_parquet(pages: ScalePages, path: Path, count: int) -> Path:
    """The pages as a column."""
    schema = pa.schema([("url", pa.string()), ("html", pa.string())])
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for first in range(0, count, 1000):
            several = range(first, min(count, first + 1000))
            rows = {"url": list(map(_address, several)), "html": list(map(pages.text, several))}
            writer.write_table(pa.table(rows, schema))
    return path


def write_folder(pages: ScalePages, folder: Path, count: int) -> Path:
    """The pages as files."""
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:08d}.html").write_text(pages.text(number), "utf-8")
    return folder


def write_list(path: Path, count: int) -> Path:
    """Addresses, one a line; nobody answers there. They resemble each other no more than those of 256 real shops do.

    Numbered addresses would flatter the ledger, which compresses them: they take an eighth of the room of these.
    """
    with path.open("w") as stream:
        stream.writelines(f"{_shop_address(number)}\n" for number in range(count))
    return path


def _shop_address(number: int) -> str:
    letters = hashlib.blake2b(str(number).encode(), digest_size=12).hexdigest()
    return f"https://shop{int(letters[:2], 16)}.example/{letters[2:8]}/{letters[8:]}-{number % 977}.html"


def _address(number: int) -> str:
    return f"https://movies.example/details/{number:08d}.html"


def _record(number: int, content: bytes) -> bytes:
    answer = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(content)
    ) + content
    digest = b32encode(hashlib.sha1(answer, usedforsecurity=False).digest()).decode()
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012x}>\r\n"
        f"WARC-Target-URI: {_address(number)}\r\nWARC-Date: {_WARC_TIME}\r\nWARC-Block-Digest: sha1:{digest}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"


if __name__ == "__main__":
    parser = program(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=1000)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    loaded = ScalePages.load(Options(data=given.data))
    loaded.wrapper.save(given.folder / "movies.wrapper.json")
    write_warcs(loaded, given.folder, given.pages)
    write_parquet(loaded, given.folder / "pages.parquet", given.pages)
    write_list(given.folder / "pages.txt", given.pages)
    write_folder(loaded, given.folder / "pages", given.pages)
