// Flows: what the editor draws, how it is changed, and what runs and plans tell about it.
import { useQuery } from "@tanstack/react-query";
import { api, path } from "./client";
import { queryClient } from "./queries";
import type { Schemas } from "./types";

export type { Json } from "./types";
export type FlowGroup = FlowNode["group"];
export type FlowInfo = Schemas["FlowInfoResponse"];
export type StepProblem = Schemas["NodeProblemResponse"];
export type FlowInput = Schemas["FlowInputResponse"];
export type FlowNode = Schemas["FlowNodeResponse"];
export type FlowState = Schemas["FlowResponse"];
export type FlowEdit = Schemas["FlowChangeRequest"];
export type FieldForm = Schemas["EditorResponse"];
export type KeyInfo = Schemas["KeyResponse"];
export type NormalKindInfo = Schemas["NormalKindResponse"];
export type StepKind = Schemas["StepKindResponse"];
export type PlannedStep = Schemas["PlannedStepResponse"];
export type FlowPlan = Schemas["PlanResponse"];
export type StepState = Schemas["StepStateResponse"];
export type FlowRunResult = Schemas["FlowRunResult"];
export type FlowEvent = Schemas["FlowEventResponse"];
export type BackfillDay = Schemas["BackfillDayResponse"];
export type BackfillResult = Schemas["BackfillResult"];
export type DueDates = Schemas["DueDatesResponse"];
export type FlowVersion = Schemas["VersionResponse"];
export type FlowDiff = Schemas["FlowDifferenceResponse"];
export type DataFile = Schemas["FileResponse"];

export const flowKey = (name: string) => ["flow", name] as const;

export const useFlows = () =>
  useQuery({ queryKey: ["flows"], queryFn: () => api<FlowInfo[]>("/flows"), refetchInterval: 5_000 });

export const useFlowState = (name: string) =>
  useQuery({
    queryKey: flowKey(name),
    queryFn: () => api<FlowState>(path`/flows/${name}`),
    refetchInterval: 4_000, // others may edit it, too
  });

export const useStepKinds = () =>
  useQuery({
    queryKey: ["flow kinds"],
    queryFn: () => api<StepKind[]>("/flow-kinds"),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useFiles = () => useQuery({ queryKey: ["files"], queryFn: () => api<DataFile[]>("/files") });

export const useVersions = (name: string, enabled: boolean) =>
  useQuery({
    queryKey: ["flow versions", name],
    queryFn: () => api<FlowVersion[]>(path`/flows/${name}/versions`),
    enabled,
    staleTime: 0,
  });

/** The due dates of a span of days; `version` is that of the flow, whose schedule says which there are. */
export const useDueDates = (name: string, version: string, from: string, to: string) =>
  useQuery({
    queryKey: ["flow runs", name, "due dates", version, from, to],
    queryFn: () =>
      api<DueDates>(
        `${path`/flows/${name}/due-dates`}?${new URLSearchParams({ from, ...(to ? { to } : {}) })}`,
      ),
    enabled: from !== "",
    retry: false,
  });

/** Bring a file into the project; one of the same name is never replaced unasked. */
export async function uploadFile(file: File): Promise<string> {
  const kept = await api<DataFile>(`/files?${new URLSearchParams({ name: file.name })}`, { file });
  await queryClient.invalidateQueries({ queryKey: ["files"] });
  return kept.name;
}
