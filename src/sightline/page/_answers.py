"""What a page asked for while it was open, and the JSON that came back: it belongs beside the page, not into it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sightline.redaction import redacted, redacted_in


@dataclass(frozen=True, repr=False)
class PageRequest:
    """A request that a page made, with all it takes to make it again; what is shown of it has no secrets.

    >>> PageRequest("https://shop.example/api/items?page=2")
    <PageRequest GET https://shop.example/api/items?page=2>
    """

    url: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    """Those that tell the server who asks and what for; only programs get to see them."""
    body: str = ""

    def __repr__(self) -> str:
        return f"<PageRequest {self.told}>"

    @property
    def told(self) -> str:
        """Method and address as they may be shown."""
        return f"{self.method} {redacted(self.url)}"

    def to_dict(self) -> dict[str, Any]:
        """The request for JSON: of its headers the names alone."""
        told = {"method": self.method, "url": self.url, "headers": [name for name, _ in self.headers]}
        found: dict[str, Any] = redacted_in({**told, **({"body": self.body} if self.body else {})})
        return found


@dataclass(frozen=True)
class PageAnswer:
    """The JSON that a request brought."""

    request: PageRequest
    data: Any = field(repr=False)
    status: int = 200
    next: str = ""
    """The address that its `Link` header calls next."""

    @property
    def told(self) -> str:
        """Which answer it is, in words."""
        return self.request.told


@dataclass(frozen=True)
class PageAnswers:
    """The answers that came while a page was open, in order, and in `gaps` what was not kept, and why."""

    answers: tuple[PageAnswer, ...] = ()
    gaps: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[PageAnswer]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)
