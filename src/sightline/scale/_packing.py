"""References of a shard as the ledger keeps them: packed, and compressed, since neighbours resemble each other."""

from collections.abc import Sequence

import msgspec
import zstandard

from sightline.scale.inputs import DocumentReference

__all__ = ["pack_references", "unpack_references"]

LEVEL = 3  # 500 addresses of 60 letters become 4 KB in 0.1 ms; higher levels save little


def pack_references(references: Sequence[DocumentReference]) -> bytes:
    """The references as bytes."""
    return zstandard.ZstdCompressor(level=LEVEL).compress(msgspec.msgpack.encode(references))


def unpack_references(packed: bytes) -> list[DocumentReference]:
    """The references again."""
    return msgspec.msgpack.decode(zstandard.ZstdDecompressor().decompress(packed), type=list[DocumentReference])
