import type { Box, LessonField } from "../../api/types";
import { area } from "../../canvas/marks";

export interface Target {
  node: number;
  box: Box;
}

const MUCH_LARGER = 2.5; // times: a match this much larger than what is pointed at is around it, not the same

/** Whether a match is what is pointed at: the same node, or one that shows the same, as an element and its text do. */
function isSame(match: { node: number | null; box: Box | null }, target: Target): boolean {
  if (match.node === target.node) return true;
  if (!match.box) return false;
  const [x0, y0, x1, y1] = match.box;
  const x = (target.box[0] + target.box[2]) / 2;
  const y = (target.box[1] + target.box[3]) / 2;
  const isOver = x >= x0 && x <= x1 && y >= y0 && y <= y1;
  return (
    isOver &&
    area(match.box) <= MUCH_LARGER * area(target.box) &&
    area(target.box) <= MUCH_LARGER * area(match.box)
  );
}

/** A click wants what is not taken, and rejects what is; what was given as an example stays one. */
export function intentOf(
  field: LessonField | null,
  target: Target,
  page: string,
): "want" | "reject" | "keep" {
  if (!field) return "want";
  const examples = field.examples.filter((example) => example.wanted && example.page === page);
  if (examples.some((example) => isSame(example, target))) return "keep";
  return field.matches.some((match) => isSame(match, target)) ? "reject" : "want";
}
