import type { LessonField } from "../../api/types";

/** A click wants what is not taken, and rejects what is. */
export function intentOf(field: LessonField | null, node: number): "want" | "reject" {
  if (!field) return "want";
  const isExample = field.examples.some((example) => example.wanted && example.node === node);
  const isTaken = field.matches.some((match) => match.node === node);
  return isTaken && !isExample ? "reject" : "want";
}
