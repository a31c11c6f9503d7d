"""Every kind of file that is read back, with changed bytes: each is read, or refused in one clear sentence.

A byte is flipped, bytes are replaced, left out, put in, doubled or zeroed, and the end is cut off. `python -m
bench.hostile.files 20000` makes so many changes, spread over all kinds, and prints what became of them.
"""

import argparse
import io
import json
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

import sightline as sl
from bench.hostile.wrappers import MutationCounts, tried
from sightline.crawler import CrawlStatus, changed_pages
from sightline.crawler._state import STATE_FILE, CrawlState
from sightline.flow.match import Decision, Decisions
from sightline.flow.rows import RowLimits, read_batches, read_columns
from sightline.flow.run import run_flow
from sightline.flow.run._context import dataset_of, kept_rows, row_count
from sightline.flow.schedule import schedule_history
from sightline.flow.schedule._store import FlowState, ScheduleEntry, ScheduleStore
from sightline.flow.spec import Flow
from sightline.navigate import Script
from sightline.scale.ledger import open_ledger

ALL = 20_000  # changes, spread over all kinds

FLOW = "flow: 1\nabout: prices\nsteps:\n  shop:\n    read: shop.csv\n  good:\n    check: shop\n    need: [id]\n"
FLOW += "  sums:\n    sql: SELECT id, count(*) AS n FROM good GROUP BY 1\n"
SCRIPT = 'navigation: 1\nvariables:\n  word: tea\nsteps:\n  - open: https://shop.example/\n  - click: {text: "Next"}\n'
HTML = "<h1>Shop</h1><table><tr><th>id<th>name<tr><td>1<td>Tea<tr><td>2<td>Milk</table>"
ROWS = [{"id": str(number), "name": f"Café {number}", "price": number / 4} for number in range(40)]
LIMITS = RowLimits(table_bytes=50_000_000)


@dataclass(frozen=True)
class FileKind:
    """A kind of file: how one is made in a folder, and what reads it."""

    make: Callable[[Path], Path]
    read: Callable[[Path], object]


def _table(suffix: str, folder: Path) -> Path:
    path = folder / f"table{suffix}"
    match suffix:
        case ".csv":
            path.write_text("id,name,price\n" + "".join(",".join(map(str, row.values())) + "\n" for row in ROWS))
        case ".jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
        case ".json":
            path.write_text(json.dumps(ROWS))
        case ".parquet":
            pq.write_table(pa.Table.from_pylist(ROWS), path)
        case ".xlsx":
            book = openpyxl.Workbook()
            for row in [list(ROWS[0]), *(list(row.values()) for row in ROWS)]:
                book.active.append(row)
            book.save(path)
    return path


def _read_table(path: Path) -> None:
    read_columns(path, limits=LIMITS)
    for batch in read_batches(path, LIMITS).batches():
        batch.to_pylist()


def _decisions(folder: Path) -> Path:
    kept = Decisions(folder / "decisions.jsonl")
    kept.add(*(Decision(f"Café {number}", f"Kaffee {number}", same=number % 2 == 0) for number in range(10)))
    return kept.path


def _read_decisions(path: Path) -> None:
    list(Decisions(path))
    Decisions(path).take_back()


def _text(name: str, text: str, folder: Path) -> Path:
    (folder / "shop.csv").write_text("id,name\n1,Tea\n2,Milk\n")
    path = folder / name
    path.write_text(text)
    return path


def _run(folder: Path) -> Path:
    run_flow(Flow.load(_text("x.flow.yaml", FLOW, folder)), store=folder / "store")
    return next(folder.glob("store/**/run.json"))


def _run_again(path: Path) -> None:
    folder = next(one for one in path.parents if (one / "x.flow.yaml").exists())
    for other in set(path.parent.parent.iterdir()) - {path.parent}:
        shutil.rmtree(other)  # a run that began anew, after which nobody would look at this one
    run_flow(Flow.load(folder / "x.flow.yaml"), store=folder / "store")


def _kept(folder: Path) -> Path:
    return _run(folder).with_name("shop.arrow")


def _read_kept(path: Path) -> None:
    row_count(path)
    for batch in kept_rows(path).batches():
        batch.to_pylist()
    dataset_of(path)


def _page(folder: Path) -> Path:
    return sl.save(sl.open(HTML.encode(), static=True), folder / "x.page")


