"""What every likeness answers."""

from typing import NamedTuple, Protocol

from sightline.sources import PageOutline

__all__ = ["AnyLikeness", "Judgement", "Likeness", "Unlearning"]


class Judgement(NamedTuple):
    """Whether a page is a target, and how much it is like one, from 0 to 1."""

    is_target: bool
    likeness: float


class Likeness(Protocol):
    """Recognises the pages looked for."""

    def judge(self, text: str, outline: PageOutline, url: str) -> Judgement:
        """The judgement on a page, given its HTML, its outline and its address."""

    def dumps(self) -> bytes:
        """What was learned from the pages judged, to go on after a stop; nothing for most."""

    def resume(self, state: bytes) -> None:
        """Go on with what `dumps` wrote down."""


class Unlearning:
    """For a likeness that keeps nothing of the pages it judges."""

    def dumps(self) -> bytes:
        """Nothing."""
        return b""

    def resume(self, state: bytes) -> None:
        """Nothing to go on with."""


class AnyLikeness(Unlearning):
    """Every page is one of those looked for: `sightline crawl --any`."""

    def judge(self, text: str, outline: PageOutline, url: str) -> Judgement:  # noqa: ARG002 - none of it matters
        """Yes."""
        return Judgement(is_target=True, likeness=1.0)
