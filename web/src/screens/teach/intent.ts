import type { LessonField } from "../../api/types";

/** A click wants what is not taken, and rejects what is; what was given as an example stays one. */
export function intentOf(field: LessonField | null, node: number): "want" | "reject" | "keep" {
  if (!field) return "want";
  if (field.examples.some((example) => example.wanted && example.node === node)) return "keep";
  return field.matches.some((match) => match.node === node) ? "reject" : "want";
}
