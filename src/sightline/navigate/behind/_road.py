"""A road to the records of a list without a browser: what is asked for, where records stand, how they are written.

It was found on pages that were seen, and gives what they showed, letter by letter. Where an answer holds something of
which nobody knows how the page would show it, the road is lost, and only a browser can go on.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import msgspec

from sightline.data import Record, Records, Value
from sightline.errors import UsageError
from sightline.extract.behind import (
    DataRule,
    NoWordError,
    StatePlace,
    elements_of,
    leaves_of,
    state_at,
    told_path,
    value_at,
)
from sightline.files import read_bytes, write_bytes
from sightline.navigate.behind._turn import Turn
from sightline.net import Document, page_answer, status_problem
from sightline.page import OwnPath, PageAnswer, PageRequest
from sightline.redaction import redacted
from sightline.sources import decode, parse

Fetch: TypeAlias = Callable[[PageRequest], Document]
"""Asks for something, politely, and gives the document of any status."""

ADVICE = "give a file that `sightline behind -o FILE` has written"
MOST_BYTES = 10_000_000  # a road has some kilobytes
MOST_RECORDS = 10_000  # of one answer; pages show some hundred
# Headers without which a request means something else, and which are no secrets.
PLAIN_HEADERS = frozenset(("accept", "accept-language", "content-type", "x-requested-with"))


class LostRoad(Exception):
    """An answer is unlike those that were seen; the text says in what, as the rest of a sentence.

    With `unseen` it holds something that has to be seen once on a page to be known.
    """

    def __init__(self, why: str, *, unseen: bool = False) -> None:
        super().__init__(why)
        self.unseen = unseen


@dataclass(frozen=True)
class DataRoad:
    """The way to the records of a list by the data behind its pages."""

    request: PageRequest
    """The request for the page that was seen last."""
    path: OwnPath
    """Where the array of records stands in the answer."""
    rules: Mapping[str, DataRule]
    """How each field is written."""
    always: tuple[str, ...] = ()
    """Fields that every record has shown so far."""
    state: StatePlace | None = None
    """The state in the page that is asked for; None where the answer is JSON."""
    turn: Turn | None = None
    language: str | None = field(default=None)

    def ask(self, request: PageRequest, fetch: Fetch) -> PageAnswer:
        """The answer to a request; a SourceError or LostRoad says why there is none."""
        document = fetch(request)
        if document.status is not None and document.status >= 400:
            raise status_problem(request.url, document.status)
        if self.state is not None:
            page = parse(decode(document.content, document.charset).text, url=document.url)
            return PageAnswer(request, state_at(page, self.state), document.status or 200)
        found = page_answer(request, document.status or 200, document.headers, document.content)
        if found is None:
            raise LostRoad(f"the answer to {request.told} is not JSON")
        return found

    def read(self, data: Any) -> Records:
        """The records of an answer as its page would show them."""
        found = value_at(data, self.path)
        if not isinstance(found, list | dict):
            raise LostRoad(f"the answer has no records at {told_path(self.path)}")
        elements = elements_of(found)
        if len(elements) > MOST_RECORDS:
            raise LostRoad(f"the answer holds {len(elements):,} records, more than any page shows")
        records = [self._record(element) for element in elements]
        return Records(records, None, self.language).typed()

    def _record(self, element: Any) -> Record:
        leaves = leaves_of(element)
        try:
            shown = {name: rule.read(leaves) for name, rule in self.rules.items()}
        except NoWordError as problem:
            raise LostRoad(str(problem), unseen=True) from problem
        missing = next((name for name in self.always if shown[name] is None), "")
        if missing:
            raise LostRoad(f"a record has no “{missing}”, which every record that was seen has")
        return Record({name: _part(text) for name, text in shown.items()})

    def following(self, answer: PageAnswer) -> PageRequest | None:
        """The request for the page after an answer; None at the end."""
        return self.turn.following(answer) if self.turn else None

    @property
    def told(self) -> str:
        """The road in words."""
        what = f"{self.state.told}, " if self.state else ""
        turn = f"; {self.turn.told}" if self.turn else ""
        return f"{self.request.told}: {what}{told_path(self.path)}{turn}"

    @property
    def portable(self) -> bool:
        """Whether it can be kept: nothing of its request is a secret of this visit."""
        written = f"{self.request.url} {self.request.body}"
        return all(name in PLAIN_HEADERS for name, _ in self.request.headers) and redacted(written) == written

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the road to a file, to be loaded again; a UsageError if its request holds secrets."""
        if not self.portable:
            raise UsageError(f"{path}: the request holds secrets of this visit, which are not written to files.")
        write_bytes(path, msgspec.json.format(msgspec.json.encode(self), indent=1))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "DataRoad":
        """A road from its file."""
        content = read_bytes(path, ADVICE, MOST_BYTES)
        try:
            return msgspec.json.decode(content, type=cls)
        except msgspec.DecodeError as problem:
            raise UsageError(f"{path}: not the file of a road ({problem}); {ADVICE}.") from problem


def _part(text: str | tuple[str, ...] | None) -> Value | tuple[Value, ...] | None:
    if text is None:
        return None
    return Value(text) if isinstance(text, str) else tuple(map(Value, text))
