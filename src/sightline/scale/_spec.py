"""What a batch does with each document: the extractor, its options, and how pages are opened."""

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
import zstandard

from sightline.scale.inputs import DocumentReference

__all__ = ["BatchSpec", "Station", "pack_references", "unpack_references"]

_DIGEST_LETTERS = 16


class BatchSpec(msgspec.Struct, frozen=True):
    """What is done with each document. Two batches with the same digest give the same rows for the same documents.

    >>> BatchSpec("tables").digest == BatchSpec("tables", render=True).digest
    False
    """

    extractor: str
    wrapper: str = ""  # as JSON, if the extractor is "wrapper"
    options: dict[str, Any] = {}
    render: bool = False
    limits: dict[str, Any] = {}
    manners: dict[str, Any] = {}
    browser: dict[str, Any] = {}
    origins: bool = True

    @property
    def digest(self) -> str:
        """Changes with everything that may change a row."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()[:_DIGEST_LETTERS]


# Where a supervisor works: everything it needs to know, as plain values that travel to other machines.


class Station(msgspec.Struct, frozen=True):
    """A job, its ledger and its folders."""

    ledger: str
    job: str
    folder: str
    work: str
    spec: bytes
    render: bool
    workers: int
    document_seconds: float
    worker_memory: int
    lone_memory: int
    lease_seconds: float
    keep_going: bool
    version: str
    run_in: str  # the folder that the driver is in, to which names of inputs are relative
    sampled: tuple[int, int] = (0, 0)  # documents of a sample, and how many of them were not ok


# References of a shard as the ledger keeps them: packed, and compressed, since neighbours resemble each other.

LEVEL = 3  # 500 addresses of 60 letters become 4 KB in 0.1 ms; higher levels save little


def pack_references(references: Sequence[DocumentReference]) -> bytes:
    """The references as bytes."""
    return zstandard.ZstdCompressor(level=LEVEL).compress(msgspec.msgpack.encode(references))


def unpack_references(packed: bytes) -> list[DocumentReference]:
    """The references again."""
    return msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(packed), type=list[DocumentReference])
