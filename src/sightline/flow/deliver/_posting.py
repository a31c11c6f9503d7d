"""Posts messages over HTTP until one is acknowledged or refused, with growing pauses; shows nobody a secret."""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import urlsplit

import httpx2

from sightline.errors import OutputError
from sightline.flow._quiet import quiet
from sightline.flow.deliver._load import Load
from sightline.flow.deliver._options import PostOptions
from sightline.net import PRODUCT, asked_pause, is_loopback
from sightline.redaction import SHORTEST_SECRET, Redaction

__all__ = ["Arrival", "Posting", "Reply", "by_status", "quoted_answer"]

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
                f"{self._shown} {reason} to part {part} of the load {self._load.id!r}; {_before(part)}. Mend what it "
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
