"""What became of one document: its verdict with reasons, what it cost, and its rows."""

from typing import Literal, TypeAlias

import msgspec

__all__ = ["STATUSES", "DocumentOutcome", "DocumentStatus"]

_Packed: TypeAlias = bytes  # a class with a field `bytes` has no other word for the type

DocumentStatus: TypeAlias = Literal["ok", "suspicious", "failed", "quarantined"]
"""A verdict; or `quarantined`, where a document ended the process that read it, again and again."""

STATUSES: tuple[DocumentStatus, ...] = ("ok", "suspicious", "failed", "quarantined")


class DocumentOutcome(msgspec.Struct, frozen=True, array_like=True):
    """What became of one document.

    `cause` is a code for machines ("UnreadableError", "crash:SIGSEGV"), `reasons` are words for people; both are empty
    where the document is ok. `rows` are those that a `RowMaker` made.

    >>> DocumentOutcome("pages.warc.gz#17", "https://shop.example/17").status
    'ok'
    """

    id: str
    source: str
    url: str = ""
    status: DocumentStatus = "ok"
    reasons: tuple[str, ...] = ()
    cause: str = ""
    page: str = ""
    bytes: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    rows: _Packed = b""
    row_count: int = 0
