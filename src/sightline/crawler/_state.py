"""The state of a crawl in one SQLite file: what waits, what was visited, what failed and why, links, and what was seen.

Addresses wait on disk. In memory are a number for each address, by which a link is known to lead to something new, and
how many wait of each kind. Writes are gathered and committed together; what a kill takes away is read again from the
archive.
"""

import sqlite3
import time
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from sightline.crawler._addresses import address_key, host_of
from sightline.crawler._archive import Archive, RecordPlace
from sightline.errors import UnreadableError, UsageError

STATE_FILE = "crawl.sqlite"
VERSION = 1
_VISITED = -1  # instead of a kind, for addresses that wait no more

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE host (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, ranking BLOB, notes TEXT NOT NULL DEFAULT '{}');
CREATE TABLE kind (id INTEGER PRIMARY KEY, host INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (host, name));
CREATE TABLE address (
  id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, url TEXT NOT NULL, host INTEGER NOT NULL, kind INTEGER NOT NULL,
  score REAL NOT NULL, depth INTEGER NOT NULL, hops INTEGER NOT NULL, parent INTEGER, standing INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0, cause TEXT);
CREATE INDEX waiting ON address (kind, score DESC, id) WHERE standing = 0;
CREATE TABLE visit (
  address INTEGER PRIMARY KEY, number INTEGER NOT NULL, run INTEGER NOT NULL, at REAL NOT NULL, status INTEGER NOT NULL,
  bytes INTEGER NOT NULL, digest TEXT NOT NULL, is_target INTEGER NOT NULL, likeness REAL NOT NULL, title TEXT NOT NULL,
  etag TEXT NOT NULL, modified TEXT NOT NULL, file INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL);
CREATE INDEX visit_digest ON visit (digest);
CREATE TABLE link (address INTEGER PRIMARY KEY, targets BLOB NOT NULL);
CREATE TABLE run (id INTEGER PRIMARY KEY, began REAL NOT NULL, ended REAL, again INTEGER NOT NULL, stopped TEXT);
CREATE TABLE change (run INTEGER NOT NULL, address INTEGER NOT NULL, what TEXT NOT NULL, PRIMARY KEY (run, address));
CREATE TABLE event (
  id INTEGER PRIMARY KEY, at REAL NOT NULL, host TEXT NOT NULL, what TEXT NOT NULL, text TEXT NOT NULL);
"""
_BY_DEPTH = "CREATE INDEX IF NOT EXISTS by_depth ON address (host, tries, depth, id) WHERE standing = 0"


class Standing(IntEnum):
    """How an address stands; only the first may change, unless the crawl is repeated."""

    WAITING = 0
    VISITED = 1
    REDIRECTED = 2
    DUPLICATE = 3
    FAILED = 4
    REFUSED = 5
    CUT_OFF = 6
    GONE = 7


class NewAddress(NamedTuple):
    """An address to wait: by its kind, the highest score first."""

    key: int
    url: str
    kind: str
    score: float
    depth: int
    hops: int = 0
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class WaitingAddress:
    """The next address to visit."""

    id: int
    url: str
    kind: str
    depth: int
    hops: int
    tries: int


class VisitRow(NamedTuple):
    """What is kept of a visit."""

    address: int
    number: int
    run: int
    at: float
    status: int
    bytes: int
    digest: str
    is_target: bool
    likeness: float
    title: str
    etag: str
    modified: str
    file: int
    offset: int
    length: int

    @property
    def place(self) -> RecordPlace:
        """Where the page stands in the archive."""
        return RecordPlace(self.file, self.offset, self.length)


class LastRun(NamedTuple):
    """A run of a crawl: whether it saw everything again, and why it ended, which is None after a kill."""

    number: int
    again: bool
    stopped: str | None


def connect(folder: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """The database of a crawl's folder; an error says what to do if there is none, or one that cannot be read."""
    path = folder / STATE_FILE
    if read_only and not path.exists():
        raise UsageError(f"{folder} is not the folder of a crawl; begin one with `sightline crawl URL -o {folder}`.")
    try:
        database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        version = database.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as problem:
        raise damaged(folder, problem) from problem
    if version > VERSION:
        database.close()
        raise UsageError(f"{folder} was made by a newer Sightline; update it, or choose another folder.")
    return database


