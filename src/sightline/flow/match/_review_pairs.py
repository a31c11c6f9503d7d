"""Doubtful pairs as a run writes them down for people: both records with their fields, one JSON object a line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson

from sightline.errors import UnreadableError, UsageError
from sightline.files import read_bytes
from sightline.flow.match._matches import Pair

__all__ = ["ReviewPair", "read_review", "review_line"]

_MOST_BYTES = 1 << 30  # of a file of pairs; one has about a kilobyte
_NAME = "name"  # what the text of a record is called where its fields are not known


@dataclass(frozen=True)
class ReviewPair:
    """A doubtful pair, with the fields of both records; `price_field` is the one that holds the price."""

    pair: Pair
    left: Mapping[str, str]
    right: Mapping[str, str]
    price_field: str = ""

    @cached_property
    def id(self) -> str:
        """The same for the same two texts, in every run: decisions are about texts."""
        return _short(f"{self.pair.left_text}\0{self.pair.right_text}")

    @cached_property
    def record(self) -> str:
        """The same for all pairs of a record."""
        return _short(self.pair.left_text)


def _short(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def review_line(found: ReviewPair) -> bytes:
    """A pair as a line of the file."""
    pair = found.pair
    document = pair.to_json() | {
        "evidence": list(pair.evidence),
        "parts": dict(pair.parts or {}),
        "prices": list(pair.prices),
        "left_fields": dict(found.left),
        "right_fields": dict(found.right),
        "price_field": found.price_field,
    }
    return orjson.dumps(document) + b"\n"


def read_review(path: Path) -> list[ReviewPair]:
    """The pairs of a file, each two texts once; those that other versions wrote have no fields but their texts."""
    found: dict[str, ReviewPair] = {}
    for number, line in enumerate(read_bytes(path, "run the flow again", _MOST_BYTES).splitlines(), start=1):
        try:
            pair = _read(orjson.loads(line))
        except (orjson.JSONDecodeError, UsageError) as problem:
            where = f"{path}, line {number}"
            raise UnreadableError(where, f"this is no pair ({problem}); run the flow again.") from problem
        found.setdefault(pair.id, pair)
    return list(found.values())


def _read(document: Any) -> ReviewPair:
    try:
        pair = Pair(
            str(document["left"]),
            str(document["right"]),
            float(document["score"]),
            "review",
            str(document["left_text"]),
            str(document["right_text"] or ""),
            dict(document["parts"]),
            tuple(map(float, document["evidence"])),
        )
        left, right = document.get("left_fields"), document.get("right_fields")
        prices = _two(document.get("prices") or (0.0, 0.0))
        return ReviewPair(
            replace(pair, prices=prices),
            _texts(left) or {_NAME: pair.left_text},
            _texts(right) or {_NAME: pair.right_text},
            str(document.get("price_field") or ""),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise UsageError(f"{problem!r} is missing or makes no sense") from problem


def _two(prices: Sequence[float]) -> tuple[float, float]:
    left, right = prices
    return float(left), float(right)


def _texts(fields: Mapping[str, Any] | None) -> dict[str, str]:
    return {str(name): str(text) for name, text in (fields or {}).items() if text is not None}
