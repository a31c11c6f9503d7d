// Scripts and the live browsers that write them: shapes as the server sends them, and how they are asked for.
import { useQuery } from "@tanstack/react-query";
import { api, path } from "./client";
import { queryClient } from "./queries";
import type { Box, History, Rows, Verdict } from "./types";

export interface ScriptInfo {
  name: string;
  about: string;
  steps: number;
  /** How many of its steps may not do the same again. */
  doubts: number;
  changed: string;
  version: string;
  problem: string | null;
}

export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

export interface ScriptStep {
  place: string;
  word: string;
  words: string;
  keys: Record<string, Plain>;
  main: string;
  target: string | null;
  doubts: string[];
  steps: ScriptStep[];
  otherwise: ScriptStep[] | null;
}

export interface ScriptState {
  name: string;
  version: string;
  text: string;
  about: string;
  variables: Record<string, string>;
  secrets: Record<string, { environment: string; keyring: string; known: boolean }>;
  steps: ScriptStep[];
  problems: string[];
  notes: string[];
  history: History;
}

export type ScriptEdit =
  | { action: "insert"; place: string; step: Plain }
  | { action: "move"; place: string; to: string }
  | { action: "remove" | "unwrap"; place: string }
  | { action: "change"; place: string; key: string; value: Plain }
  | { action: "target"; place: string; value: Plain }
  | { action: "wrap"; places: string[]; step: Plain }
  | { action: "text"; text: string }
  | { action: "undo" | "redo" };

export interface ReplayState {
  state: "running" | "waiting" | "failed" | "ended";
  place: string;
  why: string;
  logged_out: boolean;
  box: Box | null;
  outcomes: Record<string, { state: "done" | "failed"; why: string }>;
  outputs: Record<string, number>;
  verdict: Verdict | null;
  doubts: string[];
}

export interface LiveState {
  id: string;
  script: string;
  mode: "starting" | "recording" | "paused" | "replaying";
  busy: string;
  problem: string;
  notice: string;
  url: string;
  title: string;
  tabs: { url: string; title: string }[];
  tab: number;
  can_back: boolean;
  can_forward: boolean;
  loading: boolean;
  dialog: { kind: string; message: string; suggested: string } | null;
  chooser: { several: boolean } | null;
  choice: { box: Box; options: { label: string; chosen: boolean; disabled: boolean }[] } | null;
  downloads: string[];
  width: number;
  height: number;
  replay: ReplayState | null;
}

export interface Pointed {
  target: Plain;
  words: string;
  role: string;
  doubt: string;
  box: Box | null;
}

export interface Preview {
  rows: Rows;
  doubt: string;
}

export const scriptKey = (name: string) => ["script", name] as const;

export const useScripts = () =>
  useQuery({ queryKey: ["scripts"], queryFn: () => api<ScriptInfo[]>("/scripts") });

export const useScript = (name: string) =>
  useQuery({ queryKey: scriptKey(name), queryFn: () => api<ScriptState>(path`/scripts/${name}`) });

/** The live browsers that are open; asked for anew whenever a script is opened. */
export const useRecordings = () =>
  useQuery({ queryKey: ["recordings"], queryFn: () => api<LiveState[]>("/recordings"), staleTime: 0 });

export async function begin(wanted: {
  url?: string;
  script?: string;
  practice?: boolean;
}): Promise<LiveState> {
  const found = await api<LiveState>("/recordings", { body: wanted });
  await queryClient.invalidateQueries({ queryKey: ["recordings"] });
  return found;
}

export async function end(id: string): Promise<void> {
  await api(path`/recordings/${id}`, { method: "DELETE" });
  await queryClient.invalidateQueries({ queryKey: ["recordings"] });
}

export const pointAt = (id: string, x: number, y: number) =>
  api<Pointed>(path`/recordings/${id}/point`, { body: { x, y } });

export const previewRows = (id: string, source: Plain) =>
  api<Preview>(path`/recordings/${id}/preview`, { body: { source } });
