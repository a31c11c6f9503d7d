// What is drawn over a page's picture, and which of it is under the pointer.
import type { Box } from "../api/types";

export type MarkLook =
  | "candidate" // could be chosen
  | "chosen"
  | "record" // a frame around the values of one record
  | "part" // a record or block of what is chosen
  | "cell"
  | "lit" // pointed at, on either side
  | "example"
  | "rejected"
  | "preview" // what a click would give
  | "question"
  | "issue"
  | "found"; // by a search

export interface Mark {
  id: string;
  box: Box;
  look: MarkLook;
  colour: string;
  label?: string;
}

export const area = (box: Box): number => (box[2] - box[0]) * (box[3] - box[1]);

export const holds = (box: Box, x: number, y: number): boolean =>
  x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];

/** The smallest mark at a point: people point at what is innermost. */
export function markAt<M extends { box: Box }>(marks: readonly M[], x: number, y: number): M | null {
  let best: M | null = null;
  for (const mark of marks)
    if (holds(mark.box, x, y) && (!best || area(mark.box) < area(best.box))) best = mark;
  return best;
}

/** The marks that reach into a range of heights. */
export const within = (marks: readonly Mark[], top: number, bottom: number): Mark[] =>
  marks.filter((mark) => mark.box[3] >= top && mark.box[1] <= bottom);

export function around(boxes: readonly (Box | null)[]): Box | null {
  let all: Box | null = null;
  for (const box of boxes) {
    if (!box) continue;
    all = all
      ? [
          Math.min(all[0], box[0]),
          Math.min(all[1], box[1]),
          Math.max(all[2], box[2]),
          Math.max(all[3], box[3]),
        ]
      : [...box];
  }
  return all;
}
