"""The manifest of a batch: every file with its rows, bytes and digest, the schema of the rows, and the totals."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import orjson

from sightline._version import __version__
from sightline.files import put_in_place, sync_folder
from sightline.scale.output._audit import BatchAudit
from sightline.scale.output._facts import PartFacts
from sightline.scale.output._part_file import explained
from sightline.scale.output._parts import DOCUMENT_SCHEMA

__all__ = ["MANIFEST", "write_manifest"]

MANIFEST = "manifest.json"
_INDENTED = orjson.OPT_INDENT_2


def write_manifest(folder: Path, parts: Iterable[PartFacts], schema: Any, audited: BatchAudit, job: str = "") -> Path:
    """Write the manifest of a complete batch, one line a file; it appears whole, or not at all.

    `parts` are those of all shards in order, `schema` that of the rows, `job` the digest of what was done.
    """
    path = folder / MANIFEST
    with explained(path):
        with put_in_place(path) as temporary, temporary.open("wb") as stream:
            for piece in _pieces(parts, schema, audited, job):
                stream.write(piece)
        sync_folder(folder)
    return path


def _pieces(parts: Iterable[PartFacts], schema: Any, audited: BatchAudit, job: str) -> Iterable[bytes]:
    """The document, as it is written: a batch has too many files to hold all of their entries at once."""
    head = {
        "format": "sightline batch",
        "version": 1,
        "sightline": __version__,
        "job": job,
        "complete": audited.is_complete,
        "totals": _totals(audited),
        "records": _columns(schema),
        "documents": _columns(DOCUMENT_SCHEMA),
    }
    yield orjson.dumps(head, option=_INDENTED)[:-2] + b',\n  "files": ['
    between = b"\n    "
    for facts in parts:
        for file in facts.files:
            yield between + orjson.dumps(msgspec.structs.asdict(file))
            between = b",\n    "
    yield b"\n  ]\n}\n"


def _totals(audited: BatchAudit) -> dict[str, int]:
    return {name: count for name, count in msgspec.structs.asdict(audited).items() if type(count) is int}


def _columns(schema: Any) -> list[dict[str, str]]:
    return [{"name": field.name, "type": str(field.type)} for field in schema]
