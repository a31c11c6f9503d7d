// A wrapper: its state on the server, its edits, and what it reads from a page.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError, api, path } from "../../api/client";
import { queryClient } from "../../api/queries";
import type { Machine, Reading, WrapperEdit, WrapperState } from "../../api/types";

export const wrapperKey = (name: string) => ["wrapper", name] as const;

export const useWrapper = (name: string | null) =>
  useQuery({
    queryKey: wrapperKey(name ?? ""),
    queryFn: () => api<WrapperState>(path`/wrappers/${name!}`),
    enabled: name !== null,
  });

export const useReading = (name: string, version: string, page: string | null) =>
  useQuery({
    queryKey: ["reading", name, version, page],
    queryFn: () => api<Reading>(path`/wrappers/${name}/read`, { body: { page } }),
    enabled: page !== null && version !== "",
    placeholderData: keepPreviousData,
  });

export const useMachine = (name: string, version: string, wanted: boolean) =>
  useQuery({
    queryKey: ["machine", name, version],
    queryFn: () => api<Machine>(path`/wrappers/${name}/machine`),
    enabled: wanted,
  });

export interface WrapperEdits {
  problem: ApiError | null;
  send: (edit: WrapperEdit) => Promise<boolean>;
  clear: () => void;
}

export function useWrapperEdits(name: string, state: WrapperState | undefined): WrapperEdits {
  const [problem, setProblem] = useState<ApiError | null>(null);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const version = useRef("");
  version.current = state?.version ?? version.current;
  const one = async (edit: WrapperEdit) => {
    try {
      const next = await api<WrapperState>(path`/wrappers/${name}/edits`, {
        body: edit,
        version: version.current,
      });
      version.current = next.version;
      queryClient.setQueryData(wrapperKey(name), next);
      setProblem(null);
      return true;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
      if (reason.code === "conflict") await queryClient.invalidateQueries({ queryKey: wrapperKey(name) });
      return false;
    }
  };
  const send = (edit: WrapperEdit) => {
    const next = queue.current.then(() => one(edit));
    queue.current = next;
    return next;
  };
  return { problem, send, clear: () => setProblem(null) };
}
