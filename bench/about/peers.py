"""What others read on the same whole pages, scored as we are: libraries in this run, and systems by what the truth has.

Libraries are told which kind a page is of, and are asked for the kinds alone that they read. Of other systems the set
has prices, codes and availability on its pages of products.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.table import Column, Table

from bench.about.scores import FieldScore, PageFields, field_scores
from bench.frame import shown
from bench.peers import answered

ENVIRONMENT = "peers-about"
SCRIPT = Path(__file__).with_name("readers.py")
LIBRARIES = ("extruct", "trafilatura", "recipe-scrapers")
PUBLISHED = "{} as published"  # what the set has of a system

Scores = Mapping[tuple[str, str], FieldScore]


def libraries(folder: Path, pages: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """What each library that is installed reads on the pages."""
    question = [{"path": str(folder / page["file"]), "url": page["url"], "kind": page["kind"]} for page in pages]
    answers: Mapping[str, Any] = answered(ENVIRONMENT, SCRIPT, question)
    return answers


def scores_of(ours: Sequence[PageFields], answers: Mapping[str, Any]) -> dict[str, Scores]:
    """The scores of each library, of the kinds that it reads."""
    return {
        name: field_scores(
            PageFields(page.kind, page.truth, page.kind, found)
            for page, found in zip(ours, answer["fields"], strict=True)
            if page.kind in answer["kinds"]
        )
        for name, answer in answers.items()
    }


def published(ours: Sequence[PageFields], pages: Sequence[Mapping[str, Any]]) -> dict[str, Scores]:
    """The scores of the systems whose answers the set has, on the fields that it has of them."""
    found: dict[str, list[PageFields]] = {}
    for own, page in zip(ours, pages, strict=True):
        for name, fields in page.get("others", {}).items():
            truth = {field: values for field, values in own.truth.items() if field in fields}
            found.setdefault(PUBLISHED.format(name), []).append(PageFields(own.kind, truth, own.kind, fields))
    return {name: field_scores(several) for name, several in found.items()}


def best_of(scores: Mapping[str, Scores], key: tuple[str, str]) -> float | None:
    """The best F1 that a library has of a field."""
    return max((own[key].f1 for own in scores.values() if key in own), default=None)


def side_by_side(ours: Scores, others: Mapping[str, Scores], keys: Sequence[tuple[str, str]]) -> Table:
    """A row for each field, a column for everybody."""
    first = Column("F1, whole pages", no_wrap=True)
    sheet = Table(first, "ours", *others, title="the same pages, by the same scorer")
    for key in keys:
        if key in ours:
            cells = (own[key].f1 if key in own else None for own in (ours, *others.values()))
            sheet.add_row(f"{key[0]}: {key[1]}", *map(shown, cells))
    return sheet


def details_of(others: Mapping[str, Scores]) -> dict[str, float]:
    """Every figure of the others."""
    return {
        f"{name}: {kind}: {field}": score.f1
        for name, scores in others.items()
        for (kind, field), score in scores.items()
    }


def remarks_of(answers: Mapping[str, Any]) -> Iterator[str]:
    """The versions of the libraries and the time that they take, and which are missing."""
    for name, one in answers.items():
        asked = [seconds for seconds in one["seconds"] if seconds]
        failed = sum(map(bool, one["errors"]))
        taken = 1000 * fmean(asked) if asked else 0.0
        yield f"{name} {one['version']}: {taken:.1f} ms of processor time a page with parsing; it raised on {failed}."
    if missing := [name for name in LIBRARIES if name not in answers]:
        yield f"Not installed: {', '.join(missing)}; see docs/benchmarks.md."
