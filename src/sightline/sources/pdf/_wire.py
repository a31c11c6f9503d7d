"""The protocol between the PDF reader's process and ours: frames of a JSON head and raw bytes.

No pickle: a hostile PDF may have taken over the reader, and whatever it sends must stay data. Only the standard library
and orjson are used here, since the child imports this first.
"""

import os
import struct
from collections.abc import Callable
from typing import Any, TypeAlias

import orjson

__all__ = ["MOST_BODY", "MOST_HEAD", "Head", "Malformed", "Reader", "frame", "read_all", "receive", "send_all"]

Head: TypeAlias = dict[str, Any]
Reader: TypeAlias = Callable[[int], bytearray]

PREFIX = struct.Struct(">IQ")  # the bytes of the head, and of the body
MOST_HEAD = 32_000_000  # 10,000 bookmarks of 500 characters need half of it
MOST_BODY = 400_000_000  # a picture of 100 million dots needs 300 MB
MOST_PARTS = 64  # in one call; systems take 1,024


class Malformed(Exception):
    """The other side sent something that no correct reader sends."""


def frame(head: Head, body_bytes: int = 0) -> bytes:
    """The beginning of a frame; its body, `body_bytes` long, is to follow."""
    packed_head = orjson.dumps(head)
    return PREFIX.pack(len(packed_head), body_bytes) + packed_head


def receive(read: Reader, *, most_body: int = MOST_BODY) -> tuple[Head, bytearray]:
    """The next frame; `read` gives exactly as many bytes as it is asked for.

    >>> sent = frame({"do": "open"}, 3) + b"%PD"
    >>> place = iter((sent[:12], sent[12:25], sent[25:]))
    >>> receive(lambda _: bytearray(next(place)))
    ({'do': 'open'}, bytearray(b'%PD'))
    """
    head_bytes, body_bytes = PREFIX.unpack(read(PREFIX.size))
    if head_bytes > MOST_HEAD or body_bytes > most_body:
        raise Malformed(f"a frame of {head_bytes} and {body_bytes} bytes")
    try:
        head = orjson.loads(read(head_bytes))
    except orjson.JSONDecodeError as problem:
        raise Malformed("a head that is no JSON") from problem
    if not isinstance(head, dict):
        raise Malformed("a head that is no object")
    return head, read(body_bytes) if body_bytes else bytearray()


def send_all(fd: int, *parts: bytes | memoryview) -> None:
    """Write everything, which must come as single bytes, to a descriptor that blocks."""
    rest = [memoryview(part) for part in parts if part]
    while rest:  # all parts in one call: each call may wake the reader
        sent = os.writev(fd, rest[:MOST_PARTS])
        while rest and sent >= len(rest[0]):
            sent -= len(rest.pop(0))
        if sent:
            rest[0] = rest[0][sent:]


def read_all(fd: int, count: int) -> bytearray:
    """Read exactly `count` bytes from a blocking descriptor; EOFError if they end before."""
    whole = bytearray(count)
    rest = memoryview(whole)
    while rest:
        got = os.readv(fd, [rest])
        if not got:
            raise EOFError
        rest = rest[got:]
    return whole
