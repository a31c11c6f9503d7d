"""Damaged archives: files built from known pages are damaged in known ways, then listed and read.

Every page outside of the damage has to be read, no page may be wrong, and what is read and what is said to be damaged
have to be all that was listed. FastWARC reads the same files beside it: what it loses, it loses without a word.
"""

import gzip
import hashlib
import io
import random
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.frame import Figure
from sightline.net import Document, Limits
from sightline.scale.inputs import BatchInput, DocumentReader, find_inputs, list_documents
from sightline.sources.files import documents

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # FastWARC 1.1 warns of its own old names while importing them
    from fastwarc.warc import ArchiveIterator, WarcRecordType


FILES = 20  # of each kind of damage and each way of packing
PAGES = 30  # in each file
SEED = 25
PACKS = ("members", "plain")


@dataclass(frozen=True)
class _File:
    """A file and its damage: the pages that were put in, and which of them the damage touches."""

    content: bytes
    pages: tuple[bytes, ...]
    hit: frozenset[int]


@dataclass(frozen=True)
class DamageKind:
    """What became of all files of one kind of damage.

    `built` pages were put in, `hit` of them were damaged. Reading each file from start to end gives `total` results; of
    those that were listed, `read` were read by their places and `damaged` were not. `lost` are sound pages that were
    not read, `wrong` are documents that were never put in, and `unequal` are files whose numbers do not add up.
    """

    name: str
    built: int
    hit: int
    total: int
    read: int
    damaged: int
    lost: int
    wrong: int
    unequal: int
    peer_lost: int


def run() -> tuple[DamageKind, ...]:
    """Measure all kinds of damage, and print them."""
    kinds = measure_damage()
    Console(width=130).print(damage_table(kinds))
    return kinds


def measure_damage(files: int = FILES) -> tuple[DamageKind, ...]:
    """What becomes of so many files of each kind of damage."""
    return tuple(_measure(name, pack, damage, files) for name, damage in _DAMAGES.items() for pack in PACKS)


def damage_table(kinds: tuple[DamageKind, ...]) -> Table:
    """One line for each kind of damage."""
    names = ("damage", "records", "hit", "total", "read", "damaged", "lost", "wrong", "equal", "lost by FastWARC")
    table = Table(*names, title="Damaged archives")
    for kind in kinds:
        numbers = (kind.built, kind.hit, kind.total, kind.read, kind.damaged, kind.lost, kind.wrong)
        equal = "[green]yes" if not kind.unequal else f"[red]not {kind.unequal:,}"
        table.add_row(kind.name, *(f"{number:,}" for number in numbers), equal, f"{kind.peer_lost:,}")
    return table


def damage_figures(kinds: tuple[DamageKind, ...]) -> tuple[Figure, ...]:
    """What the bounds hold: no sound page is lost, none is wrong, and every file adds up."""
    lost, wrong = sum(kind.lost for kind in kinds), sum(kind.wrong for kind in kinds)
    unequal = sum(kind.unequal for kind in kinds)
    peer = float(sum(kind.peer_lost for kind in kinds))
    return (
        Figure.of("damaged archives: sound pages lost", lost, 0, "lower", peer=peer),
        Figure.of("damaged archives: wrong pages", wrong, 0, "lower"),
        Figure.of("damaged archives: files that do not add up", unequal, 0, "lower"),
    )


def _measure(name: str, pack: str, damage: Callable[[random.Random, str], _File], files: int) -> DamageKind:
    chance = random.Random(f"{SEED} {name} {pack}")
    sums = [0] * 9
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages.warc.gz"
        for _ in range(files):
            file = damage(chance, pack)
            path.write_bytes(file.content)
            for place, number in enumerate(_counted(file, path)):
                sums[place] += number
    return DamageKind(f"{name}, {'compressed' if pack == 'members' else 'plain'}", *sums)


def _counted(file: _File, path: Path) -> tuple[int, ...]:
    (found,) = find_inputs([str(path)])
    assert isinstance(found, BatchInput), found
    references = list(list_documents(found, Limits()))
    with DocumentReader(found, Limits()) as reader:
        results = [reader.read(reference) for reference in references]
    texts = {result.content for result in results if isinstance(result, Document)}
    read = sum(isinstance(result, Document) for result in results)
    sound = [page for number, page in enumerate(file.pages) if number not in file.hit]
    lost, wrong = len(set(sound) - texts), len(texts - set(file.pages))
    total, damaged = sum(1 for _ in documents(path)), len(results) - read
    is_equal = read + damaged == total and (damaged > 0) == (read < len(file.pages)) and damaged <= len(file.hit)
    peer_lost = len(set(sound) - _read_by_peer(file.content))
    return len(file.pages), len(file.hit), total, read, damaged, lost, wrong, not is_equal, peer_lost


