"""A local index over saved pages and WARC files: SQLite's full-text search, built on first use and kept up to date.

The index is a cache, in the folder that the user has for them: the pages' own folder stays as it is. A file is read
again when its size or time has changed; files that are gone are forgotten.
"""

import hashlib
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from sightline.crawler._addresses import site_of
from sightline.crawler.discover._provider import SearchAnswer, SearchResult
from sightline.errors import OutputError, SightlineError, SourceError, UsageError
from sightline.jobs import Meter, OnProgress
from sightline.net import Document, Limits
from sightline.page import Page
from sightline.sources import Loader
from sightline.sources.files import documents, expand

VERSION = 1
RESULTS = 10  # of a page, as search engines give them
# Web search engines show few results of one site, else a large one would fill every page; two is what most show.
OF_A_SITE = 2
DEEPEST = 1000  # candidates, best first, that results are chosen from
SNIPPET = 48  # words; SQLite gives 64 at most
COMMIT_EVERY = 200  # files, so that an interrupted build goes on where it was
BUSY_SECONDS = 60.0  # that another process is waited for, which builds the same index
MOST_TEXT = 1_000_000  # characters of a page that are searched
WEB = ("http://", "https://")
_WORD = re.compile(r"[^\W_]+")
_SCHEMA = """
CREATE TABLE files (path TEXT PRIMARY KEY, size INTEGER, changed INTEGER, problem TEXT);
CREATE TABLE pages (id INTEGER PRIMARY KEY, file TEXT, record TEXT, url TEXT, site TEXT);
CREATE INDEX pages_of_file ON pages (file);
CREATE INDEX pages_by_url ON pages (url);
CREATE VIRTUAL TABLE texts USING fts5 (title, body, tokenize = 'porter unicode61 remove_diacritics 2');
"""
_SEARCH = """
SELECT pages.url, pages.site, texts.rowid FROM texts JOIN pages ON pages.id = texts.rowid
WHERE texts MATCH ? ORDER BY bm25(texts, 3.0, 1.0), pages.url LIMIT ?
"""
_STORED = "SELECT file, record FROM pages WHERE url IN (?, ?) ORDER BY id DESC"
_SHOWN = "SELECT title, snippet(texts, 1, '', '', ' … ', ?) FROM texts WHERE texts MATCH ? AND rowid = ?"


class LocalIndex:
    """Searches the pages of a folder (or of one file): HTML, MHTML, PDF, `.page` and WARC.

    A page without an address of its own (no WARC, no canonical link) is known by its file, or below `base`, the address
    under which the folder is served.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        base: str = "",
        limits: Limits | None = None,
        on_progress: OnProgress | None = None,
    ) -> None:
        self._folder = Path(folder).absolute()
        if not self._folder.exists():
            raise UsageError(f"index:{folder}: there is no such folder; give one with saved pages or WARC files.")
        if base and not base.startswith(WEB):
            raise UsageError(f"--base {base}: this is not an address; give one that begins with https://.")
        self._limits = limits or Limits()
        self._on_progress = on_progress
        self._home = self._folder if self._folder.is_dir() else self._folder.parent
        self._base = f"{base.rstrip('/')}/" if base else ""
        self._connection: sqlite3.Connection | None = None
        self._problems: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The folder."""
        return f"index:{self._folder}"

    def search(self, phrases: Sequence[str], page: int) -> SearchAnswer:
        """Pages that have all the phrases, best first, but no more than two of a site before others had their turn."""
        database = self._database()
        wanted = " AND ".join(filter(None, map(_match, phrases)))
        if not wanted:
            return SearchAnswer()
        rows = [self._served(row) for row in database.execute(_SEARCH, (wanted, DEEPEST))]
        chosen = _uncrowded(rows)[(page - 1) * RESULTS : page * RESULTS]
        results = []
        for url, _, number in chosen:
            title, snippet = database.execute(_SHOWN, (SNIPPET, wanted, number)).fetchone()
            results.append(SearchResult(url, title, snippet))
        problems, self._problems = self._problems, ()
        return SearchAnswer(tuple(results), page * RESULTS < len(rows), len(rows), problems)

    def saved(self, urls: Iterable[str]) -> dict[str, Document]:
        """The documents of addresses, each file read once."""
        database = self._database()
        wanted: dict[str, dict[str, str]] = {}
        for url in urls:
            row = database.execute(_STORED, (url, self._file_of(url))).fetchone()
            if row:
                wanted.setdefault(row[0], {})[row[1]] = url
        found = {}
        for path, records in wanted.items():
            for document in documents(path, self._limits):
                if isinstance(document, Document) and document.source in records:
                    found[records.pop(document.source)] = document
                    if not records:
                        break
        return found

    def _served(self, row: tuple[str, str, int]) -> tuple[str, str, int]:
        """A result whose address is the one under which its file is served, if that is known."""
        url, _, number = row
        own = f"{self._home.as_uri()}/"
        if not (self._base and url.startswith(own)):
            return row
        served = self._base + url.removeprefix(own)
        return served, site_of(served), number

    def _file_of(self, url: str) -> str:
        """The file that is served under an address, as an address; the address itself if it is served by none."""
        is_served = self._base and url.startswith(self._base)
        return f"{self._home.as_uri()}/{url.removeprefix(self._base)}" if is_served else url

    def close(self) -> None:
        """Close the database."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # ------------------------------------------------------------------ building

    def _database(self) -> sqlite3.Connection:
        """The index, brought up to date when it is first used."""
        if self._connection is None:
            self._connection = _opened(_place_of(self._folder))
            self._update(self._connection)
        return self._connection

    def _update(self, database: sqlite3.Connection) -> None:
        listed = list(expand([str(self._folder)]))
        paths = [one for one in listed if isinstance(one, str)]
        if not paths:
            problem = next((one.problem for one in listed if isinstance(one, SourceError)), "holds no page")
            raise UsageError(f"{self.name}: {problem.removesuffix('.')}; save some pages there first.")
        known = {path: tuple(rest) for path, *rest in database.execute("SELECT path, size, changed FROM files")}
        now = {path: _stamp(path) for path in paths}
        for path in known.keys() - now.keys():
            _forget(database, path)
        fresh = [path for path in paths if known.get(path) != now[path]]
        meter = Meter("Indexing", self._on_progress, total=len(fresh)) if fresh else None
        for number, path in enumerate(fresh, start=1):
            _forget(database, path)
            problem = self._add(database, path)
            database.execute("INSERT INTO files VALUES (?, ?, ?, ?)", (path, *now[path], problem))
            if number % COMMIT_EVERY == 0:
                database.commit()
            if meter:
                meter.step(current=path, failed=bool(problem))
        database.commit()
        self._problems = tuple(
            problem for (problem,) in database.execute("SELECT problem FROM files WHERE problem > ''")
        )

    def _add(self, database: sqlite3.Connection, path: str) -> str:
        """Index the pages of a file; what is wrong with it, or nothing. Answers that are errors aren't pages."""
        loader = Loader(static=True, limits=self._limits)
        problems = []
        for document in documents(path, self._limits):
            if isinstance(document, SourceError):
                problems.append(document.message)
            elif document.status is None or document.status < 400:
                try:
                    self._insert(database, path, document.source, loader.load(document))
                except SightlineError as problem:
                    problems.append(problem.message)
        rest = len(problems) - 1
        return f"{problems[0]}{f' (And {rest:,} more of this file.)' if rest else ''}" if problems else ""

    def _insert(self, database: sqlite3.Connection, path: str, record: str, page: Page) -> None:
        url = page.address or page.url or Path(path).as_uri()
        row = (path, record, url, site_of(url, str(self._home)))
        number = database.execute("INSERT INTO pages (file, record, url, site) VALUES (?, ?, ?, ?)", row).lastrowid
        text = page.text_of(0)[:MOST_TEXT]
        database.execute("INSERT INTO texts (rowid, title, body) VALUES (?, ?, ?)", (number, page.title, text))


