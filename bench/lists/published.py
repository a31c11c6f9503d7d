"""The tables of the paper on top-k lists (Zhang, Wang, Wang and Zhu, ICDE 2013), on our pages.

I: precision and recall without and with optimisations; II: what each of the four is worth; III: where the time goes.
P and R are the paper's. With a star they count only pages whose items are all right, with nothing else.
"""

import statistics
from collections.abc import Mapping, Sequence

from rich.table import Table as Sheet

from bench.frame import shown
from bench.lists.pages import BASIC, DEFAULT, OPTIMISATIONS, PATHS
from bench.lists.speed import Split
from bench.lists.topk import Summary

PUBLISHED = 0.903, 0.709  # P and R of the full method, on the authors' pages
COLUMNS = {
    "P": "paper_precision",
    "R": "paper_recall",
    "P*": "strict_precision",
    "R*": "strict_recall",
    "item F1": "item_f1",
}


def table_1(results: Mapping[str, Summary]) -> Sheet:
    """Precision and recall: the published method alone, and with its optimisations and ours."""
    sheet = Sheet("", *COLUMNS, title="I: top-k lists, as published")
    sheet.add_row("Basic", *_row(results[BASIC]))
    sheet.add_row("Optimised (tag paths and the four optimisations)", *_row(results[PATHS]))
    sheet.add_row("Optimised (sightline)", *_row(results[DEFAULT]))
    sheet.add_row("Optimised, as published for other pages", *(f"{value:.3f}" for value in PUBLISHED), "–", "–", "–")
    return sheet


def table_2(results: Mapping[str, Summary]) -> Sheet:
    """The figures without each of the published optimisations."""
    sheet = Sheet("left out", *COLUMNS, title="II: each published optimisation left out alone")
    for way, name in ((PATHS, f"{PATHS} without "), (DEFAULT, "without ")):
        sheet.add_row(f"[bold]of {way}:[/] nothing", *_row(results[way]))
        for rule in OPTIMISATIONS:
            sheet.add_row(rule, *_row(results[name + rule]), end_section=rule == OPTIMISATIONS[-1])
    return sheet


def table_3(rendered: Sequence[Split], static: Sequence[Split]) -> Sheet:
    """The time of a page, medians over pages, and the median share of the whole."""
    sheet = Sheet("", "rendered, ms", "share", "static, ms", "share", title="III: where the time goes")
    rows = {
        "I/O: load and capture, or the file": "input",
        "parsing (of a capture: in I/O)": "parsing",
        "algorithm (Basic)": "algorithm",
        "optimisation (the rest)": "optimisation",
        "all": "total",
    }
    for title, part in rows.items():
        sheet.add_row(title, *(text for splits in (rendered, static) for text in _time(splits, part)))
    return sheet


def _row(result: Summary) -> list[str]:
    return [shown(getattr(result, name)) for name in COLUMNS.values()]


def _time(splits: Sequence[Split], part: str) -> tuple[str, str]:
    pairs = [(getattr(split, part), split.total) for split in splits]
    if any(value is None for value, _ in pairs):
        return "–", "–"
    value = statistics.median(value for value, _ in pairs)
    share = statistics.median(value / total for value, total in pairs)
    return f"{1000 * value:.2f}", f"{share:.1%}"
