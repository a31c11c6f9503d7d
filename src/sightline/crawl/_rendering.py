"""Whether pages of a host need a browser: a few of each template are read both ways and compared."""

from dataclasses import dataclass, field
from typing import Any

from sightline.sources import PageOutline

__all__ = ["Rendering", "adds_much"]

_TRIES = 2  # pages of a template that are read both ways
_MOST_TRIES = 6  # of a host; its other templates are taken for alike
_MORE_LINKS = 1.2  # rendered to plain; scripts add a handful of links to nearly every page (sharing, cookies, maps)
_FEW_LINKS = 5
_MORE_TAGS = 1.5


@dataclass
class _Tried:
    times: int = 0
    differed: int = 0


@dataclass
class Rendering:
    """What the comparisons of one host came to, by the shape of addresses."""

    tried: dict[str, _Tried] = field(default_factory=dict)

    def wants_try(self, shape: str) -> bool:
        """Whether a page of this shape should be read both ways."""
        known = self.tried.get(shape)
        times = sum(one.times for one in self.tried.values())
        return times < _MOST_TRIES and (known is None or known.times < _TRIES)

    def learn(self, shape: str, *, differs: bool) -> None:
        """Take in a comparison."""
        tried = self.tried.setdefault(shape, _Tried())
        tried.times += 1
        tried.differed += differs

    def give_up(self) -> None:
        """Try no more: there is no browser, or it fails."""
        self.tried.setdefault("", _Tried()).times = _MOST_TRIES

    def needs_browser(self, shape: str) -> bool:
        """Whether pages of this shape are opened in the browser; others of the host decide where it was not tried."""
        known = self.tried.get(shape)
        if known is not None:
            return known.times >= _TRIES and known.differed == known.times
        decided = list(self.tried.values())
        differed = sum(one.differed for one in decided)
        times = sum(one.times for one in decided)
        return times >= _MOST_TRIES and differed * 2 > times

    def to_json(self) -> dict[str, list[int]]:
        """The comparisons as plain values."""
        return {shape: [one.times, one.differed] for shape, one in self.tried.items()}

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> "Rendering":
        """The comparisons that were kept."""
        return cls({shape: _Tried(*counts) for shape, counts in kept.items()})


def adds_much(plain: PageOutline, rendered: PageOutline) -> bool:
    """Whether a browser shows substantially more of a page than the server sends.

    >>> adds_much(PageOutline(skeleton="abc"), PageOutline(skeleton="abcd" * 5))
    True
    """
    before, after = ({anchor.href for anchor in outline.anchors} for outline in (plain, rendered))
    links = len(after) > _MORE_LINKS * len(before) and len(after) - len(before) > _FEW_LINKS
    return links or len(rendered.skeleton) > _MORE_TAGS * max(1, len(plain.skeleton))
