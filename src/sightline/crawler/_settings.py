"""What a crawl may do, and how it goes about it."""

import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from sightline.crawler._archive import archive_path
from sightline.crawler._state import Standing, connect, damage_told
from sightline.errors import OutputError, UsageError
from sightline.files import FULL
from sightline.project import is_held, marked_lock
from sightline.settings import Settings, setting

if TYPE_CHECKING:
    from sightline.data import Verdict
    from sightline.extract.wrappers import Wrapper


@dataclass(frozen=True, kw_only=True)
class CrawlSettings(Settings):
    """The settings of a crawl; they may be changed from one run to the next."""

    pages: int = setting(1_000, help="maximum number of pages to visit", minimum=1)
    hosts: tuple[str, ...] = setting((), help="hosts to go to beside those of the addresses to begin with")
    rank: Literal["learned", "published", "breadth"] = setting(
        "learned", help="how the next page is chosen", choices=("learned", "published", "breadth")
    )
    render: Literal["auto", "never", "always"] = setting(
        "auto",
        help="whether pages are opened in a browser: never, always, or where it shows more than the server sends",
        choices=("auto", "never", "always"),
    )
    clicks: int = setting(100, help="maximum number of links to follow from a first page", minimum=0)
    tries: int = setting(4, help="how often a page is asked for before it counts as failed", minimum=1)
    hosts_at_once: int = setting(64, help="how many hosts are visited at the same time", minimum=1)
    sitemaps: bool = setting(default=True, help="whether the sitemaps and feeds of a site are read")
    sitemap_addresses: int = setting(
        100_000, help="maximum number of addresses taken from a site's sitemaps", minimum=0
    )
    nofollow: bool = setting(default=False, help="whether links and pages that say `nofollow` are obeyed")
    noindex: bool = setting(default=False, help="whether pages that say `noindex` are left out of what is found")
    languages: tuple[str, ...] = setting((), help="languages of the pages to follow, where a site says which are which")
    retry_seconds: float = setting(
        1.0, help="seconds to wait after a failure; each further one in a row doubles them", minimum=0
    )
    patience: float = setting(300.0, help="seconds that a busy host may ask to wait before it is left alone", minimum=0)
    file_bytes: int = setting(1_000_000_000, help="bytes after which another WARC file is begun", minimum=1_000)


# What a crawl looks for, as its state keeps it, so that one folder never mixes what was found for two reasons.

_NAMED = 2  # examples in a message
_FIELDS = 4  # of a wrapper, in a message
# What a wrapper file says about its making; the same rules find the same pages.
_NOT_RULES = ("training", "checked", "profile")
_HINTS = {
    "any": "leave out --like, --wrapper and --kind",
    "like": "give the same --like or --from",
    "wrapper": "give the same --wrapper",
    "kind": "give the same --kind",
}
_OTHERS = {"any": "", "like": "they were other examples", "wrapper": "it was another wrapper", "kind": ""}


