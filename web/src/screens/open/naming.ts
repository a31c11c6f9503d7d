// What candidates are called, and their colours, on the page and in the list.
import type { ResultInfo } from "../../api/types";

const QUIET = "var(--data-quiet)";

export const NAMES = { table: "Table", list: "List", top: "Top list", content: "Text" } as const;

/** What a candidate is called on the page and in the list. */
export function candidateName(info: ResultInfo): string {
  if (info.caption) return info.caption;
  if (info.navigation) return "Menu";
  return info.kind === "content"
    ? "The main text"
    : `${NAMES[info.kind]} of ${info.rows} ${info.rows === 1 ? "row" : "rows"}`;
}

export function kindColour(info: ResultInfo): string {
  if (info.navigation) return QUIET;
  return { table: "var(--data-1)", list: "var(--data-3)", top: "var(--data-2)", content: "var(--data-4)" }[
    info.kind
  ];
}
