// Runs of flows: what became of them, their rows, and how figures went from run to run.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, path } from "./client";
import type { Schemas } from "./types";

export type FlowRunInfo = Schemas["FlowRunInfoResponse"];
export type StepOfRun = Schemas["RunStepResponse"];
export type FlowAlert = Schemas["RunAlertResponse"];
export type FlowRunState = Schemas["FlowRunResponse"];
export type ColumnProfile = Schemas["ColumnProfileResponse"];
export type RowsProfile = Schemas["ProfileResponse"];
export type FlowSeries = Schemas["SeriesResponse"];
export type ValueSeries = Schemas["ValueSeriesResponse"];
export type RowChanges = Schemas["RowChangesResponse"];
export type Lineage = Schemas["LineageResponse"];
export type LineageSource = Schemas["LineageSourceResponse"];
export type LineageDelivery = Schemas["DeliveryLineageResponse"];

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

export const useLineage = (flow: string, run: string) =>
  useQuery({
    queryKey: ["flow runs", flow, run, "lineage"],
    queryFn: () => api<Lineage>(path`/flows/${flow}/runs/${run}/lineage`),
  });