def _warc(folder: Path) -> Path:
    body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(HTML)}\r\n\r\n{HTML}".encode()
    written = io.BytesIO()
    for number in range(3):
        written.write(
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://shop.example/{number}\r\n"
            f"WARC-Date: 2026-11-18T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:{number:032}>\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        )
        written.write(body + b"\r\n\r\n")
    path = folder / "x.warc"
    path.write_bytes(written.getvalue())
    return path


def _read_pages(path: Path) -> None:
    for loaded in sl.open_all([str(path)], static=True):
        if loaded.error is not None:
            raise loaded.error
        if loaded.page is not None:
            sl.tables(loaded.page)


def _crawl(folder: Path) -> Path:
    state = CrawlState(folder)
    try:
        state.host("shop.example")
        state.remember("archive", "1 0")
        state.tell("shop.example", "slow", "it answers slowly")
        state.begin_run(again=False)
        state.commit()
    finally:
        state.close()
    with sqlite3.connect(folder / STATE_FILE) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    return folder / STATE_FILE


def _read_crawl(path: Path) -> None:
    CrawlStatus.of(path.parent).to_json()
    changed_pages(path.parent)
    state = CrawlState(path.parent)
    try:
        state.last_run()
        state.recall("archive")
    finally:
        state.close()


def _ledger(folder: Path) -> Path:
    with open_ledger(str(folder / "ledger.sqlite"), "job") as ledger:
        ledger.begin("digest", b"{}")
        ledger.add_inputs([("a.warc", "1", b"{}"), ("b.warc", "2", b"{}")])
    with sqlite3.connect(folder / "ledger.sqlite") as database:
        database.execute("PRAGMA journal_mode = DELETE")
    return folder / "ledger.sqlite"


def _read_ledger(path: Path) -> None:
    with open_ledger(str(path), "job") as ledger:
        ledger.begin("digest", b"{}")
        ledger.inputs()
        ledger.open_inputs()
        ledger.claim("me", 60)


def _schedule(folder: Path) -> Path:
    now = datetime(2026, 11, 18, tzinfo=UTC)
    state = FlowState("x", "every day at 6:00 UTC", now)
    ScheduleStore(folder).write(state.with_entry(ScheduleEntry(0, "done", now, now)))
    return next(path for path in folder.rglob("*.json"))


def _read_schedule(path: Path) -> None:
    folder = path.parents[2]
    ScheduleStore(folder).read("x")
    schedule_history(folder, "x")


def _wrapper(folder: Path) -> Path:
    lesson = sl.teach(sl.open(HTML.encode(), static=True)).want("name", "Tea")
    return lesson.wrapper.save(folder / "x.wrapper.json")


def _read_wrapper(path: Path) -> None:
    sl.Wrapper.load(path).extract(sl.open(HTML.encode(), static=True))


KINDS: Mapping[str, FileKind] = {
    **{suffix[1:]: FileKind(partial(_table, suffix), _read_table) for suffix in (".csv", ".jsonl", ".json")},
    **{suffix[1:]: FileKind(partial(_table, suffix), _read_table) for suffix in (".parquet", ".xlsx")},
    "decisions": FileKind(_decisions, _read_decisions),
    "flow": FileKind(partial(_text, "x.flow.yaml", FLOW), Flow.load),
    "script": FileKind(partial(_text, "x.nav.yaml", SCRIPT), Script.load),
    "state of a run": FileKind(_run, _run_again),
    "rows of a step": FileKind(_kept, _read_kept),
    "page": FileKind(_page, _read_pages),
    "WARC": FileKind(_warc, _read_pages),
    "wrapper": FileKind(_wrapper, _read_wrapper),
    "ledger": FileKind(_ledger, _read_ledger),
    "schedule": FileKind(_schedule, _read_schedule),
    "crawl.sqlite": FileKind(_crawl, _read_crawl),
}
"""Every kind of file by its name."""


def changed_bytes(content: bytes, chance: random.Random) -> bytes:
    """The content with one change."""
    place = chance.randrange(len(content))
    end = min(len(content), place + chance.choice((1, 2, 8, 64)))
    match chance.randrange(7):
        case 0:
            return content[:place] + bytes([content[place] ^ 1 << chance.randrange(8)]) + content[place + 1 :]
        case 1:
            return content[:place] + chance.randbytes(end - place) + content[end:]
        case 2:
            return content[:place] + content[end:]
        case 3:
            return content[:place] + chance.randbytes(end - place) + content[place:]
        case 4:
            return content[:end] + content[place:end] + content[end:]
        case 5:
            return content[:place] + bytes(end - place) + content[end:]
    return content[:place]


def mutate_files(kind: str, count: int, report: Callable[[str], None], seed: int = 0) -> MutationCounts:
    """Change a file of a kind so many times; what is neither read nor refused in a sentence is reported in a line."""
    counts = MutationCounts()
    with tempfile.TemporaryDirectory() as folder:
        path = KINDS[kind].make(Path(folder))
        content = path.read_bytes()
        for number in range(count):
            with _restored(path, changed_bytes(content, random.Random(f"{kind} {seed} {number}")), content):
                counts += tried(f"{kind} {seed} {number}", partial(KINDS[kind].read, path), report)
    return counts


def mutate_all(report: Callable[[str], None], *, every: int = 1) -> MutationCounts:
    """Change files of all kinds, or make one in `every` of the changes."""
    parts = (mutate_files(kind, ALL // every // len(KINDS), report) for kind in KINDS)
    return sum(parts, MutationCounts())


@contextmanager
def _restored(path: Path, changed: bytes, content: bytes) -> Iterator[None]:
    """While a file has other bytes; what was made of them beside it goes with them."""
    path.write_bytes(changed)
    try:
        yield
    finally:
        for end in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + end).unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def main() -> None:
    """Change as many files of every kind, and print what became of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, help="changes, of all kinds together")
    parser.add_argument("--seed", type=int, default=0, help="other changes than those of 0, the default")
    asked = parser.parse_args()
    for name in KINDS:
        found = mutate_files(name, asked.count // len(KINDS), print, asked.seed)
        told = f"{found.loaded} read, {found.refused} refused, {found.foreign} broken"
        print(f"{name}: {found.mutations} changed, {told}", flush=True)


if __name__ == "__main__":
    main()
