// Flows: what the editor draws, how it is changed, and what runs and plans tell about it.
import { useQuery } from "@tanstack/react-query";
import { api, path } from "./client";
import { queryClient } from "./queries";
import type { History, Verdict } from "./types";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type FlowGroup = "source" | "combine" | "clean" | "match" | "check" | "deliver";

export interface FlowInfo {
  name: string;
  about: string;
  version: string;
  steps: number;
  problems: number;
  schedule: string;
  due: string | null;
  changed: string;
  last: { run: string; began: string; verdict: Verdict | null; rows: number; held: number } | null;
  running: string | null;
}

export interface StepProblem {
  key: string | null;
  line: number | null;
  message: string;
}

export interface FlowInput {
  port: string;
  step: string;
}

export interface FlowNode {
  name: string;
  word: string;
  group: FlowGroup;
  line: number;
  what: string;
  values: Record<string, Json>;
  inputs: FlowInput[];
  problems: StepProblem[];
}

export interface FlowState {
  name: string;
  version: string;
  text: string;
  about: string;
  variables: Record<string, string>;
  secrets: Record<string, Record<string, string>>;
  schedule: { text: string; next: string[]; problem: string | null };
  steps: FlowNode[];
  problems: (StepProblem & { step: string | null })[];
  readable: boolean;
  history: History;
  running: string | null;
  added?: string | null;
  /** What an edit left for people to do. */
  notes?: string[];
}

export type FlowEdit =
  | { action: "set"; step: string; key: string; value: Json }
  | { action: "add"; word: string; values: Record<string, Json>; name?: string; after?: string }
  | { action: "remove"; steps: string[] }
  | { action: "rename"; step: string; name: string }
  | { action: "connect" | "disconnect"; from: string; to: string; port?: string }
  | { action: "about" | "schedule" | "text"; text: string }
  | { action: "variables"; values: Record<string, string> }
  | { action: "secrets"; values: Record<string, Record<string, string>> }
  | { action: "restore"; version: string }
  | { action: "undo" | "redo" };

export interface FieldForm {
  kind: string;
  options?: string[];
  suffixes?: string[];
  /** Several, parted by commas. */
  many?: boolean;
  /** Names of columns. */
  columns?: boolean;
  kinds?: NormalKindInfo[];
}

export interface KeyInfo {
  key: string;
  required: boolean;
  default: Json;
  label: string;
  about: string;
  form: FieldForm;
}

export interface NormalKindInfo {
  word: string;
  title: string;
  about: string;
  keys: KeyInfo[];
}

export interface StepKind {
  word: string;
  group: FlowGroup;
  title: string;
  about: string;
  ports: { key: string; many: boolean; label: string }[];
  keys: KeyInfo[];
}

export interface PlannedStep {
  columns: Record<string, string>;
  rows: Record<string, Json>[];
  rows_known: number | null;
  notes: string[];
  problem: string | null;
}

export interface FlowPlan {
  steps: Record<string, PlannedStep>;
  mappings: Record<string, Record<string, Record<string, string>>>;
}

export interface StepState {
  state: "done" | "held" | "failed";
  rows: number;
  held: number;
  seconds: number;
  verdict: Verdict;
  reasons: string[];
  notes: string[];
  counts: Record<string, number>;
}

export interface FlowEvent {
  kind: "begun" | "progress" | "done" | "reused" | "failed" | "skipped";
  step: string;
  rows: number;
  seconds: number;
  detail: string;
  pace: number | null;
  state: StepState | null;
}

export interface FlowVersion {
  version: string;
  saved: string;
  words: string;
  current: boolean;
}

export interface FlowDiff {
  steps: {
    name: string;
    change: "added" | "removed" | "changed" | "renamed" | "same";
    before?: FlowNode | null;
    after?: FlowNode | null;
    keys: { key: string; before: Json; after: Json }[];
  }[];
  lines: { kind: "same" | "added" | "removed"; text: string; before: number | null; after: number | null }[];
}

export interface DataFile {
  name: string;
  bytes: number;
  changed: string;
  kind: string;
  rows: number | null;
  columns: string[] | null;
}

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

/** Bring a file into the project; one of the same name is never replaced unasked. */
export async function uploadFile(file: File): Promise<string> {
  const kept = await api<DataFile>(`/files?${new URLSearchParams({ name: file.name })}`, { file });
  await queryClient.invalidateQueries({ queryKey: ["files"] });
  return kept.name;
}
