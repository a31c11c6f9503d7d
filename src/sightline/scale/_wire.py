"""How a supervisor and its child talk: a task goes down, a line comes up for each document and for what was written."""

import struct
from typing import IO

import msgspec

__all__ = [
    "DISK_FULL",
    "OUT_OF_MEMORY",
    "TELL_SECONDS",
    "ChildOrders",
    "ChildTask",
    "framed",
    "read_frame",
    "write_frame",
]

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