@dataclass(frozen=True)
class CrawlTarget:
    """The pages that a crawl looks for: `key` tells whether they are the same, `words` are for people.

    >>> shop = CrawlTarget.of_examples(["https://shop.example/5d", "https://shop.example/r5"], [])
    >>> shop.words
    'pages like https://shop.example/5d and https://shop.example/r5'
    >>> shop == CrawlTarget.loads(shop.dumps())
    True
    >>> CrawlTarget().check_same(shop, Path("shop"))
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: shop holds a crawl for pages like https://shop.example/5d and ..., not for every page;
    give the same --like or --from, or choose another folder.
    """

    kind: Literal["any", "like", "wrapper", "kind"] = "any"
    key: str = ""
    words: str = "every page"

    @classmethod
    def of_examples(cls, urls: Sequence[str], texts: Sequence[str]) -> "CrawlTarget":
        """Pages like examples, given by their addresses and by the HTML of those that are at hand, in any order."""
        names = sorted({*urls, *(_digest(text) for text in texts)})
        shown = [*urls[:_NAMED], *([f"{len(urls) - _NAMED} more"] if len(urls) > _NAMED else [])]
        if texts:
            shown.append(f"{len(texts)} saved page{'s' * (len(texts) != 1)}")
        listed = " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
        return cls("like", _digest("\n".join(names)), f"pages like {listed}")

    @classmethod
    def of_wrapper(cls, wrapper: "Wrapper") -> "CrawlTarget":
        """Pages that a wrapper can read."""
        rules = {name: value for name, value in wrapper.to_json().items() if name not in _NOT_RULES}
        fields = ", ".join(wrapper.fields[:_FIELDS]) + ", …" * (len(wrapper.fields) > _FIELDS)
        return cls(
            "wrapper", _digest(json.dumps(rules, sort_keys=True)), f"pages with the fields {fields} of a wrapper"
        )

    @classmethod
    def of_kind(cls, kind: str) -> "CrawlTarget":
        """Pages about one thing of a kind."""
        return cls("kind", kind, f"pages about one {kind}")

    def dumps(self) -> str:
        """The target as a text for the state."""
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, text: str) -> "CrawlTarget":
        """The inverse of `dumps`."""
        return cls(**json.loads(text))

    def check_same(self, before: "CrawlTarget", folder: Path) -> None:
        """Refuse to look for something else than before: found pages of two kinds could not be told apart."""
        if (self.kind, self.key) == (before.kind, before.key):
            return
        difference = f"not for {self.words}" if self.words != before.words else f"but {_OTHERS[self.kind]}"
        raise UsageError(
            f"{folder} holds a crawl for {before.words}, {difference}; {_HINTS[before.kind]}, or choose another folder."
        )


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


# -- how a crawl stands, read from its folder, also while it runs ---------------------------------------------------

# The folder of a crawl: made, locked while a crawl runs in it, and as it was before if that crawl never began.

_LOCK = "crawl.lock"
_OWN_FILE = re.compile(r"crawl\.(lock|lock\.held|sqlite|sqlite-wal|sqlite-shm)|pages-\d+\.warc\.gz|(pages|found)\.cdxj")
_LOCKS = re.compile(r"crawl\.lock(\.held)?")


@contextmanager
def crawl_folder(folder: Path, has_begun: Callable[[], bool]) -> Iterator[None]:
    """A folder for this process alone; what was made for a crawl that fails before it has begun is removed again."""
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise OutputError(f"Could not create {folder}: {problem.strerror}; choose another folder.") from problem
    is_empty = all(_LOCKS.fullmatch(path.name) for path in folder.iterdir())
    with ExitStack() as stack:
        try:
            stack.enter_context(marked_lock(folder / _LOCK))
        except BlockingIOError as problem:
            raise UsageError(
                f"Another crawl into {folder} is running (process {problem.strerror}); wait for its end, or choose "
                "another folder."
            ) from problem
        try:
            yield
        except BaseException:
            if is_empty and not has_begun():
                _remove(folder, made)
            raise


def is_running(folder: Path) -> bool:
    """Whether a crawl is at work in a folder; the system unlocks it when a process ends, however it ends."""
    return is_held(folder / _LOCK)


def not_writable(folder: Path, problem: OSError | sqlite3.OperationalError) -> OutputError:
    """The error for a folder that cannot be written to, with what to do about it."""
    remedy = "fix that, or choose another folder"
    if isinstance(problem, sqlite3.Error):
        reason, remedy = str(problem), "free some space or fix that"  # SQLite does not say which of the two it is
    else:
        reason = problem.strerror or str(problem)
        remedy = "free some space there" if problem.errno in FULL else remedy
    return OutputError(
        f"Could not write into {folder}: {reason}; {remedy}, then give the same command again; nothing is lost."
    )


def _remove(folder: Path, made: list[Path]) -> None:
    """Remove the files of a crawl, and the folders that were made for it, innermost first."""
    with suppress(OSError):  # what cannot be removed stays; the error that led here says more
        for path in folder.iterdir():
            if _OWN_FILE.fullmatch(path.name):
                path.unlink()
        for one in made:
            one.rmdir()


_MOST_EVENTS = 1_000
_FEW_FAILURES = 0.02  # of all pages; on the web, some always fail


@dataclass(frozen=True)
class HostStatus:
    """One host of a crawl: how many pages were visited, found, failed, and wait, and what it is doing."""

    name: str
    visits: int = 0
    targets: int = 0
    waiting: int = 0
    failed: int = 0
    doing: str = ""
    rate: float = 0.0
    """Visits a second, while the crawl runs."""


