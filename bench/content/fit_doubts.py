"""Choosing below which share of a page's words its main text is doubted: `python -m bench.content.fit_doubts`.

Every page of `content2` is read by the model that has not seen its domain. For each kind that pages are judged to be,
and each bound, it prints how many texts would be doubted, and how many of these lose a quarter of their words or more.
With `--manuals FOLDER` (see `manuals.py`) it does the same for manuals, and prints how much of each is kept.
"""

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.content import grow
from bench.content.manuals import manual_pages
from bench.content.pages import read_truth
from bench.content.scores import words
from bench.frame import Options, program
from bench.pages import static
from sightline.extract.content._find import FEWEST_WORDS, _first_occurrences, comment_blocks, trace_content
from sightline.extract.content._measures import measure
from sightline.extract.content._model import ContentModel
from sightline.page import Page

BOUNDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
POOR = 0.75  # less of the true words than this


@dataclass(frozen=True)
class Kept:
    """A page: where it is from, of which kind it is judged to be, the share of its words that is kept, its scores."""

    origin: str
    kind: str
    share: float
    recall: float
    precision: float


def main() -> None:
    """Print the tables."""
    parser = program(__doc__)
    parser.add_argument("--manuals", type=Path, help="folder with one unpacked documentation package in each folder")
    asked = parser.parse_args()
    _print_bounds("content2, out of fold", list(_pages(Options(data=asked.data))))
    if asked.manuals:
        manuals = [_kept(one.package, one.page, one.text) for one in manual_pages(asked.manuals)]
        _print_bounds("manuals", manuals)
        for package in sorted({kept.origin for kept in manuals}):
            _print_package(package, [kept for kept in manuals if kept.origin == package])
        _print_package("all", manuals)


def _pages(options: Options) -> Iterator[Kept]:
    truth, models = read_truth(options), grow.held_out()
    for own, page in zip(truth.pages, static(truth.files), strict=True):
        yield _kept(own.type, page, own.text, models[own.fold])


def _kept(origin: str, page: Page, truth: str, model: ContentModel | None = None) -> Kept:
    trace = trace_content(page, model=model)
    if not len(trace.blocks):
        return Kept(origin, "", 1.0, 0.0, 0.0)
    measured = measure(trace.blocks)
    shown = trace.blocks.visible & ~comment_blocks(measured, trace.kept) & measured.counts.reads
    shown &= _first_occurrences(trace.blocks.texts, measured.counts.words, shown)
    counted = measured.counts.words * shown
    share = counted[trace.kept].sum() / counted.sum() if counted.sum() >= FEWEST_WORDS else 1.0
    wanted, has = Counter(words(truth)), Counter(words(trace.found.text))
    both = sum((wanted & has).values())
    scores = both / max(1, sum(wanted.values())), both / max(1, sum(has.values()))
    return Kept(origin, trace.found.page_kind or "", float(share), *scores)


def _print_bounds(name: str, pages: Sequence[Kept]) -> None:
    print(f"\n{name}: pages, poor ones, and for each bound those below it and the poor ones among them")
    print(f"{'kind':14}{'pages':>6}{'poor':>6}  " + "".join(f"{bound:>10}" for bound in BOUNDS))
    for kind in sorted({kept.kind for kept in pages}):
        own = [kept for kept in pages if kept.kind == kind]
        below = [[kept.recall < POOR for kept in own if kept.share < bound] for bound in BOUNDS]
        told = "".join(f"{f'{len(poor)} ({sum(poor)})':>10}" for poor in below)
        print(f"{kind:14}{len(own):>6}{sum(kept.recall < POOR for kept in own):>6}  {told}")


def _print_package(name: str, pages: Sequence[Kept]) -> None:
    recall, precision = (statistics.mean(getattr(kept, score) for kept in pages) for score in ("recall", "precision"))
    print(f"{name:<22} {len(pages):>4} pages: recall {recall:.3f}, precision {precision:.3f}")


if __name__ == "__main__":
    main()
