"""Text that continues in the next column, as in a newspaper.

For a text directly in a multi-column box the browser's snapshot gives every line the left edge of the first column.
Such a text gives itself away: one of its lines is higher than the line before. Its lines are then requested again from
the page, where they are correct.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sightline.arrays import IntArray
from sightline.geometry import Box
from sightline.sources.browser._snapshot import Snapshot

__all__ = ["LINES", "crossing", "with_lines"]

# The lines of text nodes, each found by its path; nothing for one that has gone.
LINES = """(paths => paths.map(path => {
const node = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue;
if (!node) return [];
const range = document.createRange(); range.selectNodeContents(node);
const x = scrollX, y = scrollY;
return Array.from(range.getClientRects(), r => [r.left + x, r.top + y, r.right + x, r.bottom + y])
  .filter(([left, , right]) => right > left) }))(%s)"""


def crossing(snapshot: Snapshot) -> IntArray:
    """The text nodes with a line that is higher than the line before it."""
    lines = snapshot.fragments
    order = np.lexsort((lines.start, lines.node))
    node, top, bottom = lines.node[order], lines.box[order, 1], lines.box[order, 3]
    higher = (node[1:] == node[:-1]) & ((top[1:] + bottom[1:]) / 2 < top[:-1])
    return np.unique(node[1:][higher]).astype(np.int32)


def with_lines(snapshot: Snapshot, nodes: IntArray, lines: Sequence[Sequence[Box]]) -> Snapshot:
    """The snapshot with the lines of these nodes put right; a node whose lines do not agree stays as it is."""
    old = snapshot.fragments
    boxes, around = old.box.copy(), snapshot.box.copy()
    for node, found in zip(nodes.tolist(), lines, strict=True):
        rows = np.flatnonzero((old.node == node) & (old.box[:, 2] > old.box[:, 0]))
        rows = rows[np.argsort(old.start[rows], kind="stable")]
        if len(rows) != len(found):
            continue
        boxes[rows] = np.array(found, dtype=np.float32)
        around[node] = np.concatenate([boxes[rows, :2].min(axis=0), boxes[rows, 2:].max(axis=0)])
    return replace(snapshot, box=around, fragments=replace(old, box=boxes))
