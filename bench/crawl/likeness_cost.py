"""What comparing a page with a hundred templates of 5,000 tags costs, as published, with bounds on distances."""

import random
import statistics
from time import perf_counter

from bench.frame import Figure
from sightline.crawler.likeness import SkeletonLikeness
from sightline.sources import PageOutline

TEMPLATES, TAGS, PAGES = 100, 5_000, 60
MOST_MS = 5.0
_LETTERS = "".join(chr(0x100 + number) for number in range(10, 60))


def similarity_figures() -> tuple[Figure, ...]:
    """The median and the worst of pages of all sorts: of a template, near one, and of another site."""
    chance = random.Random(5)
    base = [_skeleton(chance) for _ in range(10)]
    templates = [_changed(chance, chance.choice(base), 0.05) for _ in range(TEMPLATES)]
    likeness = SkeletonLikeness(templates)
    pages = [
        *(_changed(chance, chance.choice(templates), 0.03) for _ in range(PAGES // 3)),
        *(_changed(chance, chance.choice(templates), 0.3) for _ in range(PAGES // 3)),
        *(_skeleton(chance) for _ in range(PAGES // 3)),
    ]
    times = sorted(_milliseconds(likeness, page) for page in pages)
    median, worst = statistics.median(times), times[-1]
    return (
        Figure.of("similarity test, 100 templates of 5,000 tags, ms", median, MOST_MS, "lower", "ms"),
        Figure.of("similarity test, the slowest of 60 pages, ms", worst, None, "lower", "ms"),
    )


def _milliseconds(likeness: SkeletonLikeness, skeleton: str) -> float:
    outline = PageOutline(skeleton=skeleton)
    began = perf_counter()
    likeness.judge("", outline, "")
    return 1000 * (perf_counter() - began)


def _skeleton(chance: random.Random) -> str:
    """Some tags, with the repetitions that pages have."""
    rows = ["".join(chance.choices(_LETTERS, k=chance.randint(3, 12))) for _ in range(12)]
    tags = ""
    while len(tags) < TAGS:
        tags += chance.choice(rows) * chance.randint(1, 20)
    return tags[:TAGS]


def _changed(chance: random.Random, skeleton: str, share: float) -> str:
    letters = list(skeleton)
    for _ in range(round(share * len(letters))):
        letters[chance.randrange(len(letters))] = chance.choice(_LETTERS)
    return "".join(letters)
