"""What a batch does with each document: the extractor, its options, and how pages are opened."""

import hashlib
from typing import Any

import msgspec

__all__ = ["BatchSpec"]

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
