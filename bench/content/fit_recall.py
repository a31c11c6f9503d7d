"""Choosing what a missing word weighs on pages of each kind, and in each mode: `python -m bench.content.fit_recall`.

Every page is read by the model that has not seen its domain. For each kind that pages are judged to be, or for several
kinds together, the weight is taken that gives the best mean F1 of words. Out of fold, the weights for the pages of a
fold are those that are best on all others.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rich.progress import track

from bench.content import grow
from bench.content.pages import FOLDS, PageTruth, Truth, read_snippets, read_truth
from bench.content.scores import score, summary, word_f1
from bench.frame import Options, program
from bench.pages import rendered, static
from sightline.extract.content._find import _choose_blocks, _first_occurrences
from sightline.extract.content._measures import measure
from sightline.extract.content._model import PAGE_KINDS, ContentModel
from sightline.page import Page
from sightline.signals import text_blocks

GROUPS = {
    "one for all": (PAGE_KINDS,),
    "two": (("article", "forum", "product"), ("documentation", "service", "collection", "listing")),
    "one for each": tuple((kind,) for kind in PAGE_KINDS),
}
WEIGHTS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0, 1.25, 1.5, 2.0, 3.0)


@dataclass(frozen=True)
class Read:
    """A page as its model reads it: of which kind it is judged to be, and its text with each of the weights."""

    truth: PageTruth
    kind: str
    texts: tuple[str, ...]


def main() -> None:
    """Print, for static and for rendered pages, what is best, in fold and out of fold."""
    parser = program(__doc__)
    options = Options(data=parser.parse_args().data)
    models = grow.held_out()
    for shown in (True, False):
        pages, snippets = (
            _read(truth, rendered(truth.files, keep=True) if shown else static(truth.files), models)
            for truth in (read_truth(options), read_snippets(options))
        )
        print("\nrendered" if shown else "\nstatic")
        _print_kinds(pages)
        _print_weights(pages, snippets)


def _read(truth: Truth, pages: Sequence[Page], models: Sequence[ContentModel]) -> list[Read]:
    pairs = zip(truth.pages, pages, strict=True)
    return [_texts(own, page, models[own.fold]) for own, page in track(list(pairs), truth.corpus.name)]


def _texts(truth: PageTruth, page: Page, model: ContentModel) -> Read:
    blocks = text_blocks(page)
    if not len(blocks):
        return Read(truth, PAGE_KINDS[0], ("",) * len(WEIGHTS))
    measured = measure(blocks)
    likely, kinds = model.likely(measured), model.kinds.likely(page, measured)
    counts, found = measured.counts.words, []
    for weight in WEIGHTS:
        kept = _choose_blocks(likely, counts, weight)
        kept &= _first_occurrences(blocks.texts, counts, kept)
        found.append("\n".join(blocks.texts[row] for row in np.flatnonzero(kept).tolist()))
    return Read(truth, max(kinds, key=lambda kind: kinds[kind]), tuple(found))


def _print_kinds(pages: Sequence[Read]) -> None:
    right = sum(page.kind == page.truth.type for page in pages) / len(pages)
    print(f"kinds judged right: {right:.3f}; mistaken most: ", end="")
    wrong = Counter((page.truth.type, page.kind) for page in pages if page.kind != page.truth.type)
    print(", ".join(f"{true} for {kind} {count}" for (true, kind), count in wrong.most_common(5)))


def _print_weights(pages: Sequence[Read], snippets: Sequence[Read]) -> None:
    table = np.array([[word_f1(page.truth.text, text) for text in page.texts] for page in pages])
    folds, kinds = np.array([page.truth.fold for page in pages]), np.array([page.kind for page in pages])
    print("weight    " + " ".join(f"{weight:6.2f}" for weight in WEIGHTS))
    for kind in PAGE_KINDS:
        print(f"{kind[:10]:10}" + " ".join(f"{value:6.3f}" for value in table[kinds == kind].mean(axis=0)))
    print(f"{'all':10}" + " ".join(f"{value:6.3f}" for value in table.mean(axis=0)))
    told = [_snippets(snippets, [place] * len(snippets)) for place in range(len(WEIGHTS))]
    print(f"{'snippets':10}" + " ".join(f"{value:6.3f}" for value in told))
    for name, groups in GROUPS.items():
        best = [int(table[np.isin(kinds, group)].mean(axis=0).argmax()) for group in groups]
        place_of = {kind: place for group, place in zip(groups, best, strict=True) for kind in group}
        inside = np.array([table[row, place_of[kind]] for row, kind in enumerate(kinds.tolist())])
        known = _snippets(snippets, [place_of[page.kind] for page in snippets])
        print(f"{name}, in fold: {inside.mean():.4f}, snippets {known:.4f}, {[WEIGHTS[place] for place in best]}")
        outside, chosen = _out_of_fold(table, folds, kinds, groups)
        unknown = _snippets(snippets, [chosen[page.truth.fold, page.kind] for page in snippets])
        print(f"{name}, out of fold: {outside.mean():.4f}, snippets {unknown:.4f}")


def _out_of_fold(
    table: npt.NDArray[np.float64],
    folds: npt.NDArray[np.int64],
    kinds: npt.NDArray[np.str_],
    groups: Sequence[Sequence[str]],
) -> tuple[npt.NDArray[np.float64], dict[tuple[int, str], int]]:
    """The F1 of every page with the weight that is best on other domains, and these weights."""
    found = np.zeros(len(table))
    chosen: dict[tuple[int, str], int] = {}
    for fold in range(FOLDS):
        for group in groups:
            own = np.isin(kinds, group)
            place = int(table[(folds != fold) & own].mean(axis=0).argmax())
            rows = (folds == fold) & own
            found[rows] = table[rows, place]
            chosen |= {(fold, kind): place for kind in group}
    return found, chosen


def _snippets(pages: Sequence[Read], places: Sequence[int]) -> float:
    return summary([score(page.truth, page.texts[place]) for page, place in zip(pages, places, strict=True)]).snippet_f1


if __name__ == "__main__":
    main()
