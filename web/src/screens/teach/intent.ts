import type { Box, LessonField } from "../../api/types";
import { holds } from "../../canvas/marks";

export interface Target {
  node: number;
  box: Box;
  text: string;
}

const plain = (text: string) => text.replace(/\s+/g, " ").trim();

/** Whether a match is what is pointed at: the same node, or one there that says the same, as an element and its text do. */
function isSame(match: { node: number | null; box: Box | null; text: string }, target: Target): boolean {
  if (match.node === target.node) return true;
  if (!match.box) return false;
  const x = (target.box[0] + target.box[2]) / 2;
  const y = (target.box[1] + target.box[3]) / 2;
  return holds(match.box, x, y) && plain(match.text) === plain(target.text);
}

/**
 * A click wants what is not taken, and rejects what is; what was given as an example stays one. Of the field that was
 * chosen, the only value on another page is confirmed.
 */
export function intentOf(
  field: LessonField | null,
  target: Target,
  page: string,
  isChosen = false,
): "want" | "reject" | "keep" {
  if (!field) return "want";
  const examples = field.examples.filter((example) => example.wanted && example.page === page);
  if (examples.some((example) => isSame(example, target))) return "keep";
  if (!field.matches.some((match) => isSame(match, target))) return "want";
  return isChosen && !examples.length && field.matches.length === 1 ? "want" : "reject";
}
