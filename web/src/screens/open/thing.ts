// What the card of a thing says in words, and where its fields are on the page.
import type { Box, Thing, ThingField } from "../../api/types";
import { area, holds, type Mark } from "../../canvas/marks";
import type { CanvasPoint } from "../../canvas/PageCanvas";
import { seriesColour } from "../../design/colours";

const DOUBTFUL = "var(--suspicious)";

/** `a product`, `an article`. */
export const oneOf = (kind: string): string => `${/^[aeio]/.test(kind) ? "an" : "a"} ${kind}`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const isDoubtful = (field: ThingField): boolean => field.doubts.length > 0;

/** The colour of a field, on the page and on the card. */
export const fieldColour = (field: ThingField, place: number): string =>
  isDoubtful(field) ? DOUBTFUL : seriesColour(place);

/** Where a field is seen: its values, and what speaks against them. */
export function boxesOf(field: ThingField): Box[] {
  const found = [...field.values.map((value) => value.box), ...field.doubts.map((doubt) => doubt.box)];
  return found.filter((box): box is Box => box !== null);
}

/** The fields over the page; the one that is pointed at or pinned has its name. */
export function thingMarks(thing: Thing, lit: string | null): Mark[] {
  return thing.fields.flatMap((field, place) =>
    boxesOf(field).map((box, number): Mark => {
      const isLit = field.name === lit;
      return {
        id: `field ${field.name} ${number}`,
        box,
        look: isLit ? "lit" : isDoubtful(field) ? "issue" : "cell",
        colour: fieldColour(field, place),
        ...(isLit && number === 0 ? { label: field.name } : {}),
      };
    }),
  );
}

/** The innermost field at a point; none if a candidate there is smaller, such as a list within an article. */
export function fieldAt(thing: Thing, point: CanvasPoint, candidate?: Box | null): string | null {
  let best: string | null = null;
  let size = candidate ? area(candidate) : Number.POSITIVE_INFINITY;
  for (const field of thing.fields)
    for (const box of boxesOf(field))
      if (holds(box, point.x, point.y) && area(box) < size) {
        best = field.name;
        size = area(box);
      }
  return best;
}

/** What a doubt says: both values, and what to do where there is only one. */
export function doubtWords(field: ThingField): string[] {
  return field.doubts.map(({ said, seen, reason }) =>
    said && seen ? `says ${said}, shows ${seen}` : reason,
  );
}