@dataclass(frozen=True)
class CrawlEvent:
    """Something that a person should know: a trap that was cut off, a host that was left alone."""

    at: float
    host: str
    what: str
    text: str


@dataclass(frozen=True)
class CrawlStatus:
    """A crawl in figures; `stopped` says why it ended, and is None while it runs or after a kill."""

    visits: int = 0
    targets: int = 0
    known: int = 0
    stopped: str | None = None
    is_running: bool = False
    standings: dict[str, int] = field(default_factory=dict)
    hosts: tuple[HostStatus, ...] = ()
    events: tuple[CrawlEvent, ...] = ()
    changes: dict[str, int] = field(default_factory=dict)
    """In a crawl that was repeated: how many pages are new, changed and gone."""

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why there may be more to find than was found."""
        found = []
        if self.waiting:
            wait = "1 address still waits" if self.waiting == 1 else f"{self.waiting:,} addresses still wait"
            found.append(f"{wait}; raise `pages` to go on" if self.is_at_budget else wait)
        if self.is_running:
            found.append("the crawl is still running")
        elif self.stopped is None:
            found.append("the crawl was killed")
        failed = self.standings.get(Standing.FAILED.name.lower(), 0)
        if failed > _FEW_FAILURES * (self.visits + failed):
            found.append(f"{failed:,} page{'s' * (failed != 1)} could not be read")
        return tuple(found)

    @property
    def state(self) -> Literal["running", "stopped", "finished"]:
        """Whether it runs, was stopped or killed with something left to visit, or has visited everything."""
        if self.is_running:
            return "running"
        return "stopped" if self.stopped is None or self.waiting else "finished"

    @property
    def is_at_budget(self) -> bool:
        """Whether it stopped because it had visited as many pages as it may."""
        return (self.stopped or "").startswith("the budget")

    @property
    def verdict(self) -> "Verdict":
        """`failed` if no page could be visited, `suspicious` if something is left or failed, else `ok`."""
        return "failed" if not self.visits else "suspicious" if self.doubts else "ok"

    @property
    def waiting(self) -> int:
        """How many addresses wait."""
        return sum(host.waiting for host in self.hosts)

    @property
    def harvest(self) -> float | None:
        """The share of visited pages that are among those looked for; None before the first."""
        return self.targets / self.visits if self.visits else None

    def to_json(self) -> dict[str, Any]:
        """The figures as plain values."""
        told = {
            "state": self.state,
            **asdict(self),
            "waiting": self.waiting,
            "harvest": self.harvest,
            "doubts": list(self.doubts),
        }
        del told["is_running"]  # which the state says
        return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}

    @classmethod
    def of(cls, folder: str | os.PathLike[str]) -> "CrawlStatus":
        """The status of the crawl in a folder."""
        database = connect(Path(folder), read_only=True)
        running = is_running(Path(folder))
        with closing(database), damage_told(Path(folder)):
            visits, targets = database.execute("SELECT COUNT(*), COALESCE(SUM(is_target), 0) FROM visit").fetchone()
            standings = database.execute("SELECT standing, COUNT(*) FROM address GROUP BY standing ORDER BY standing")
            counts = {Standing(number).name.lower(): count for number, count in standings}
            run = database.execute("SELECT id, stopped FROM run ORDER BY id DESC LIMIT 1").fetchone()
            changes = database.execute(
                "SELECT what, COUNT(*) FROM change WHERE run = ? GROUP BY what", (run[0] if run else 0,)
            )
            return cls(
                visits=visits,
                targets=targets,
                known=sum(counts.values()),
                stopped=run[1] if run and not running else None,
                is_running=running,
                standings=counts,
                hosts=tuple(HostStatus(*row) for row in database.execute(_HOSTS)),
                events=tuple(CrawlEvent(*row) for row in database.execute(_EVENTS, (_MOST_EVENTS,))),
                changes=dict(changes.fetchall()),
            )


_HOSTS = f"""
SELECT host.name, COUNT(visit.address), COALESCE(SUM(visit.is_target), 0),
  COALESCE(SUM(address.standing = {int(Standing.WAITING)}), 0),
  COALESCE(SUM(address.standing = {int(Standing.FAILED)}), 0)
