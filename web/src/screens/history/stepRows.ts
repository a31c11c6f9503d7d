// The rows of a step of a run, window by window; what a flow notes beside rows comes before their columns.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { api, path } from "../../api/client";
import type { FlowRunState, StepOfRun } from "../../api/history";
import type { Rows } from "../../api/types";
import { useRowStore } from "../../grid/rows";
import { asOf } from "./ages";

const FIRST_ROWS = 200;
export const HAS_ROWS = new Set<StepOfRun["state"]>(["done", "held"]);

function loadRows(flow: string, run: string, step: string, held: boolean) {
  const address = path`/flows/${flow}/runs/${run}/steps/${step}/rows`;
  return (offset: number, limit: number) =>
    api<Rows>(`${address}?offset=${offset}&limit=${limit}${held ? "&held=true" : ""}`);
}

export const rowsQuery = (flow: string, run: string, step: string, held: boolean) => ({
  queryKey: ["flow rows", flow, run, step, held],
  queryFn: () => loadRows(flow, run, step, held)(0, FIRST_ROWS),
  retry: false,
});

export function useRows(run: FlowRunState, step: StepOfRun | undefined, held: boolean) {
  const noted = useCallback((rows: Rows) => withNotes(rows, run.began), [run.began]);
  const first = useQuery({
    ...rowsQuery(run.flow, run.id, step?.name ?? "", held),
    enabled: step !== undefined && HAS_ROWS.has(step.state),
    placeholderData: keepPreviousData,
    select: noted,
  });
  const load = loadRows(run.flow, run.id, step?.name ?? "", held);
  const more = (offset: number, limit: number) => load(offset, limit).then(noted);
  return { ...useRowStore(first.data, more), error: first.error };
}

/** Rows in quarantine begin with why they are there, and rows that stand in for newer ones with when they were read. */
export function withNotes(rows: Rows, began: string): Rows {
  const why = rows.columns.find((column) => column.name === "_held_because");
  const kept = rows.columns.find((column) => column.name === "_kept_from");
  const others = rows.columns.filter((column) => column !== why && column !== kept);
  const dated = (texts: (string | null)[]) => texts.map((text) => text && asOf(text, began));
  return {
    ...rows,
    columns: [
      ...(why ? [{ ...why, name: "held back because" }] : []),
      ...(kept ? [{ ...kept, name: "as of", texts: dated(kept.texts), values: dated(kept.values) }] : []),
      ...others,
    ],
  };
}

/** The place of a column in the grid of a source, before which its rows say how old they are if they stand in. */
export function placeOf(step: StepOfRun, column: string): number {
  const at = step.columns.findIndex((one) => one.name === column);
  return at < 0 ? 0 : at + (step.stands_in ? 1 : 0);
}
