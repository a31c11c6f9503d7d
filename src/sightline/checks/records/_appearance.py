"""Values that look unlike the others of their field: an offer among prices, an advertisement among names.

The look comprises all published properties of the element around a value. This is only a notice: reduced prices are
red, and correct.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np

from sightline.checks._report import Issue
from sightline.checks.records._run import FieldColumn, FieldValue, RecordRun, shown
from sightline.signals import joined_features, style_features

__all__ = ["check_appearance"]

LEAST_VALUES = 8  # among fewer, no look is usual
USUAL = 0.8  # of the values must share one look, or looks mean nothing here
MOST_ODD = 0.1  # of the values; anything more frequent is another kind of value, not an outlier
MOST_WHY = 2


def check_appearance(run: RecordRun) -> Iterator[Issue]:
    """Report fields a few of whose values look different."""
    for column in run.columns.values():
        yield from _odd(run, column)


def _odd(run: RecordRun, column: FieldColumn) -> Iterator[Issue]:
    found = [(cell, places.page, node) for cell, places, node in run.standing(column.cells) if places.page.style_names]
    if len(found) < LEAST_VALUES:
        return
    by_page: dict[int, list[tuple[FieldValue, int]]] = defaultdict(list)
    pages = {id(page): page for _, page, _ in found}
    for cell, page, node in found:
        by_page[id(page)].append((cell, node))
    cells = [cell for values in by_page.values() for cell, _ in values]
    parts = [style_features(pages[page], [node for _, node in values]) for page, values in by_page.items()]
    matrix, names = joined_features(parts), parts[0].names
    looks = Counter(map(bytes, matrix))
    usual, times = looks.most_common(1)[0]
    odd = [place for place, row in enumerate(matrix) if bytes(row) != usual]
    if times < USUAL * len(cells) or not odd or len(odd) > MOST_ODD * len(cells):
        return
    first = odd[0]
    typical = np.frombuffer(usual)
    why = [
        f"{names[place]} {matrix[first, place]:.4g}, usually {typical[place]:.4g}"
        for place in _different(matrix[first], typical)
    ]
    reason = (
        f"{len(odd)} of {len(cells)} values look different, such as {shown(cells[first].value.text)}: {'; '.join(why)}."
    )
    evidence = tuple(cells[place].value.origin for place in odd if cells[place].value.origin)
    yield Issue("looks", "notice", reason, field=column.name, evidence=tuple(origin for origin in evidence if origin))


def _different(row: np.ndarray, usual: np.ndarray) -> list[int]:
    """The properties in which two looks differ, largest difference first."""
    away = np.abs(row - usual) / np.maximum(np.maximum(np.abs(row), np.abs(usual)), 1)
    return [place for place in np.argsort(-away, kind="stable").tolist() if away[place] > 0][:MOST_WHY]