def _match(phrase: str) -> str:
    """A phrase as SQLite takes it: its words in this order.

    >>> _match('optical "zoom"')
    '"optical zoom"'
    """
    words = _WORD.findall(phrase)
    return f'"{" ".join(words)}"' if words else ""


def _uncrowded(rows: Sequence[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    """Results best first, but at most two of a site before all sites had their turn, then two more, and so on."""
    counts: Counter[str] = Counter()
    once: dict[str, tuple[str, str, int]] = {}  # a page that is stored twice is found once
    for row in rows:
        once.setdefault(row[0], row)
    turns = []
    for row in once.values():
        turns.append((counts[row[1]] // OF_A_SITE, row))
        counts[row[1]] += 1
    return [row for _, row in sorted(turns, key=lambda pair: pair[0])]


def _stamp(path: str) -> tuple[int, int]:
    found = Path(path).stat()
    return found.st_size, found.st_mtime_ns


def _forget(database: sqlite3.Connection, path: str) -> None:
    database.execute("DELETE FROM texts WHERE rowid IN (SELECT id FROM pages WHERE file = ?)", (path,))
    database.execute("DELETE FROM pages WHERE file = ?", (path,))
    database.execute("DELETE FROM files WHERE path = ?", (path,))


def _place_of(folder: Path) -> Path:
    """Where the index of a folder or file is: in the user's cache, so that the folder stays as it is."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sightline" / "index"
    cache.mkdir(parents=True, exist_ok=True)
    return cache / f"{hashlib.blake2b(os.fsencode(folder.resolve()), digest_size=8).hexdigest()}.sqlite"


def _opened(path: Path) -> sqlite3.Connection:
    """An index of this version; another one, or a damaged file, is a cache to be built anew."""
    database: sqlite3.Connection | None
    try:
        database = _connected(path)
        if database.execute("PRAGMA user_version").fetchone()[0] == VERSION:
            database.execute("SELECT count(*) FROM files").fetchone()
            return database
        database.close()
    except sqlite3.OperationalError as problem:
        raise OutputError(f"Could not use the index {path}: {problem}; wait for whoever uses it.") from problem
    except sqlite3.DatabaseError:  # no database, or a damaged one
        database = None
    try:
        for beside in ("", "-wal", "-shm"):
            Path(f"{path}{beside}").unlink(missing_ok=True)
        database = _connected(path)
        database.executescript(_SCHEMA)
        database.execute(f"PRAGMA user_version = {VERSION}")
    except (sqlite3.Error, OSError) as problem:
        raise OutputError(f"Could not write the index {path}: {problem}; free some space there.") from problem
    return database


def _connected(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")  # after a crash the last pages are read again, no more
    return database
