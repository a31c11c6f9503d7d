"""What is known about one host of a crawl."""

import json
from collections import Counter
from dataclasses import dataclass, field
from time import monotonic

from sightline.crawl._pace import AnswerPace
from sightline.crawl._rendering import Rendering
from sightline.crawl._traps import Traps
from sightline.crawl.rank import Ranking
from sightline.sources import PageOutline

__all__ = ["Host", "MissingPage"]

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
