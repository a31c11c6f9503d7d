// The thing that a page is about while its card is shown, and which of its fields is pointed at or pinned.
import { useMemo, useState } from "react";
import { useThing } from "../../api/queries";
import type { Box, PageInfo } from "../../api/types";
import type { CanvasPoint } from "../../canvas/PageCanvas";
import { useQueryParam } from "../../state/useQueryParam";
import { boxesOf, capital, fieldAt, oneOf, thingMarks } from "./thing";

export function useThingCard(page: PageInfo, isShown: boolean) {
  const [wanted, setWanted] = useQueryParam("as");
  const [pinned, setPinned] = useQueryParam("field");
  const [pointed, setPointed] = useState<{ field: string; from: "card" | "page" } | null>(null);
  const { data, error } = useThing(page.id, wanted);
  const thing = isShown && data?.kind ? data : null;
  const lit = pointed?.field ?? null;
  const marks = useMemo(() => (thing ? thingMarks(thing, lit ?? pinned) : []), [thing, lit, pinned]);
  const shown = thing?.fields.find(
    ({ name }) => name === (pointed?.from === "card" ? pointed.field : pinned),
  );
  return {
    marks,
    focus: (shown && boxesOf(shown)[0]) ?? null,
    words: thing?.kind ? capital(oneOf(thing.kind)) : null,
    /** Light the field at a point, unless something `within` it is meant; whether there is one. */
    point: (at: CanvasPoint | null, within?: Box | null): boolean => {
      const field = thing && at ? fieldAt(thing, at, within) : null;
      setPointed(field === null ? null : { field, from: "page" });
      return field !== null;
    },
    pin: (at: CanvasPoint, within?: Box | null): boolean => {
      const field = thing ? fieldAt(thing, at, within) : null;
      if (field !== null) setPinned(field);
      return field !== null;
    },
    card: {
      thing: data,
      problem: error,
      wanted,
      onWanted: setWanted,
      lit,
      onLit: (field: string | null) => setPointed(field === null ? null : { field, from: "card" }),
      pinned,
      onPin: setPinned,
    },
  };
}
