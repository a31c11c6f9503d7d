// Runs of flows: what became of them, their rows, and how figures went from run to run.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, path } from "./client";
import type { Json, StepState } from "./flows";
import type { Verdict } from "./types";

export interface FlowRunInfo {
  id: string;
  began: string;
  ended: string;
  verdict: Verdict | null;
  seconds: number;
  rows: number;
  held: number;
  reasons: string[];
  running: boolean;
}

export interface StepOfRun extends Omit<StepState, "state"> {
  name: string;
  word: string;
  what: string;
  state: StepState["state"] | "skipped" | "waiting";
  inputs: string[];
  /** The columns by which the flow itself tells its rows apart. */
  key: string[];
  columns: { name: string; type: { kind: string; words: string } }[];
}

export interface FlowAlert {
  step: string;
  said: string[];
  to: string[];
  when: string;
  sent: boolean;
  failed: string[];
}

export interface FlowRunState extends FlowRunInfo {
  flow: string;
  variables: Record<string, string>;
  steps: StepOfRun[];
  text: string;
  alerts: FlowAlert[];
}

export interface ColumnProfile {
  name: string;
  type: string;
  filled: number;
  distinct: number | null;
  histogram: { edges: number[]; counts: number[] } | null;
  commonest: [string, number][];
}

export interface RowsProfile {
  rows: number;
  columns: ColumnProfile[];
}

export interface FlowSeries {
  runs: { id: string; began: string; verdict: Verdict | null }[];
  steps: Record<
    string,
    {
      word: string;
      key: string[];
      rows: (number | null)[];
      held: (number | null)[];
      fill: Record<string, (number | null)[]>;
    }
  >;
}

export interface ValueSeries {
  key: string[];
  runs: { id: string; began: string }[];
  lines: { key: Json[]; values: (number | null)[] }[];
}

export interface RowChanges {
  key: string[];
  new: number;
  gone: number;
  changed: number;
  same: number;
  unkeyed: number;
  new_rows: Record<string, Json>[];
  gone_rows: Record<string, Json>[];
  changed_rows: { key: Json[]; values: Record<string, [Json, Json]> }[];
}

export const useRunsOfFlow = (flow: string | null) =>
  useQuery({
    queryKey: ["flow runs", flow],
    queryFn: () => api<FlowRunInfo[]>(path`/flows/${flow!}/runs`),
    enabled: flow !== null,
  });

/** A run of a flow; `last` is the newest, and null if there is none. */
export function useRunOfFlow(flow: string, run: string) {
  const runs = useRunsOfFlow(flow);
  const id = run === "last" ? (runs.data?.[0]?.id ?? null) : run;
  return useQuery({
    queryKey: ["flow runs", flow, id],
    queryFn: () => api<FlowRunState>(path`/flows/${flow}/runs/${id!}`),
    enabled: id !== null,
    placeholderData: keepPreviousData,
  });
}

export const useSeries = (flow: string) =>
  useQuery({
    queryKey: ["flow runs", flow, "series"],
    queryFn: () => api<FlowSeries>(path`/flows/${flow}/series`),
  });

export const useProfile = (flow: string, run: string, step: string | null, held = false) =>
  useQuery({
    queryKey: ["flow profile", flow, run, step, held],
    queryFn: () =>
      api<RowsProfile>(
        `${path`/flows/${flow}/runs/${run}/steps/${step!}/profile`}${held ? "?held=true" : ""}`,
      ),
    enabled: step !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
