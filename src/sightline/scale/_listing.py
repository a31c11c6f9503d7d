"""Listing: the documents of all inputs, as shards in the ledger. Work begins while it goes on.

What is listed stays listed: a batch that is begun again looks only at whether an input is still the same.
"""

import hashlib
import threading
import time
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice

import msgspec

from sightline.errors import SightlineError, SourceError, UsageError
from sightline.net import Limits
from sightline.scale._process import Aside
from sightline.scale._spec import pack_references
from sightline.scale.inputs import (
    BatchInput,
    DocumentReference,
    InputSettings,
    KnownInputs,
    find_inputs,
    list_documents,
)
from sightline.scale.ledger import KnownInput, Ledger, ListedPart, NewShard

__all__ = ["InputListing"]

AT_ONCE = 100  # parts added in one transaction, each of which waits for the disk
MOST_SECONDS = 0.5  # that workers wait for what is listed
_INPUT_BITS = 32  # the number of a shard is that of its input, then its own within it
_ID_LETTERS = 16


class InputListing:
    """Lists inputs into a ledger, in a thread of its own where there is anything new."""

    def __init__(self, ledger: Ledger, shard_documents: int, limits: Limits, began_in: str = "") -> None:
        self.problems: list[SourceError] = []  # names that match no input
        self._ledger = ledger
        self._size = shard_documents
        self._limits = limits
        self._began_in = began_in
        self._cancelled = threading.Event()
        self._thread: Aside | None = None
        self._failure: SightlineError | None = None

    def begin(self, names: Iterable[str], settings: InputSettings) -> None:
        """List what is new; returns when the rest is known to be unchanged.

        What an earlier driver did not list to its end is listed as well, even if it is not named this time.
        """
        known = KnownInputs((_unpacked(one) for one in self._ledger.inputs()), self._began_in)
        found = [news for one in find_inputs(names, settings) if (news := self._news(known, one))]
        known.compare_rest(self._ledger.open_inputs())
        if found:
            self._ledger.add_inputs([(one.name, one.identity, msgspec.msgpack.encode(one)) for one in found])
        inputs = self._ledger.inputs()
        if not inputs:
            raise self.problems[0] if self.problems else UsageError("There is nothing to read; name an input.")
        unlisted = [one for one in inputs if not one.listed]
        if not unlisted:
            self._ledger.finish_listing()
        else:
            self._thread = Aside(partial(self._list_all, unlisted))
            self._thread.start()

    def check(self) -> None:
        """Raise what ended the listing."""
        if self._failure:
            raise self._failure

    def wait(self) -> None:
        """Wait until everything is listed."""
        if self._thread:
            self._thread.join()
        self.check()

    def stop(self) -> None:
        """End it; what is missing is listed the next time."""
        self._cancelled.set()
        if self._thread:
            self._thread.join()

    # ------------------------------------------------------------------ inputs

    def _news(self, known: KnownInputs, found: BatchInput | SourceError) -> BatchInput | None:
        if isinstance(found, SourceError):
            self.problems.append(found)
            return None
        return known.news(found)

    def _list_all(self, unlisted: list[KnownInput]) -> None:
        try:
            for part in _in_batches(chain.from_iterable(map(self._parts, unlisted))):
                if self._cancelled.is_set():
                    return
                self._ledger.add_listed(part)
            self._ledger.finish_listing()
        except SightlineError as failure:  # a full disk, a ledger that is gone: the driver raises it
            self._failure = failure

    def _parts(self, known: KnownInput) -> Iterator[ListedPart]:
        """The shards of an input, one by one; then how many documents it has."""
        found = _unpacked(known)
        documents = damaged = 0
        for index, references in enumerate(_chunks(list_documents(found, self._limits), self._size)):
            documents += len(references)
            damaged += sum(bool(reference.problem) for reference in references)
            yield ListedPart(known.number, [_shard(found, known.number, index, references)])
        yield ListedPart(known.number, [], documents, damaged)


def _in_batches(parts: Iterable[ListedPart]) -> Iterator[list[ListedPart]]:
    """Many parts at a time, but the first one at once, so that work begins; and none waits for long."""
    waiting: list[ListedPart] = []
    since = 0.0
    for part in parts:
        waiting.append(part)
        if len(waiting) >= AT_ONCE or time.monotonic() - since >= MOST_SECONDS:
            yield waiting
            waiting, since = [], time.monotonic()
    yield waiting


def _unpacked(known: KnownInput) -> BatchInput:
    return msgspec.msgpack.decode(known.told, type=BatchInput)


def _chunks(references: Iterable[DocumentReference], size: int) -> Iterator[list[DocumentReference]]:
    rest = iter(references)
    while some := list(islice(rest, size)):
        yield some


def _shard(found: BatchInput, number: int, index: int, references: list[DocumentReference]) -> NewShard:
    told = "\n".join((found.name, found.identity, str(index), *(reference.id for reference in references)))
    name = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_LETTERS]
    return NewShard(name, (number << _INPUT_BITS) + index, len(references), pack_references(references))
