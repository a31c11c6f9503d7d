"""What is known about one host of a crawl."""

import json
from collections import Counter
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from sightline.crawler._traps import Traps
from sightline.crawler.rank import Ranking
from sightline.net import asked_pause, backoff
from sightline.sources import PageOutline

# Whether pages of a host need a browser: a few of each template are read both ways and compared.

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


# How fast a host is visited, as its own answers tell.

_SLOW_SECONDS = 1.0  # an answer that takes longer means that the host has enough to do
_MOST_PAUSE = 60.0
_CALM = 20  # answers in a row after which a host that was busy may be visited faster again
_SHARE = 0.2  # of the newest answer in the average


class AnswerPace:
    """The pause between two visits of a host, beyond what its robots.txt and the user ask for.

    >>> pace = AnswerPace()
    >>> pace.failed(None), pace.failed(None), pace.failed((("Retry-After", "30"),))
    (1.0, 2.0, 30.0)
    """

    def __init__(self, retry_seconds: float = 1.0) -> None:
        self._retry_seconds = retry_seconds
        self._average = 0.0
        self._penalty = 0.0
        self._calm = 0
        self.failures = 0
        """How many answers in a row failed."""

    @property
    def pause(self) -> float:
        """Seconds between the end of a visit and the beginning of the next: as long as slow answers take."""
        return min(_MOST_PAUSE, max(self._penalty, self._average if self._average > _SLOW_SECONDS else 0.0))

    def answered(self, seconds: float) -> None:
        """Take in an answer that came, and how long it took."""
        self._average += _SHARE * (seconds - self._average)
        self.failures = 0
        self._calm += 1
        if self._penalty and self._calm >= _CALM:
            self._calm = 0
            self._penalty = self._penalty / 2 if self._penalty > 0.1 else 0.0

    def failed(self, headers: tuple[tuple[str, str], ...] | None) -> float:
        """Take in a failure; the seconds to leave the host alone, which the answer itself may name."""
        self.failures += 1
        self._calm = 0
        asked = asked_pause(headers) if headers else None
        if headers is not None:  # it answered, and said that it has too much to do
            self._penalty = min(_MOST_PAUSE, max(1.0, 2 * self._penalty))
        return asked if asked is not None else backoff(self.failures, self._retry_seconds)


_MOST_FEEDS = 5  # of a host; blogs have one for each article's comments


@dataclass(frozen=True)
class MissingPage:
    """How a host that never says 404 shows that there is no such page."""

    title: str
    skeleton: str

    def shows(self, outline: PageOutline) -> bool:
        """Whether a page is the one for missing pages."""
        return outline.skeleton == self.skeleton and outline.title == self.title


@dataclass
class Host:
    """A host: its ranking, its traps, its pace, and what was found out about it."""

    name: str
    ranking: Ranking
    traps: Traps
    rendering: Rendering = field(default_factory=Rendering)
    pace: AnswerPace = field(default_factory=AnswerPace)
    missing: MissingPage | None = None
    is_known: bool = False
    """Whether its robots.txt, its sitemaps and its answer for missing pages were looked at."""
    left: str = ""
    """Why it is left alone for the rest of this run."""
    mirror_of: Counter[str] = field(default_factory=Counter)
    canonical: Counter[str] = field(default_factory=Counter)
    refusals: int = 0
    feeds: list[str] = field(default_factory=list)
    """Addresses of feeds that are to be read."""
    named_feeds: set[str] = field(default_factory=set)
    visits: int = 0
    targets: int = 0
    failed: int = 0
    since: float = 0.0
    """When the first visit of this run was, on the clock of the process."""
    seen: int = 0
    """How many visits there were since then."""
    changed: bool = False
    """Whether there is something to save."""

    @property
    def rate(self) -> float:
        """Visits a second in this run."""
        return self.seen / max(monotonic() - self.since, 1e-3) if self.seen else 0.0

    def count(self, *, is_target: bool) -> None:
        """Count a visit."""
        self.since = self.since or monotonic()
        self.seen += 1
        self.visits += 1
        self.targets += is_target

    def name_feed(self, url: str) -> None:
        """Note a feed to be read, once, and not more than a few."""
        if url not in self.named_feeds and len(self.named_feeds) < _MOST_FEEDS:
            self.named_feeds.add(url)
            self.feeds.append(url)

    def notes(self) -> str:
        """What to keep of it from one run to the next."""
        return json.dumps(
            {
                "known": self.is_known,
                "counts": [self.visits, self.targets, self.failed],
                "feeds": sorted(self.named_feeds),
                "unread": self.feeds,
                "missing": [self.missing.title, self.missing.skeleton] if self.missing else None,
                "ignored": sorted(self.traps.ignored),
                "shut": self.traps.shut,
                "rendering": self.rendering.to_json(),
            }
        )

    def restore(self, notes: str) -> None:
        """Take up what was kept."""
        kept = json.loads(notes)
        self.is_known = kept.get("known", False)
        self.visits, self.targets, self.failed = kept.get("counts", (0, 0, 0))
        self.named_feeds.update(kept.get("feeds", ()))
        self.feeds.extend(kept.get("unread", ()))
        self.missing = MissingPage(*kept["missing"]) if kept.get("missing") else None
        self.traps.ignored.update(kept.get("ignored", ()))
        self.traps.shut.update(kept.get("shut", {}))
        self.rendering = Rendering.from_json(kept.get("rendering", {}))
