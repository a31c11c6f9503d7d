// When the rows of a source were read, and whether others stand in for them, in words.
import { agedBy, when } from "../../state/when";

interface Aged {
  at: string;
  stands_in: boolean;
  missing: boolean;
  /** Why rows stand in or are missing. */
  reasons?: string[];
}

export interface AgeWords {
  words: string;
  /** In two words, for a chip; null if the rows are those that were asked for. */
  chip: string | null;
}

/** `moment` is when the run began, since its rows are as old as they were then. */
export function ageWords(
  { at, stands_in, missing, reasons }: Aged,
  moment: string,
  now?: Date,
): AgeWords | null {
  if (missing) return { words: reasons?.[0] ?? "could not be read", chip: "missing" };
  if (!at) return null;
  const age = agedBy(at, moment);
  if (stands_in)
    return { words: `rows of ${when(at, now)} stand in${age ? `, ${age} old` : ""}`, chip: "older rows" };
  return { words: `read ${when(at, now)}${age ? `, ${age} before the run` : ""}`, chip: null };
}

/** What the column beside rows that stand in says: when each was read, and how old it was. */
export function asOf(keptFrom: string, moment: string, now?: Date): string {
  const age = agedBy(keptFrom, moment);
  return `${when(keptFrom, now)}${age ? ` · ${age} old` : ""}`;
}
