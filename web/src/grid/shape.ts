// How columns are shown: their widths by what is in them, and which of them are numbers.
import type { ColumnInfo } from "../api/types";
import type { RowStore } from "./rows";

const LETTER = 7.2; // pixels of an average letter at 13 px
const PADDING = 22;
const NARROWEST = 76;
const WIDEST = 280;
const SAMPLED = 60;
const LONGEST_HEADING = 18; // letters that a heading may ask for; its values ask for what they need

const NUMERIC = new Set(["number", "money", "measure"]);

export const isNumeric = (column: ColumnInfo): boolean => NUMERIC.has(column.type.kind);

export function columnWidths(rows: RowStore): number[] {
  const sampled = Math.min(rows.total, SAMPLED);
  return rows.columns.map((column, place) => {
    let longest = Math.min(column.name.length + 6 + column.type.words.length * 0.8, LONGEST_HEADING);
    for (let row = 0; row < sampled; row += 1)
      longest = Math.max(longest, rows.cell(row, place)?.text?.length ?? 0);
    return Math.round(Math.min(WIDEST, Math.max(NARROWEST, longest * LETTER + PADDING)));
  });
}

export const TYPE_CHOICES: readonly { kind: string; label: string }[] = [
  { kind: "auto", label: "As found" },
  { kind: "text", label: "Text" },
  { kind: "number", label: "Number" },
  { kind: "money", label: "Money" },
  { kind: "measure", label: "Measure" },
  { kind: "date", label: "Date" },
  { kind: "time", label: "Time" },
  { kind: "url", label: "Address" },
  { kind: "email", label: "E-mail address" },
];
