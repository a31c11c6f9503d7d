"""Chooses the thresholds of the profile likeness: `python -m bench.crawl.fit_likeness [SITES]`.

For each site, the threshold that is best on the other sites is applied to it; these figures are what to expect on a new
site. The published skeleton, which has no threshold to choose, stands beside them. Pages come in an order like that of
a crawl: the first pages of the site, then others breadth-first with the targets scattered among them. `SITES` is the
folder of the set `sites`; pages of its sites are then told from those of all others, which any likeness should manage.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean

from bench.crawl.graph import Case, cases
from sightline.arrays import LongArray
from sightline.crawler._page_parts import PartReader
from sightline.crawler.likeness import Likeness, ProfileLikeness, SkeletonLikeness
from sightline.sources import PageOutline, decode, read_outline

COUNTS = (1, 2, 3, 5)
SEEDS = (1, 2, 3)
TARGETS, OTHERS, FIRST = 200, 600, 40
THRESHOLDS = (0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85)
FEW_PAGES = 17  # sites of the set `sites` with fewer have none left to recognise
OF_EACH = 8  # pages of each other site

Figures = tuple[float, float, float]
"""Precision, recall and F1."""


@dataclass(frozen=True)
class Page:
    """What the likenesses read of a page."""

    outline: PageOutline
    parts: LongArray
    is_target: bool


@dataclass(frozen=True)
class Sample:
    """Some pages of a case: others in the order of a crawl, and targets."""

    name: str
    site: str
    targets: tuple[Page, ...]
    others: tuple[Page, ...]

    def split(self, count: int, seed: int) -> tuple[list[Page], list[Page]]:
        """Examples, and the pages to judge in their order."""
        random = Random(f"{self.name} {count} {seed}")
        targets = random.sample(self.targets, len(self.targets))
        examples, left = targets[:count], targets[count:]
        mixed = list(self.others[FIRST:])
        places = sorted(random.sample(range(len(mixed) + len(left)), len(left)))
        for place, page in zip(places, left, strict=True):
            mixed.insert(place, page)
        return examples, [*self.others[:FIRST], *mixed]


def sample_of(case: Case) -> Sample:
    """Targets and others of a case, picked at random."""
    graph, wanted, reader = case.graph, case.wanted, PartReader()
    random = Random(f"likeness {case.name}")
    targets = random.sample(sorted(wanted), min(TARGETS + max(COUNTS), len(wanted)))
    others = [page for page in range(len(graph.urls)) if page not in wanted]
    picked = random.sample(others[FIRST:], min(OTHERS - FIRST, len(others) - FIRST))

    def read(page: int) -> Page:
        outline = graph.outlines[page]
        return Page(outline, reader.read(graph.text_of(page), outline), page in wanted)

    return Sample(case.name, case.site, tuple(map(read, targets)), tuple(map(read, [*others[:FIRST], *sorted(picked)])))


def samples_of_folder(folder: Path) -> list[Sample]:
    """Each site of the set `sites` against all others."""
    reader, pages = PartReader(), dict[str, list[Page]]()
    for site in sorted(path.parent for path in folder.glob("*/pages")):
        files = sorted(site.glob("pages/*.html"))[: 3 * OF_EACH]
        if len(files) >= FEW_PAGES:
            texts = [decode(file.read_bytes()).text for file in files]
            outlines = [read_outline(text) for text in texts]
            parts = [reader.read(text, outline) for text, outline in zip(texts, outlines, strict=True)]
            pages[site.name] = [Page(*read, is_target=False) for read in zip(outlines, parts, strict=True)]
    samples = []
    for name, own in pages.items():
        others = [page for other in pages if other != name for page in pages[other][:OF_EACH]]
        targets = tuple(Page(page.outline, page.parts, is_target=True) for page in own)
        samples.append(Sample(name, name, targets, tuple(Random(name).sample(others, len(others)))))
    return samples


def by_profile(sample: Sample, count: int, threshold: float | None = None) -> Figures:
    """The mean figures of the profile over some choices of examples."""
    figures = []
    for seed in SEEDS:
        examples, pages = sample.split(count, seed)
        likeness = ProfileLikeness.of_parts([page.parts for page in examples], threshold)
        figures.append(_figures(pages, [likeness.judge_parts(page.parts).is_target for page in pages]))
    return _mean(figures)


def by_skeleton(sample: Sample, count: int) -> Figures:
    """The mean figures of the published rule."""
    figures = []
    for seed in SEEDS:
        examples, pages = sample.split(count, seed)
        likeness: Likeness = SkeletonLikeness([page.outline.skeleton for page in examples])
        figures.append(_figures(pages, [likeness.judge("", page.outline, "").is_target for page in pages]))
    return _mean(figures)


def _figures(pages: Sequence[Page], judged: Sequence[bool]) -> Figures:
    right = sum(page.is_target and yes for page, yes in zip(pages, judged, strict=True))
    precision, recall = right / max(1, sum(judged)), right / sum(page.is_target for page in pages)
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def _mean(figures: Sequence[Figures]) -> Figures:
    precision, recall, f1 = (mean(column) for column in zip(*figures, strict=True))
    return precision, recall, f1


def compare(samples: Sequence[Sample], count: int) -> None:
    """Print the figures with so many examples, each site's with the threshold that the other sites choose."""
    table = {value: {one.name: by_profile(one, count, value) for one in samples} for value in THRESHOLDS}

    def best_for(chosen: Sequence[Sample]) -> float:
        return max(THRESHOLDS, key=lambda value: mean(table[value][one.name][2] for one in chosen))

    print(f"\n{count} examples, best threshold on all sites {best_for(samples)}")
    left_out, published = [], []
    for one in samples:
        threshold = best_for([other for other in samples if other.site != one.site])
        left_out.append(table[threshold][one.name])
        published.append(by_skeleton(one, count))
        print(f"{one.name:22} {_shown(left_out[-1])}   at {threshold:4}   skeleton {_shown(published[-1])}", flush=True)
    print(f"{'mean':22} {_shown(_mean(left_out))}             skeleton {_shown(_mean(published))}", flush=True)


def _shown(figures: Figures) -> str:
    return " ".join(f"{value:.2f}" for value in figures)


def main(folders: Sequence[str]) -> None:
    """Print precision, recall and F1 for each case."""
    samples = [sample_of(case) for case in cases()]
    for count in COUNTS:
        compare(samples, count)
    for folder in folders:
        others = samples_of_folder(Path(folder))
        for count in COUNTS:
            figures = [by_profile(one, count) for one in others]
            lowest = min(zip(figures, others, strict=True), key=lambda pair: pair[0][2])
            print(
                f"\n{count} examples, {len(others)} sites against each other: {_shown(_mean(figures))}, "
                f"lowest {lowest[1].name} {_shown(lowest[0])}"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