def damaged(folder: Path, problem: Exception) -> UnreadableError:
    """What to do about a state that cannot be read: everything that matters is in the archive, which is its log."""
    told = (
        f"the state of the crawl is damaged ({problem}); delete it (and {STATE_FILE}-wal and -shm beside it) and crawl"
    )
    told += " into the folder again: the pages are in its archive, from which the state is made anew, and none is lost."
    return UnreadableError(str(folder / STATE_FILE), told)


@contextmanager
def damage_told(folder: Path) -> Iterator[None]:
    """Say what to do if what is read here makes no sense; a disk that is full is another matter."""
    try:
        yield
    except sqlite3.OperationalError as problem:
        if problem.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise damaged(folder, problem) from problem  # such as for a table that is gone, or a text that is none
        raise
    except (sqlite3.DatabaseError, UnicodeDecodeError, ValueError, TypeError, OverflowError, IndexError) as problem:
        raise damaged(folder, problem) from problem


class CrawlState:
    """A crawl's state, open for writing by this process alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._database = connect(folder)
        try:
            with damage_told(folder):
                self._prepare()
        except (sqlite3.OperationalError, UnreadableError):
            self._database.close()
            raise
        self._ids: dict[int, int] = {}
        self._kind_of: array[int] = array("i", [_VISITED])  # by the number of the address, which begin at 1
        self._kinds: dict[tuple[int, str], int] = {}
        self._kind_names: list[tuple[int, str]] = [(0, "")]
        self._hosts: dict[str, int] = {}
        self._host_names: list[str] = [""]
        self.waiting: dict[str, dict[str, int]] = {}
        """How many addresses wait, by host and kind."""
        self.visits = 0
        self.targets = 0
        self._problem: sqlite3.Error | None = None
        try:
            with damage_told(folder):
                self._load()
                self._database.execute("BEGIN")
        except (sqlite3.OperationalError, UnreadableError):
            self._database.close()
            raise

    # ---------------------------------------------------------------------------------------------- opening, closing

    def _prepare(self) -> None:
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = NORMAL")
        self._database.execute("PRAGMA cache_size = -32000")
        if self._database.execute("PRAGMA user_version").fetchone()[0] == 0:
            with closing(self._database.cursor()) as cursor:
                cursor.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
        # States from before there was a need for it lack the index.
        self._database.execute(_BY_DEPTH)

    def _load(self) -> None:
        for number, name in self._database.execute("SELECT id, name FROM host ORDER BY id"):
            self._hosts[name] = number
            self._host_names.append(name)
            self.waiting[name] = {}
        for number, host, name in self._database.execute("SELECT id, host, name FROM kind ORDER BY id"):
            self._kinds[host, name] = number
            self._kind_names.append((host, name))
        for number, key, kind, standing in self._database.execute(
            "SELECT id, key, kind, standing FROM address ORDER BY id"
        ):
            self._ids[key] = number
            self._kind_of.append(_VISITED if standing else kind)
            if not standing:
                self._count(kind, 1)
        row = self._database.execute(
            "SELECT COALESCE(MAX(number), 0), COALESCE(SUM(is_target), 0) FROM visit"
        ).fetchone()
        self.visits, self.targets = row

    def commit(self, archive: Archive | None = None) -> None:
        """Make everything so far survive a kill; an archive that is named needs not be read again up to its end."""
        if archive is not None:
            archive.flush()  # or after a power cut the state might know of pages that are not there
            self.remember("archive", f"{archive.file} {archive.end}")
        self._execute("COMMIT")
        self._execute("BEGIN")

    def close(self) -> None:
        """Forget what was not committed, and close the file."""
        if self._database.in_transaction:
            with suppress(sqlite3.OperationalError):  # a full disk; what it would undo is not there
                self._database.execute("ROLLBACK")
        self._database.close()

    # ------------------------------------------------------------------------------------------------ small things

    def remember(self, name: str, value: str | bytes) -> None:
        """Keep something under a name."""
        self._execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def recall(self, name: str) -> str | None:
        """The text that was kept under a name."""
        row = self._execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def recall_bytes(self, name: str) -> bytes | None:
        """The bytes that were kept under a name."""
        row = self._execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return row[0] if row is not None and isinstance(row[0], bytes) else None

    def tell(self, host: str, what: str, text: str) -> None:
        """Keep a sentence on something that a person should know."""
        values = (time.time(), host, what, text)
        self._execute("INSERT INTO event (at, host, what, text) VALUES (?, ?, ?, ?)", values)

    def begin_run(self, *, again: bool) -> int:
        """A new run; if it is to see everything again, what was visited waits once more."""
        row = self._execute(
            "INSERT INTO run (began, again) VALUES (?, ?) RETURNING id", (time.time(), again)
        ).fetchone()
        if again:
            seen = (Standing.VISITED, Standing.GONE, Standing.FAILED)
            self._execute("UPDATE address SET standing = 0, tries = 0 WHERE standing IN (?, ?, ?)", seen)
            for number, kind in self._execute("SELECT id, kind FROM address WHERE standing = 0"):
                if self._kind_of[number] == _VISITED:
                    self._kind_of[number] = kind
                    self._count(kind, 1)
        return int(row[0])

    def end_run(self, run: int, stopped: str) -> None:
        """Keep when and why a run ended."""
        self._execute("UPDATE run SET ended = ?, stopped = ? WHERE id = ?", (time.time(), stopped, run))

    def last_run(self) -> "LastRun | None":
        """The last run, if there was one."""
        row = self._execute("SELECT id, again, stopped FROM run ORDER BY id DESC LIMIT 1").fetchone()
        return None if row is None else LastRun(int(row[0]), bool(row[1]), row[2])

    def visits_in(self, run: int) -> int:
        """How many pages were visited in a run."""
        return int(self._execute("SELECT COUNT(*) FROM visit WHERE run = ?", (run,)).fetchone()[0])

    def note_change(self, run: int, address: int, what: str) -> None:
        """Keep that a page is new, changed or gone."""
        self._execute("INSERT OR REPLACE INTO change VALUES (?, ?, ?)", (run, address, what))

    # -------------------------------------------------------------------------------------------------------- hosts

    def host(self, name: str) -> int:
        """The number of a host."""
        number = self._hosts.get(name)
        if number is None:
            number = len(self._host_names)
            self._execute("INSERT INTO host (id, name) VALUES (?, ?)", (number, name))
            self._hosts[name] = number
            self._host_names.append(name)
            self.waiting[name] = {}
        return number

    @property
    def hosts(self) -> list[str]:
        """All hosts so far."""
        return self._host_names[1:]

    def saved_host(self, name: str) -> tuple[bytes | None, str]:
        """The ranking and the notes that were saved for a host."""
        row = self._execute("SELECT ranking, notes FROM host WHERE name = ?", (name,)).fetchone()
        return (None, "{}") if row is None else (row[0], row[1])

    def save_host(self, name: str, ranking: bytes, notes: str) -> None:
        """Keep the ranking and the notes of a host."""
        self._execute("UPDATE host SET ranking = ?, notes = ? WHERE name = ?", (ranking, notes, name))

    # ----------------------------------------------------------------------------------------------------- addresses

    def __len__(self) -> int:
        return len(self._ids)

    def id_of(self, key: int) -> int | None:
        """The number of an address, if it is known."""
        return self._ids.get(key)

    def waits(self, key: int) -> str | None:
        """The kind with which an address waits; None if it does not."""
        number = self._ids.get(key)
        kind = _VISITED if number is None else self._kind_of[number]
        return None if kind == _VISITED else self._kind_names[kind][1]

    def is_done(self, key: int) -> bool:
        """Whether an address is known and waits no more."""
        number = self._ids.get(key)
        return number is not None and self._kind_of[number] == _VISITED

    def add(self, addresses: Iterable[NewAddress]) -> int:
        """Let new addresses wait; how many were new."""
        rows = []
        for new in addresses:
            if new.key in self._ids:
                continue
            host = self.host(host_of(new.url))
            kind = self._kind(host, new.kind)
            number = len(self._kind_of)
            self._ids[new.key] = number
            self._kind_of.append(kind)
            self._count(kind, 1)
            rows.append((number, new.key, new.url, host, kind, new.score, new.depth, new.hops, new.parent))
        self._execute_many("INSERT INTO address VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, NULL)", rows)
        return len(rows)

    def move(self, places: Iterable[tuple[int, str, float]]) -> None:
        """Let waiting addresses, given by their keys, wait elsewhere."""
        rows = []
        for key, name, score in places:
            number = self._ids[key]
            old = self._kind_of[number]
            if old == _VISITED:
                continue
            kind = self._kind(self._kind_names[old][0], name)
            self._count(old, -1)
            self._count(kind, 1)
            self._kind_of[number] = kind
            rows.append((kind, score, number))
        self._execute_many("UPDATE address SET kind = ?, score = ? WHERE id = ?", rows)

    def rescore(self, scores: Iterable[tuple[str, float]]) -> None:
        """New scores for waiting addresses."""
        rows = [(score, address_key(url)) for url, score in scores]
        self._execute_many("UPDATE address SET score = ? WHERE key = ? AND standing = 0", rows)

    def next(self, host: str, kind: str | None) -> WaitingAddress | None:
        """The address of this kind with the highest score; it waits on until it is settled.

        Without a kind, it is the address that breadth-first would visit: the first found of those at the least depth.
        Addresses that were put back come after all others.
        """
        if kind is None:
            row = self._execute(
                "SELECT id, url, depth, hops, tries, kind FROM address WHERE host = ? AND standing = 0"
                " ORDER BY tries, depth, id LIMIT 1",
                (self._hosts[host],),
            ).fetchone()
            if row is None:
                return None
            return WaitingAddress(row[0], row[1], self._kind_names[row[5]][1], row[2], row[3], row[4])
        number = self._kinds.get((self._hosts[host], kind))
        row = self._execute(
            "SELECT id, url, depth, hops, tries FROM address WHERE kind = ? AND standing = 0"
            " ORDER BY score DESC, id LIMIT 1",
            (number,),
        ).fetchone()
        return None if row is None else WaitingAddress(row[0], row[1], kind, row[2], row[3], row[4])

    def address(self, number: int) -> WaitingAddress:
        """An address by its number, whether it waits or not."""
        row = self._execute("SELECT url, kind, depth, hops, tries FROM address WHERE id = ?", (number,)).fetchone()
        return WaitingAddress(number, row[0], self._kind_names[row[1]][1], row[2], row[3], row[4])

    def settle(self, number: int, standing: Standing, cause: str | None = None) -> None:
        """Say how an address stands; it waits no more."""
        kind = self._kind_of[number]
        if kind != _VISITED:
            self._count(kind, -1)
            self._kind_of[number] = _VISITED
        self._execute("UPDATE address SET standing = ?, cause = ? WHERE id = ?", (standing, cause, number))

    def put_back(self, number: int, cause: str) -> None:
        """Let an address wait for another try, behind the others of its kind."""
        self._execute(
            "UPDATE address SET tries = tries + 1, score = score - 1, cause = ? WHERE id = ?", (cause, number)
        )

    def cut_off(self, addresses: Sequence[int], cause: str) -> None:
        """Give up addresses that wait."""
        for number in addresses:
            self.settle(number, Standing.CUT_OFF, cause)

    def waiting_of(self, host: str) -> Iterator[tuple[int, str]]:
        """The number and address of all that wait for a host."""
        number = self._hosts.get(host)
        yield from self._execute("SELECT id, url FROM address WHERE standing = 0 AND host = ?", (number,)).fetchall()

    # -------------------------------------------------------------------------------------------------------- visits

    def visited(self, row: VisitRow) -> None:
        """Keep a visit; what was kept of an earlier one of the same address is replaced."""
        self._execute(f"INSERT OR REPLACE INTO visit VALUES ({', '.join('?' * len(row))})", row)

    def visit(self, address: int) -> VisitRow | None:
        """The last visit of an address."""
        row = self._execute("SELECT * FROM visit WHERE address = ?", (address,)).fetchone()
        return None if row is None else VisitRow(*row)

    def forget_visit(self, row: VisitRow) -> None:
        """Forget the visit of a page that is gone; the archive has it still."""
        self.targets -= row.is_target
        self._execute("DELETE FROM visit WHERE address = ?", (row.address,))

    def same_content(self, digest: str, address: int) -> WaitingAddress | None:
        """The first address with the same content, if it is another one."""
        row = self._execute(
            "SELECT address FROM visit WHERE digest = ? AND address <> ? ORDER BY number LIMIT 1", (digest, address)
        ).fetchone()
        return None if row is None else self.address(row[0])

    def link(self, address: int, keys: Iterable[int]) -> None:
        """Keep where a page leads, as the numbers of addresses."""
        numbers = sorted({number for key in keys if (number := self._ids.get(key)) is not None})
        self._execute("INSERT OR REPLACE INTO link VALUES (?, ?)", (address, packed(numbers)))

    # ------------------------------------------------------------------------------------------------------- helpers

    def _execute(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run a statement of the open transaction; after one has failed, every other fails with the same error.

        When the disk is full, SQLite undoes the transaction, and each statement that follows would be a transaction of
        its own: the state would know the end of the archive, for instance, and not the pages before it.
        """
        if self._problem is not None:
            raise self._problem
        try:
            return self._database.execute(statement, values)
        except sqlite3.OperationalError as problem:
            self._problem = problem
            raise
        except sqlite3.DatabaseError as problem:
            self._problem = problem
            raise damaged(self.folder, problem) from problem

    def _execute_many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run a statement for each row, on the same terms."""
        if self._problem is not None:
            raise self._problem
        try:
            self._database.executemany(statement, rows)
        except sqlite3.Error as problem:
            self._problem = problem
            raise

    def _kind(self, host: int, name: str) -> int:
        number = self._kinds.get((host, name))
        if number is None:
            number = len(self._kind_names)
            self._execute("INSERT INTO kind VALUES (?, ?, ?)", (number, host, name))
            self._kinds[host, name] = number
            self._kind_names.append((host, name))
        return number

    def _count(self, kind: int, step: int) -> None:
        host, name = self._kind_names[kind]
        counts = self.waiting[self._host_names[host]]
        left = counts.get(name, 0) + step
        if left:
            counts[name] = left
        else:
            counts.pop(name, None)


def packed(numbers: Sequence[int]) -> bytes:
    r"""Ascending numbers as the steps between them, in as few bytes each as the largest step needs: one, two or four.

    >>> packed([3, 4, 700]), unpacked(packed([3, 4, 700]))
    (b'H\x03\x00\x01\x00\xb8\x02', [3, 4, 700])
    """
    steps = [after - before for before, after in pairwise((0, *numbers))]
    largest = max(steps, default=0)
    code = "B" if largest < 1 << 8 else "H" if largest < 1 << 16 else "I"
    return code.encode() + array(code, steps).tobytes()


def unpacked(content: bytes) -> list[int]:
    """The numbers of the addresses to which a page leads."""
    return list(accumulate(array(chr(content[0]), content[1:])))
