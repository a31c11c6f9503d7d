"""A region: records that repeat."""

from dataclasses import dataclass

from sightline.arrays import IntArray


@dataclass(frozen=True, eq=False)
class Region:
    """Records that repeat: each spans the nodes from `start` up to `stop`, within one element or several."""

    start: IntArray
    stop: IntArray
    parent: int
    how: str
    tag: str
    parents: tuple[int, ...] = ()
    level: IntArray | None = None

    def __len__(self) -> int:
        return len(self.start)


# Which regions lie in single records of others.

Enclosing = list[list[tuple[int, int]]]
"""For each region the others that hold it in one record, the outermost first: their number and the record's."""


def enclosing(regions: list[Region]) -> Enclosing:
    """The regions around each region.

    Regions are visited as they begin, the longer first, and those that have not ended yet are kept on a stack, so a
    page with thousands of regions takes no longer than it has to.
    """
    first, last = [int(region.start[0]) for region in regions], [int(region.stop[-1]) for region in regions]
    found: Enclosing = [[] for _ in regions]
    stack: list[int] = []
    for number in sorted(range(len(regions)), key=lambda number: (first[number], -last[number])):
        while stack and last[stack[-1]] <= first[number]:
            stack.pop()
        for outer in stack:
            region = regions[outer]
            place = int(region.start.searchsorted(first[number], side="right")) - 1
            if place >= 0 and last[number] <= region.stop[place]:
                found[number].append((outer, place))
        stack.append(number)
    return found
