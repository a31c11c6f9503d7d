// Which cell is at a point of the page.
import type { Rows } from "../../api/types";
import { area, holds } from "../../canvas/marks";
import type { CanvasPoint } from "../../canvas/PageCanvas";

export function cellAt(rows: Rows, point: CanvasPoint): { row: number; column: number } | null {
  let best: { row: number; column: number; size: number } | null = null;
  rows.columns.forEach((column, place) => {
    column.boxes.forEach((box, row) => {
      if (!box || !holds(box, point.x, point.y)) return;
      const size = area(box);
      if (!best || size < best.size) best = { row: row + rows.offset, column: place, size };
    });
  });
  return best;
}
