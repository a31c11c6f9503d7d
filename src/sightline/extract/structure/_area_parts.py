"""Step 7h: where tables begin and end inside an area: in its rows there may be several, with text between them.

A few joints, where rows are farther apart than usual or where a line stands alone, part the rows into stretches. Every
run of such stretches may be a table. The trees judge each, and of all ways to part the area the one is taken whose
tables are likeliest, weighed by what they hold.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise
from statistics import median

from sightline.extract.structure._cells import TableArea, table_in_area
from sightline.extract.structure._layout import Edges, PrintedWords, SheetLines
from sightline.extract.structure._printed_line import LineRow
from sightline.extract.structure._table_measures import LEAST_LIKELY, with_judgement

MOST_JOINTS = 4  # those that part the most; more would take long
LEAST_JOINT = 1.2  # of the usual step, from which on rows are parted
ALONE = 0.5  # what a line alone above or below other rows adds to that
LEAST_WORTH = 1e-6  # of a table that is only just likely enough
GAIN = 0.02  # what parts must be likelier than the whole


def parts_with_tables(words: PrintedWords, sheet: SheetLines, edges: Edges, area: TableArea) -> list[TableArea]:
    """The parts of an area that are tables; where none is, the area alone."""
    judged = {
        (start, stop): with_judgement(words, sheet, edges, table_in_area(words, part_of(area, start, stop), edges))
        for start, stop in stretches_of(area.rows)
    }
    worth = {bounds: _worth(part) for bounds, part in judged.items()}
    whole = 0, len(area.rows)
    best = best_of(worth)
    if worth[whole] > 0 and sum(worth[one] for one in best) < worth[whole] + GAIN * _pieces(area):
        best = [whole]
    return [judged[one] for one in best] or [judged[whole]]


def part_of(area: TableArea, start: int, stop: int) -> TableArea:
    """Some rows of an area as one, up to the rows above and below them."""
    if (start, stop) == (0, len(area.rows)):
        return area
    x0, y0, x1, y1 = area.box
    top = y0 if start == 0 else area.rows[start - 1].bottom
    bottom = y1 if stop == len(area.rows) else area.rows[stop].top
    return TableArea(area.kind, (x0, top, x1, bottom), area.rows[start:stop])


def stretches_of(rows: Sequence[LineRow]) -> list[tuple[int, int]]:
    """All rows, and every run of rows from one joint to another, as first row and the one after the last."""
    bounds = [0, *joints_of(rows), len(rows)]
    return list(combinations(bounds, 2))


def joints_of(rows: Sequence[LineRow]) -> list[int]:
    """The rows before which a table may begin or end, from top to bottom."""
    steps = [below.middle - above.middle for above, below in pairwise(rows)]
    usual = median(steps) if steps else 0.0
    strength = {
        place: step / usual + ALONE * ((len(rows[place].lines) > 1) != (len(rows[place - 1].lines) > 1))
        for place, step in enumerate(steps, start=1)
        if usual > 0
    }
    strong = [place for place, value in strength.items() if value >= LEAST_JOINT]
    return sorted(sorted(strong, key=lambda place: -strength[place])[:MOST_JOINTS])


def best_of(worth: dict[tuple[int, int], float]) -> list[tuple[int, int]]:
    """The stretches, none over another, that are worth the most together; those that are worth nothing are left out.

    >>> best_of({(0, 3): 1.0, (0, 9): 2.0, (3, 9): 1.5})
    [(0, 3), (3, 9)]
    """
    best: dict[int, tuple[float, list[tuple[int, int]]]] = {0: (0.0, [])}
    for stop in sorted({stop for _, stop in worth}):
        ways = [best[start] for start in best if start < stop]
        ways += [
            (best[start][0] + value, [*best[start][1], (start, end)])
            for (start, end), value in worth.items()
            if end == stop and value > 0 and start in best
        ]
        best[stop] = max(ways, key=lambda way: way[0])
    return max(best.values(), key=lambda way: way[0])[1]


def _worth(part: TableArea) -> float:
    """What a table is worth: its pieces, by how far it is likelier than it must be."""
    if part.table is None or part.likely is None:
        return 0.0
    return _pieces(part) * (part.likely - LEAST_LIKELY) + LEAST_WORTH


def _pieces(area: TableArea) -> int:
    return sum(len(row.lines) for row in area.rows)
