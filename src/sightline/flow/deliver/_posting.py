"""Posts messages over HTTP until one is acknowledged or refused, with growing pauses; shows nobody a secret."""

import hashlib
import re
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote, urlsplit

import httpx2
import msgspec

from sightline.errors import OutputError, UnreadableError
from sightline.flow._addresses import quiet
from sightline.flow.deliver._arrays import in_pieces
from sightline.flow.deliver._rows import PLAIN, as_json, as_rows, check_finite
from sightline.flow.deliver._schema import load_columns
from sightline.flow.deliver._target import Delivered, Load, PostOptions
from sightline.net import PRODUCT, asked_pause, is_loopback
from sightline.project import Journal, explained
from sightline.redaction import SHORTEST_SECRET, Redaction

LONGEST_PAUSE = 60.0  # a service that is down comes back within minutes, and nobody waits longer than this to see it
LONGEST_ASKED_PAUSE = 300.0  # which a service may ask for by Retry-After
READ_BYTES = 1 << 16  # of an answer; more than its beginning is not needed to tell what went wrong
QUOTED = 300  # characters of an answer that an error repeats


@dataclass(frozen=True)
class Reply:
    """What a service answered."""

    status: int
    headers: tuple[tuple[str, str], ...]
    content: bytes


@dataclass(frozen=True)
class Arrival:
    """Whether a message has arrived; if not, why, and whether the same message may arrive later."""

    arrived: bool
    reason: str = ""
    again: bool = False


Judge: TypeAlias = Callable[[Reply], Arrival]


def by_status(reply: Reply) -> Arrival:
    """The verdict of plain HTTP: 2xx has arrived, 429 and 5xx may later, all else is refused."""
    if 200 <= reply.status < 300:
        return Arrival(arrived=True)
    again = reply.status in (408, 425, 429) or reply.status >= 500
    return Arrival(arrived=False, reason=f"answered {reply.status}{quoted_answer(reply)}", again=again)


def quoted_answer(reply: Reply) -> str:
    """The beginning of an answer in one line, in parentheses."""
    text = " ".join(re.sub(r"<[^>]*>", " ", reply.content.decode("utf-8", "replace")).split())
    return f" ({text[:QUOTED]}{'…' * (len(text) > QUOTED)})" if text else ""


class Posting:
    """Posts the parts of one load to one address; used as a context manager."""

    def __init__(self, url: str, load: Load, options: PostOptions, judge: Judge = by_status) -> None:
        self._load, self._options, self._judge = load, options, judge
        parts = urlsplit(url)
        self._url = url.partition("#")[0]
        self._shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        words = [word for header in (options.headers or {}).values() for word in (header, *header.split())]
        self._clean = Redaction([url, *words], shortest=SHORTEST_SECRET)  # a header may be `Bearer TOKEN`
        self._client = httpx2.Client(
            headers={"User-Agent": PRODUCT, **(options.headers or {})},
            timeout=options.seconds,
            follow_redirects=False,
            trust_env=not is_loopback(parts.hostname or ""),
        )

    def __enter__(self) -> "Posting":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def post(self, content: bytes, headers: Mapping[str, str], part: int) -> Reply:
        """The answer that acknowledges a part; errors say what became of the parts before it."""
        reason = ""
        for attempt in range(1, self._options.attempts + 1):
            pause = self._pause(attempt)
            try:
                reply = self._sent(content, headers)
            except (httpx2.TransportError, OSError) as problem:
                reason = self._explained(problem)
            else:
                verdict = self._judge(reply)
                if verdict.arrived:
                    return reply
                reason = verdict.reason
                if not verdict.again:
                    raise self._refused(reason, part)
                pause = max(pause, min(asked_pause(reply.headers) or 0.0, LONGEST_ASKED_PAUSE))
            if attempt < self._options.attempts:
                time.sleep(pause)
        raise self._given_up(reason, part)

    def _pause(self, attempt: int) -> float:
        return min(self._options.pause * 2.0 ** (attempt - 1), LONGEST_PAUSE)

    def _sent(self, content: bytes, headers: Mapping[str, str]) -> Reply:
        request = self._client.stream("POST", self._url, content=content, headers=dict(headers))
        with quiet("httpx2", "httpcore2"), request as response:  # they would log the whole address
            self._client.cookies.clear()
            read = bytearray()
            for piece in response.iter_bytes():
                read += piece
                if len(read) > READ_BYTES:
                    break
            return Reply(response.status_code, tuple(response.headers.multi_items()), bytes(read[:READ_BYTES]))

    def _explained(self, problem: Exception) -> str:
        if isinstance(problem, httpx2.TimeoutException):
            return f"did not answer within {self._options.seconds:g} s"
        said = str(problem).splitlines()[0].rstrip(".") if str(problem) else type(problem).__name__
        return f"could not be reached or broke the connection ({said:.200})"

    def _refused(self, reason: str, part: int) -> OutputError:
        return OutputError(
            self._clean(
                f"{self._shown} {reason} to part {part} of the load {self._load.id!r}; {_before(part)}. Fix what it "
                "complains about, then run the same load again."
            )
        )

    def _given_up(self, reason: str, part: int) -> OutputError:
        attempts = self._options.attempts
        return OutputError(
            self._clean(
                f"{self._shown} {reason}, also at attempt {attempts}, for part {part} of the load {self._load.id!r}; "
                f"{_before(part)}. Run the same load again when the service is up."
            )
        )


