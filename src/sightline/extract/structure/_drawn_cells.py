"""Step 7e: the cells that drawn lines enclose: places of the grid with nothing between them are one cell."""

from typing import TypeAlias

import numpy as np

from sightline.extract.structure._borders import PrintedGrid

__all__ = ["DrawnCell", "drawn_cells"]

DrawnCell: TypeAlias = tuple[int, int, int, int]
"""First and last band, first and last column."""

Place: TypeAlias = tuple[int, int]


def drawn_cells(grid: PrintedGrid) -> dict[Place, DrawnCell]:
    """For each band and column the cell around it."""
    root = {(band, column): (band, column) for band in range(grid.bands) for column in range(grid.columns)}

    def find(place: Place) -> Place:
        while root[place] != place:
            place = root[place]
        return place

    for band, column in np.argwhere(~grid.upright).tolist():
        root[find((band, column + 1))] = find((band, column))
    for band, column in np.argwhere(~grid.level).tolist():
        root[find((band + 1, column))] = find((band, column))
    groups: dict[Place, list[Place]] = {}
    for place in root:
        groups.setdefault(find(place), []).append(place)
    return {place: cell for group in groups.values() for cell in [_hull(group)] for place in group}


def _hull(places: list[Place]) -> DrawnCell:
    if len(places) == 1:  # as most are
        ((band, column),) = places
        return band, band, column, column
    bands, columns = zip(*places, strict=True)
    return min(bands), max(bands), min(columns), max(columns)
