"""What a discovery found, and its file."""

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict

import msgspec

from sightline.data import Verdict
from sightline.documents import check_document, decoded_document, encoded_document
from sightline.errors import UsageError
from sightline.files import read_bytes, write_bytes

VERSION = 1
MOST_BYTES = 64_000_000

Wanted: TypeAlias = Literal["tables", "lists", "wrapper"]
"""What the pages must have: tables, lists, or what a wrapper reads."""

DiscoveryEnd: TypeAlias = Literal["rule", "exhausted", "budget", "failed"]
"""Why no more was asked: nothing new that matters, no query left, the budget, or a provider that failed."""


class _OptionalSiteForm(TypedDict, total=False):
    support: int
    found: str


class _SiteForm(_OptionalSiteForm):
    site: str
    score: float
    why: list[str]
    pages: list[str]
    templates: list[str]


class _OptionalForm(TypedDict, total=False):
    left_out: list[_SiteForm]
    want: Wanted
    ended: DiscoveryEnd
    seed: int


class _Form(_OptionalForm):
    version: int
    phrases: list[str]
    provider: str
    stopped: str
    queries: int
    sites: list[_SiteForm]
    problems: list[str]


@dataclass(frozen=True)
class DiscoveredSite:
    """A site: its score, why, the pages that queries found (best first), and examples of its pages with data.

    `templates` are the pages on which usable data was seen, those of the most promising part of the site first.
    `support` is the number of queries that found it, `found` what its best page has.
    """

    site: str
    score: float
    why: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    support: int = 0
    found: str = ""


@dataclass(frozen=True)
class Discovery:
    """The sites that hold the data of a domain, best first; what was left out, and why; and how it ended.

    >>> found = Discovery(("zoom", "ISO"), "index:/saved", "No new site.", 12, (DiscoveredSite("shop.example", 0.9),))
    >>> Discovery.from_json(found.to_json()) == found
    True
    """

    phrases: tuple[str, ...]
    provider: str
    stopped: str
    queries: int
    sites: tuple[DiscoveredSite, ...]
    left_out: tuple[DiscoveredSite, ...] = ()
    problems: tuple[str, ...] = ()
    want: Wanted = "tables"
    ended: DiscoveryEnd = "rule"
    seed: int = field(default=0)

    @property
    def verdict(self) -> Verdict:
        """`ok` if it found sites and came to an end by itself."""
        return "ok" if self.sites and self.ended in ("rule", "exhausted") else "suspicious"

    def to_json(self) -> dict[str, Any]:
        """The document of the file."""
        document = asdict(self)
        return {"version": VERSION, **{name: _plain(value) for name, value in document.items()}}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Discovery":
        """The inverse of `to_json`; entries that this version does not know are skipped, optional ones may be missing.

        >>> Discovery.from_json({"version": 1})
        Traceback (most recent call last):
        ...
        sightline.errors.UsageError: phrases is missing
        """
        check_document(document, _Form)
        if document["version"] != VERSION:
            raise UsageError(
                f"it is of version {document['version']}, and this is the Sightline for version {VERSION}; "
                "use a newer Sightline"
            )
        own = {name: document[name] for name in cls.__dataclass_fields__ if name in document}
        sites = {name: tuple(_site(one) for one in own.get(name, ())) for name in ("sites", "left_out")}
        lists = {name: tuple(own.get(name, ())) for name in ("phrases", "problems")}
        return cls(**{**own, **sites, **lists})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Discovery":
        """Read the file of a discovery."""
        content = read_bytes(path, "make one with `sightline discover`", MOST_BYTES)
        try:
            document = decoded_document(content)
            if not isinstance(document, dict):
                raise UsageError("it is not an object")
            return cls.from_json(document)
        except UsageError as problem:
            raise UsageError(
                f"{path}: this is not a file of `sightline discover`: {problem.message.removesuffix('.')}."
            ) from problem

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the file of a discovery; nothing half-written is ever left."""
        return write_bytes(path, msgspec.json.format(encoded_document(self.to_json()), indent=1) + b"\n")


def _site(document: Mapping[str, Any]) -> DiscoveredSite:
    known: dict[str, Any] = {name: document[name] for name in DiscoveredSite.__dataclass_fields__ if name in document}
    lists = {name: tuple(value) for name, value in known.items() if isinstance(value, list)}
    return DiscoveredSite(**(known | lists))


def _plain(value: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
