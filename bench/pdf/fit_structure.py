"""Choose the thresholds of the structure of PDFs by folds over documents: `python -m bench.pdf.fit_structure`.

Every threshold in `CHOICES` is tried with each of its values, the others as they are. A fold takes for each of them the
value that is best on the documents outside the fold (of equals the one that is in force), and reads its own documents
with what it took. The figure of a value is the mean over the sets: ICDAR EU, the printed tables, the reports, and
docbank, of which the share of words labelled right is taken. Documents that share a real table are in one fold.
"""

import importlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import sightline as sl
from bench.constants import Constant
from bench.frame import Options, folder_of, program
from bench.pdf.icdar import read_documents, score
from bench.pdf.labels import compare, read_words
from bench.pdf.ours import labelled, tables_of
from bench.pdf.printed import BARE, Printed, print_sheets, scores
from bench.pdf.reports import Report, reports
from bench.pdf.reports import scores as report_scores
from sightline.extract.structure import structured
from sightline.page import Page
from sightline.sources.pdf import PdfLimits, PdfSettings, read_pdf

FOLDS = 5


PACKAGE = "sightline.extract.structure"
CHOICES: Mapping[str, Sequence[float]] = {
    "_white_runs.GAP": (0.4, 0.45, 0.55),
    "_white_runs.WIDER": (1.3, 1.5, 1.8),
    "_white_runs.LEAST": (0.3, 0.4),
    "_white_runs.ROWS": (3, 4),
    "_white_runs.MOST_COLUMN_HEADINGS": (4, 6),
    "_placed_lines.CENTRED": (0.4, 0.8, 1.2),
    "_placed_lines.FEWEST_GROUPS": (1, 2),
    "_white_runs.NAMING": (0.34, 0.5, 0.75),
    "_white_runs.BREAK": (1.4, 1.8, 2.2),
    "_white_runs.GROUPS": (2.6, 3.2, 3.8),
}
CONSTANTS = {
    name: Constant(importlib.import_module(f"{PACKAGE}.{module}"), constant, tuple(values))
    for name, values in CHOICES.items()
    for module, _, constant in [name.partition(".")]
}
# Styles of the printed tables that are left out, as nearly all of their tables are right whatever is chosen; and of
# the pages of docbank every third is read.
RIGHT = ("book", "grid", "rows", "zebra", "levels, book", "levels, grid", "levels, lines", BARE)
DOCBANK_STEP = 3

Values = Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Held:
    """A document of a set, its fold, the bare page of it, and how it is scored (by sheet, by name)."""

    group: str
    name: str
    fold: int
    page: Page
    judge: Any


def main() -> None:
    """Try all values, choose in folds, and print what comes of it."""
    parser = program(__doc__)
    parser.add_argument("--json", type=Path, default=None, help="where the scores of all values go")
    arguments = parser.parse_args()
    held = list(_documents(Options(data=arguments.data)))
    base = _scored(held, {})
    print("in force", _told(base))
    tried = {}
    for name, value in ((name, value) for name, values in CHOICES.items() for value in values):
        is_in_force = value == CONSTANTS[name].used
        tried[name, value] = found = base if is_in_force else _scored(held, {name: value})
        print(f"{name} = {value}", _told(found), "(in force)" if is_in_force else "", flush=True)
    chosen = {fold: _choice(tried, fold) for fold in (None, *range(FOLDS))}
    print("chosen on all documents", chosen[None])
    print("in fold", _told(_scored(held, chosen[None] or {})))
    outside: dict[tuple[str, str, int], float] = {}
    for fold in range(FOLDS):
        print("fold", fold, chosen[fold])
        outside |= _scored([one for one in held if _has(one, fold)], chosen[fold], fold)
    print("out of fold", _told(outside))
    if arguments.json is not None:
        rows = {f"{name}={value}": _means(found) for (name, value), found in tried.items()}
        arguments.json.write_text(json.dumps(rows, indent=1), "utf-8")


# ---------------------------------------------------------------------- documents


