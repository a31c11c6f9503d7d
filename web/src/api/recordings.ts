// Scripts and the live browsers that write them: shapes as the server sends them, and how they are asked for.
import { useQuery } from "@tanstack/react-query";
import { api, path } from "./client";
import { queryClient } from "./queries";
import type { Schemas } from "./types";

export type Plain = Schemas["Json"];
export type ScriptInfo = Schemas["ScriptInfoResponse"];
export type ScriptStep = Schemas["ScriptStepResponse"];
export type ScriptState = Schemas["ScriptResponse"];
export type ScriptEdit = Schemas["ScriptEdit"];
export type ReplayState = Schemas["ReplayResponse"];
export type LiveState = Schemas["RecordingResponse"];
export type Pointed = Schemas["PointedResponse"];
export type Preview = Schemas["PreviewResponse"];

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