def _read_by_peer(content: bytes) -> set[bytes]:
    texts = set()
    try:
        for record in ArchiveIterator(io.BytesIO(content), WarcRecordType.response, parse_http=False):
            texts.add(record.reader.read().partition(b"\r\n\r\n")[2])
    except (OSError, ValueError):  # it stops at damage that it sees
        pass
    return texts


# -- files and their damage ----------------------------------------------------------------------------------------


def _pages(chance: random.Random) -> Iterator[bytes]:
    for number in range(PAGES):
        words = " ".join(f"{chance.getrandbits(40):x}" for _ in range(chance.randint(50, 500)))
        yield f"<!doctype html><title>page {number}</title><p>{words}".encode()


def _record(page: bytes, **headers: str) -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    lines = {
        "WARC-Type": "response",
        "WARC-Target-URI": f"http://site.example/{hashlib.sha1(page).hexdigest()}",
        "WARC-Block-Digest": f"sha1:{hashlib.sha1(block).hexdigest()}",
        "Content-Length": str(len(block)),
    }
    lines |= {name.replace("_", "-"): value.replace("LENGTH", str(len(block))) for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"WARC/1.0\r\n{head}\r\n".encode() + block + b"\r\n\r\n"


def _packed(record: bytes, pack: str) -> bytes:
    return gzip.compress(record, mtime=0) if pack == "members" else record


def _changed(chance: random.Random, pack: str, **headers: str) -> _File:
    """A file in which some records have other headers than they should."""
    pages = tuple(_pages(chance))
    hit = frozenset(chance.sample(range(PAGES), 3))
    records = (_record(page, **(headers if number in hit else {})) for number, page in enumerate(pages))
    return _File(b"".join(_packed(record, pack) for record in records), pages, hit)


def _stretch(chance: random.Random, pack: str, width: int, fill: Callable[[bytes], bytes]) -> _File:
    """A file in which a stretch of bytes is replaced."""
    pages = tuple(_pages(chance))
    records = [_packed(_record(page), pack) for page in pages]
    content = b"".join(records)
    start = chance.randrange(len(content) - 1)
    end = min(len(content), start + width)
    return _File(content[:start] + fill(content[start:end]) + content[end:], pages, _touched(records, start, end))


def _touched(records: list[bytes], start: int, end: int) -> frozenset[int]:
    hit, place = set(), 0
    for number, record in enumerate(records):
        if place < end and place + len(record) > start:
            hit.add(number)
        place += len(record)
    return frozenset(hit)


def _cut(chance: random.Random, pack: str) -> _File:
    """A file that ends in the middle of a record; what would have stood behind it was never in it."""
    pages = tuple(_pages(chance))
    records = [_packed(_record(page), pack) for page in pages]
    last = chance.randrange(PAGES)
    content = b"".join([*records[:last], records[last][: chance.randrange(8, len(records[last]) - 8)]])
    return _File(content, pages[: last + 1], frozenset({last}))


def _length(value: str) -> Callable[[random.Random, str], _File]:
    return lambda chance, pack: _changed(chance, pack, Content_Length=value)


def _flip(piece: bytes) -> bytes:
    return bytes(byte ^ 0xFF for byte in piece)


_DAMAGES: dict[str, Callable[[random.Random, str], _File]] = {
    "cut off": _cut,
    "200 zeros": lambda chance, pack: _stretch(chance, pack, 200, lambda piece: bytes(len(piece))),
    "20,000 zeros": lambda chance, pack: _stretch(chance, pack, 20_000, lambda piece: bytes(len(piece))),
    "one byte turned": lambda chance, pack: _stretch(chance, pack, 1, _flip),
    "500 bytes missing": lambda chance, pack: _stretch(chance, pack, 500, lambda _: b""),
    "length of 999,999,999": _length("999999999"),
    "length ten times too large": _length("LENGTH0"),
    "length too small": _length("100"),
    "length below zero": _length("-5"),
    "length missing": _length(""),
    "digest of other bytes": lambda chance, pack: _changed(chance, pack, WARC_Block_Digest=f"sha1:{'0' * 40}"),
}


if __name__ == "__main__":
    run()