def _documents(options: Options) -> Iterator[Held]:
    folder = folder_of("pdf", options)
    for number, document in enumerate(read_documents(folder / "icdar2013")):
        yield Held("icdar", document.name, number % FOLDS, _bare(document.path), partial(_of_icdar, document))
    truth = folder_of("tables", options) / "truth.jsonl"
    for printed in print_sheets(truth, None):
        if printed.style not in RIGHT:
            yield Held("printed", printed.style, -1, _bare(printed.path), partial(_of_printed, printed))
    for report in reports(truth):
        yield Held("reports", report.name, report.partition, _bare(report.path), partial(_of_report, report))
    for number, path in enumerate(sorted((folder / "docbank").glob("*.pdf"))[::DOCBANK_STEP]):
        words = read_words(path.with_suffix(".txt"))
        yield Held("docbank", path.stem, number % FOLDS, _bare(path), partial(_of_words, words))


def _bare(path: Path) -> Page:
    return read_pdf(path.name, path.read_bytes(), settings=PdfSettings(), limits=PdfLimits())


def _of_icdar(document: Any, page: Page) -> Iterator[tuple[int, float]]:
    yield 0, score(document, tables_of(page, sl.tables(page))).structure.f1


def _of_printed(document: Printed, page: Page) -> Iterator[tuple[int, float]]:
    """The sheets of all styles have the same tables, so that they are told into folds by their numbers."""
    for number, one in enumerate(scores(document, tables_of(page, sl.tables(page)))):
        yield number, one.structure.f1


def _of_report(report: Report, page: Page) -> Iterator[tuple[int, float]]:
    for one in report_scores(report, tables_of(page, sl.tables(page))):
        yield one.sheet, one.count.f1


def _of_words(words: Any, page: Page) -> Iterator[tuple[int, float]]:
    yield 0, compare(words, labelled(page)).right


def _has(one: Held, fold: int) -> bool:
    return one.fold in (fold, -1)


# ---------------------------------------------------------------------- values


@contextmanager
def _with(values: Values) -> Iterator[None]:
    with ExitStack() as stack:
        for name, value in values.items():
            stack.enter_context(CONSTANTS[name].set(value))
        yield


def _scored(held: Iterable[Held], values: Values, fold: int | None = None) -> dict[tuple[str, str, int], float]:
    """The score of every sheet by set, document and sheet; of one fold alone where it is given."""
    found = {}
    with _with(values):
        for one in held:
            for sheet, value in one.judge(structured(one.page)):
                if fold is None or _fold_of(one.group, one.fold, sheet) == fold:
                    found[one.group, f"{one.fold}:{one.name}", sheet] = value
    return found


def _fold_of(group: str, fold: int, sheet: int) -> int:
    return sheet % FOLDS if group == "printed" else fold


def _choice(tried: Mapping[tuple[str, float], dict[tuple[str, str, int], float]], fold: int | None) -> dict[str, float]:
    """For each threshold the best value outside a fold."""
    chosen = {}
    for name, values in CHOICES.items():
        figures = {value: _figure(tried[name, value], fold) for value in values}
        best = max(values, key=lambda value: (round(figures[value], 5), value == CONSTANTS[name].used))
        if best != CONSTANTS[name].used:
            chosen[name] = best
    return chosen


def _figure(found: Mapping[tuple[str, str, int], float], fold: int | None) -> float:
    kept = {
        key: value
        for key, value in found.items()
        if fold is None or _fold_of(key[0], int(key[1].partition(":")[0]), key[2]) != fold
    }
    return fmean(_means(kept).values())


def _means(found: Mapping[tuple[str, str, int], float]) -> dict[str, float]:
    groups = dict.fromkeys(group for group, _, _ in found)
    return {group: fmean(value for key, value in found.items() if key[0] == group) for group in groups}


def _told(found: Mapping[tuple[str, str, int], float]) -> str:
    means = _means(found)
    return " ".join(f"{group} {value:.4f}" for group, value in means.items()) + f" | mean {fmean(means.values()):.4f}"


if __name__ == "__main__":
    main()