FROM host LEFT JOIN address ON address.host = host.id LEFT JOIN visit ON visit.address = address.id
GROUP BY host.id ORDER BY 2 DESC, 1
"""
_EVENTS = "SELECT at, host, what, text FROM event ORDER BY id DESC LIMIT ?"


def visits_in_order(folder: str | os.PathLike[str]) -> Sequence[bool]:
    """Whether each page visited was one of those looked for, in the order of the visits: what a plot needs."""
    database = connect(Path(folder), read_only=True)
    with closing(database), damage_told(Path(folder)):
        return [bool(row[0]) for row in database.execute("SELECT is_target FROM visit ORDER BY number")]


def changed_pages(folder: str | os.PathLike[str]) -> list[tuple[str, str]]:
    """What the last repetition of a crawl found: pairs of `new`, `changed` or `gone` and an address."""
    database = connect(Path(folder), read_only=True)
    with closing(database), damage_told(Path(folder)):
        return database.execute(
            "SELECT change.what, address.url FROM change JOIN address ON address.id = change.address"
            " WHERE run = (SELECT MAX(id) FROM run) ORDER BY change.what, address.url"
        ).fetchall()


def failed_pages(folder: str | os.PathLike[str]) -> list[tuple[str, str]]:
    """The pages that could not be read: pairs of an address and the cause."""
    database = connect(Path(folder), read_only=True)
    with closing(database), damage_told(Path(folder)):
        return database.execute(
            "SELECT url, COALESCE(cause, '') FROM address WHERE standing = ? ORDER BY id", (int(Standing.FAILED),)
        ).fetchall()


# -- indexes of a crawl's archive, in the form that other tools read: one line a page, sorted (CDXJ) ----------------

ALL_PAGES = "pages.cdxj"
FOUND_PAGES = "found.cdxj"

_ROWS = """
SELECT sort_key(address.url), address.url, visit.at, visit.status, visit.digest, visit.file, visit.offset, visit.length,
  visit.is_target AND address.standing = ?
FROM visit JOIN address ON address.id = visit.address ORDER BY 1
"""


def sort_key(url: str) -> str:
    """An address as archives sort it: the host backwards, everything in lower case.

    >>> sort_key("https://www.Example.org/A?b=1")
    'org,example)/a?b=1'
    """
    parts = urlsplit(url.lower())
    host = re.sub(r"^www\d*\.", "", parts.hostname or "")
    port = f":{parts.port}" if parts.port else ""
    query = f"?{'&'.join(sorted(parts.query.split('&')))}" if parts.query else ""
    return f"{','.join(reversed(host.split('.')))}{port}){parts.path or '/'}{query}"


def write_indexes(folder: Path) -> None:
    """Write the index of all pages, and that of the pages found."""
    database = connect(folder, read_only=True)
    database.create_function("sort_key", 1, sort_key, deterministic=True)
    try:
        with (
            damage_told(folder),
            _part(folder, ALL_PAGES).open("w", encoding="utf-8") as pages,
            _part(folder, FOUND_PAGES).open("w", encoding="utf-8") as found,
        ):
            for *columns, is_found in database.execute(_ROWS, (int(Standing.VISITED),)):
                line = _line(folder, *columns)
                pages.write(line)
                if is_found:
                    found.write(line)
    finally:
        database.close()
    for name in (ALL_PAGES, FOUND_PAGES):
        os.replace(_part(folder, name), folder / name)


def _part(folder: Path, name: str) -> Path:
    return folder / f".{name}.part"


def _line(  # noqa: PLR0913 - the columns of a row
    folder: Path, key: str, url: str, when: float, status: int, digest: str, file: int, offset: int, length: int
) -> str:
    told = {
        "url": url,
        "status": str(status),
        "digest": digest,
        "length": str(length),
        "offset": str(offset),
        "filename": archive_path(folder, file).name,
    }
    return f"{key} {datetime.fromtimestamp(when, UTC):%Y%m%d%H%M%S} {json.dumps(told, ensure_ascii=False)}\n"