def _before(part: int) -> str:
    if part == 1:
        return "none is known to have arrived"
    return "the part before it has arrived" if part == 2 else f"the {part - 1} parts before it have arrived"


# The file that remembers which parts of a load a service has acknowledged, so that a killed load can go on.


class _Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part that has arrived, or, as part 0, a load of which all have; its digest is then that of each part."""

    target: str
    load: str
    part: int
    rows: int
    digest: str = ""


_SHORT = 16  # characters of a digest that is kept when its load is done
_UNTOLD = "?"  # in place of the digests of a load that an earlier version finished


def _target_of(load: Load) -> str:
    """What tells targets apart in a file that more than one may use; the address itself may be a secret."""
    place = f"{load.target.kind} {load.target.place} {load.target.table}"
    return hashlib.sha256(place.encode()).hexdigest()[:16]


def message_id(load: Load, part: int, *, is_replaced: bool = False) -> str:
    """The same id whenever the same part of the same load is sent to the same target.

    A part of a due date that takes the place of one that has arrived is another message.
    """
    name = load.id if is_replaced else load_name(load)
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"sightline:{_target_of(load)}:{part}:{name}"))


def load_name(load: Load) -> str:
    """What a service is told that the load is called: the same for every revision of a due date."""
    return load.dated.name if load.dated else load.id


class Acknowledged:
    """What is remembered of one load; while it is open, no other load writes to the file."""

    def __init__(self, journal: Journal, load: Load) -> None:
        self._journal, self._load = journal, load
        self._target = _target_of(load)
        self._lines = _read(journal)
        ours = [line for line in self._lines if (line.target, line.load) == (self._target, load.id)]
        self._digests = {line.part: line.digest for line in ours if line.part}
        self._done = next((line for line in ours if not line.part), None)
        self._earlier = load.earlier(dict.fromkeys(line.load for line in self._lines if line.target == self._target))
        self._held = self._parts_there()
        self._now: list[str] = []

    def _parts_there(self) -> dict[int, str]:
        """What the service has of each part of this due date, by the revisions before this one."""
        held: dict[int, str] = {}
        for line in self._lines:
            if line.target != self._target or line.load not in self._earlier:
                continue
            if line.part:
                held[line.part] = line.digest[:_SHORT]
            else:
                known = line.digest.split(",") if line.digest else [_UNTOLD]
                held = dict(enumerate(known, 1)) if line.rows else {}
        return held

    @property
    def done(self) -> Delivered | None:
        """What the load did, if all its parts have arrived."""
        return Delivered(self._done.rows, inserted=self._done.rows, was_done=True) if self._done else None

    def has(self, part: int, digest: str) -> bool:
        """Whether a part has arrived; one that is not what it was then is an error."""
        self._now.append(digest[:_SHORT])
        if self._digests.get(part, digest) != digest:
            raise OutputError(
                f"{self._load.target}: part {part} of the load {self._load.id!r} has arrived before, with other rows; "
                "deliver the rows of that time, or give the load a new id, with which all rows are sent."
            )
        return part in self._digests or self._held.get(part) == digest[:_SHORT]

    def is_replaced(self, part: int) -> bool:
        """Whether the service has a part of this number from an earlier revision of the due date."""
        return part in self._held or _UNTOLD in self._held.values()

    def left_over(self, parts: int) -> list[int]:
        """The parts that the service has from earlier revisions and that this one does not have."""
        return sorted(part for part in self._held if part > parts and part not in self._digests)

    def add(self, part: int, rows: int, digest: str) -> None:
        """Remember a part before the next one is sent."""
        line = _Line(self._target, self._load.id, part, rows, digest)
        with explained(str(self._journal.path)):
            self._journal.add(line)

    def finish(self, rows: int) -> None:
        """Remember that all parts have arrived, in place of what was known about each of them."""
        gone = {self._load.id, *self._earlier}
        others = [line for line in self._lines if line.target != self._target or line.load not in gone]
        digests = ",".join(self._now) if self._load.dated else ""
        self._journal.replace([*others, _Line(self._target, self._load.id, 0, rows, digests)])


@contextmanager
def remembering(path: str, load: Load) -> Iterator[Acknowledged]:
    """The state of a load, in a file that is made if there is none."""
    with explained(path):
        try:
            opened = Journal(Path(path).absolute(), wait=False)
        except BlockingIOError as problem:
            raise OutputError(
                f"{path} is in use by another load; wait for it, or give each target a state of its own."
            ) from problem
    with opened as journal:
        yield Acknowledged(journal, load)


def _read(journal: Journal) -> list[_Line]:
    advice = "restore the file, or name a new one, with which all parts are sent again under the ids that they had"
    try:
        return journal.read().entries(_Line, "the state of a delivery", advice)
    except UnreadableError as problem:
        raise OutputError(str(problem)) from problem


# -- delivery to a web address --------------------------------------------------------------------------------------

# Many services take no more than a few megabytes at a time.
PART_BYTES = 1 << 20


def deliver_load(load: Load, batches: Iterable[Any]) -> Delivered:
    """Post the parts that have not arrived yet."""
    options = load.options
    assert isinstance(options, PostOptions)
    with remembering(options.state, load) as state, Posting(load.target.place, load, options) as posting:
        if state.done:
            return state.done
        total = part = 0
        for part, rows in enumerate(json_parts(plain_rows(batches, "JSON"), options.part_rows), 1):
            _send(load, state, posting, part, rows)
            total += len(rows)
        for left in state.left_over(part):
            _send(load, state, posting, left, [])
        state.finish(total)
    return Delivered(total, inserted=total)


def _send(load: Load, state: Acknowledged, posting: Posting, part: int, rows: list[bytes]) -> None:
    """Post a part, unless it has arrived."""
    content = b'{"load":%s,"part":%d,"rows":[%s]}' % (as_json(load_name(load)), part, b",".join(rows))
    digest = hashlib.sha256(content).hexdigest()
    if not state.has(part, digest):
        posting.post(content, _headers(load, part, is_replaced=state.is_replaced(part)), part)
        state.add(part, len(rows), digest)


def _headers(load: Load, part: int, *, is_replaced: bool) -> dict[str, str]:
    headers = {
        "Content-Type": "application/json",
        "Idempotency-Key": message_id(load, part, is_replaced=is_replaced),
        "Sightline-Load": quote(load_name(load), safe=" :/+,;=@()"),
        "Sightline-Part": str(part),
    }
    if load.dated:
        headers["Sightline-Revision"] = quote(load.dated.revision, safe=" :/+,;=@()")
    return headers


def plain_rows(batches: Iterable[Any], what: str) -> Iterator[dict[str, Any]]:
    """All rows by column, one after the other; numbers that `what` does not have are errors."""
    columns = None
    for piece in in_pieces(batches):
        columns = columns or load_columns(piece.schema, (), PLAIN)
        check_finite(piece, what)
        yield from as_rows(piece, columns)


def json_parts(rows: Iterable[dict[str, Any]], part_rows: int) -> Iterator[list[bytes]]:
    """Rows as JSON in parts; the same rows give the same parts, in whatever batches they came."""
    part: list[bytes] = []
    size = 0
    for row in rows:
        content = as_json(row)
        if part and (len(part) == part_rows or size + len(content) > PART_BYTES):
            yield part
            part, size = [], 0
        part.append(content)
        size += len(content)
    if part:
        yield part
