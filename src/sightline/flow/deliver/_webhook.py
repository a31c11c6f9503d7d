"""Delivery to a web address: rows are posted as JSON in parts, each with a key by which a receiver drops repeats."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from sightline.flow.deliver._arrays import in_pieces
from sightline.flow.deliver._load import Delivered, Load
from sightline.flow.deliver._options import PostOptions
from sightline.flow.deliver._posting import Posting, message_id, remembering
from sightline.flow.deliver._rows import PLAIN, as_json, as_rows, check_finite
from sightline.flow.deliver._schema import load_columns

__all__ = ["deliver_load", "json_parts", "plain_rows"]

# Many services take no more than a few megabytes at a time.
PART_BYTES = 1 << 20


def deliver_load(load: Load, batches: Iterable[Any]) -> Delivered:
    """Post the parts that have not arrived yet."""
    options = load.options
    assert isinstance(options, PostOptions)
    with remembering(options.state, load) as state, Posting(load.target.place, load, options) as posting:
        if state.done:
            return state.done
        total = 0
        for part, rows in enumerate(json_parts(plain_rows(batches, "JSON"), options.part_rows), 1):
            content = b'{"load":%s,"part":%d,"rows":[%s]}' % (as_json(load.id), part, b",".join(rows))
            digest = hashlib.sha256(content).hexdigest()
            if not state.has(part, digest):
                posting.post(content, _headers(load, part), part)
                state.add(part, len(rows), digest)
            total += len(rows)
        state.finish(total)
    return Delivered(total, inserted=total)


def _headers(load: Load, part: int) -> dict[str, str]:
    return {
        "Content-Type": "application/json",
        "Idempotency-Key": message_id(load, part),
        "Sightline-Load": quote(load.id, safe=" :/+,;=@()"),
        "Sightline-Part": str(part),
    }


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
