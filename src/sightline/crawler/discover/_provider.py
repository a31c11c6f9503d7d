"""The seam to search engines: one method to ask, one for pages that the provider has itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from sightline.net import Document


@dataclass(frozen=True)
class SearchResult:
    """One result: its address, and what the provider shows of it."""

    url: str
    title: str = ""
    snippet: str = ""


@dataclass(frozen=True)
class SearchAnswer:
    """One page of results, best first; whether there may be more; how many there are in all, if the provider says so.

    `problems` are sentences about what is missing, such as an engine that did not answer.
    """

    results: tuple[SearchResult, ...] = ()
    more: bool = False
    total: int | None = None
    problems: tuple[str, ...] = ()


@runtime_checkable
class SearchProvider(Protocol):
    """What a discovery asks. Anything with these three is a provider."""

    @property
    def name(self) -> str:
        """What it is called in results and messages; never with a secret in it."""

    def search(self, phrases: Sequence[str], page: int) -> SearchAnswer:
        """The pages that have all these phrases; `page` counts from 1. No result is an answer, not an error."""

    def saved(self, urls: Iterable[str]) -> dict[str, Document]:
        """The documents of those addresses that the provider has itself, so that nobody fetches them; mostly none."""
