"""What a batch does with each document: the extractor, its options, and how pages are opened."""

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Any

import msgspec
import zstandard

from sightline.scale.inputs import DocumentReference
from sightline.settings import Settings, setting

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
    policy: dict[str, Any] = msgspec.field(default_factory=dict, name="manners")  # as folders of batches have it
    browser: dict[str, Any] = {}
    origins: bool = True

    @property
    def digest(self) -> str:
        """Changes with everything that may change a row."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()[:_DIGEST_LETTERS]


# Where a supervisor works: everything it needs to know, as plain values that travel to other machines.


class WorkerConfig(msgspec.Struct, frozen=True):
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


# The settings of a batch: how documents are shared out, and what one of them may cost.

_MB = 1_000_000


@dataclass(frozen=True, kw_only=True)
class BatchSettings(Settings):
    """How a batch runs; none of these changes what is extracted."""

    workers: int = setting(0, help="worker processes at a time; 0 is one for each core", minimum=0)
    # 200 pages take a worker a few seconds: often enough for a progress bar, and seldom enough that claiming, fsync
    # and the Parquet footer cost less than 2 % (`python -m bench.scale.speed`). Rendered pages take 20 x longer.
    shard: int = setting(0, help="documents in a shard; 0 is 200, or 50 if pages are rendered", minimum=0, maximum=500)
    document_seconds: float = setting(120.0, help="maximum seconds for one document", minimum=0.1)
    worker_memory: int = setting(4_000 * _MB, help="maximum bytes of memory for a worker", minimum=300 * _MB)
    lease_seconds: float = setting(
        60.0, help="seconds without a heartbeat after which the shard of a worker is given to another", minimum=1
    )
    keep_going: bool = setting(
        default=False, help="whether to go on when the share of suspicious or failed pages rises"
    )

    @property
    def lone_memory(self) -> int:
        """The memory of a process that reads one document alone, after two others died over it: half."""
        return max(300 * _MB, self.worker_memory // 2)

    def shard_documents(self, *, render: bool) -> int:
        """How many documents a shard has."""
        return self.shard or (50 if render else 200)


# -- how a supervisor and its child talk ----------------------------------------------------------------------------

OUT_OF_MEMORY, DISK_FULL = 86, 87
"""Exit statuses of a child that says why it ends."""

TELL_SECONDS = 0.2
"""How long a child keeps to itself that documents are done: waking its supervisor for each took 3 % of the time."""

_LENGTH = struct.Struct("<I")


class ChildOrders(msgspec.Struct, frozen=True):
    """What a child is told once: the spec of the batch as JSON, the folder to write to, and its limits."""

    spec: bytes
    folder: str
    memory_bytes: int  # 0 where a browser shares the limit
    delay_factor: float  # workers that share the pace of one host
    run_in: str = ""  # the folder that the driver is in, to which names of inputs are relative


class ChildTask(msgspec.Struct, frozen=True):
    """A shard to be read, or with `only` one document of it, whose outcome goes into the journal."""

    shard: str
    fence: int
    input: bytes
    references: bytes
    journals: list[str]  # of earlier attempts and of this one, which comes last and is written to
    only: int | None = None


def write_frame(stream: IO[bytes], message: msgspec.Struct) -> None:
    """Send a message, and wait until it is sent."""
    stream.write(framed(message))
    stream.flush()


def framed(message: msgspec.Struct) -> bytes:
    """A message as bytes, with its length before it."""
    packed = msgspec.msgpack.encode(message)
    return _LENGTH.pack(len(packed)) + packed


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next message; None at the end."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    packed = stream.read(length)
    return packed if len(packed) == length else None
