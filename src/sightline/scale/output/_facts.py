"""What the ledger keeps of the files of a shard: enough to audit and to sum up a job without reading them again."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec

from sightline.scale.output._layout import storable_text

# What became of one document: its verdict with reasons, what it cost, and its rows.

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


MOST_CAUSES = 20
"""Of a shard: a ledger of a million shards has to stay small, and a summary shows fewer."""

LONGEST_REASON = 160  # characters; what differs behind them differs in names and numbers, as a rule

# Wrappers quote fields, and the texts of their template, behind these words: they are the same on all pages.
_QUOTED = re.compile(r"(?<!field )(?<!text )(?<!row )“[^”]*”|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|\S*(?:://|/)\S*")
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)*")


class PartFile(msgspec.Struct, frozen=True, array_like=True):
    """A file of a shard, by its name within the output folder."""

    name: str
    bytes: int
    rows: int
    sha256: str


class PartCause(msgspec.Struct, frozen=True, array_like=True):
    """How many documents of a shard have one status for one cause; `reason` has names and numbers taken out."""

    status: DocumentStatus
    cause: str
    reason: str
    documents: int


class PartFacts(msgspec.Struct, frozen=True, array_like=True):
    """What is in the files of a shard.

    `bytes` counts those of the documents; `filled` says for each field how many rows have a value; `slowest` is the
    longest that one document took; `ids_digest` is the SHA-256 of the ids, joined by line breaks.
    """

    documents: int
    ok: int
    suspicious: int
    failed: int
    quarantined: int
    rows: int
    bytes: int
    seconds: float
    cpu_seconds: float
    files: tuple[PartFile, ...]
    ids_digest: str
    filled: tuple[int, ...] = ()
    causes: tuple[PartCause, ...] = ()
    slowest: float = 0.0


def causes_of(outcomes: Iterable[DocumentOutcome]) -> Counter[tuple[DocumentStatus, str, str]]:
    """How often documents are not ok, by status, cause and the form of their first reason."""
    return Counter(
        (one.status, storable_text(one.cause), reason_form(first_reason(one.reasons, one.source)))
        for one in outcomes
        if one.status != "ok"
    )


def first_reason(reasons: Sequence[str] | None, source: str) -> str:
    """The first reason, without the name of the document, which errors begin with."""
    return reasons[0].removeprefix(f"{source}: ") if reasons else ""


def most_common(causes: Counter[tuple[DocumentStatus, str, str]]) -> tuple[PartCause, ...]:
    """The most frequent of them; what is left is counted by status and cause, without a reason."""
    ranked = causes.most_common()
    rest: Counter[tuple[DocumentStatus, str, str]] = Counter()
    for (status, cause, _), count in ranked[MOST_CAUSES:]:
        rest[(status, cause, "")] += count
    return tuple(PartCause(*key, count) for key, count in [*ranked[:MOST_CAUSES], *rest.items()])


def reason_form(reason: str) -> str:
    """A reason without the names and numbers that differ from page to page, to count alike reasons together.

    >>> reason_form("the field “price” is “5 €”, but 31 of 40 pages have none.")
    'the field “price” is “…”, but # of # pages have none.'
    """
    plain = _NUMBERS.sub("#", _QUOTED.sub("“…”", storable_text(reason[: 4 * LONGEST_REASON])))
    line = " ".join(plain.split())
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 1] + "…"
