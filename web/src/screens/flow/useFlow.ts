// The flow that is edited: its state, changes one after the other, its plan, and its run as it goes on.
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, api, path } from "../../api/client";
import {
  type FlowEdit,
  type FlowEvent,
  type FlowPlan,
  type FlowRunResult,
  type FlowState,
  flowKey,
  useFlowState,
} from "../../api/flows";
import { cancelJob, follow } from "../../api/jobs";
import type { Job } from "../../api/types";

/** A change that was not made, and why. */
export interface Refused {
  edit: FlowEdit | null;
  message: string;
  conflict: boolean;
}

export function useFlow(name: string) {
  const client = useQueryClient();
  const { data: flow, error } = useFlowState(name);
  const [refused, setRefused] = useState<Refused | null>(null);
  const queue = useRef<Promise<FlowState | null>>(Promise.resolve(null));

  const keep = useCallback(
    (state: FlowState) => {
      client.setQueryData(flowKey(name), state);
      client.invalidateQueries({ queryKey: ["flow versions", name] });
    },
    [client, name],
  );

  // Changes wait for each other, so that quick hands never meet their own versions.
  const edit = useCallback(
    (change: FlowEdit): Promise<FlowState | null> => {
      const make = async (): Promise<FlowState | null> => {
        await client.cancelQueries({ queryKey: flowKey(name) }); // an older answer must not come after this one
        const current = client.getQueryData<FlowState>(flowKey(name));
        if (!current) return null;
        setRefused(null);
        try {
          const state = await api<FlowState>(path`/flows/${name}/edits`, {
            body: change,
            version: current.version,
          });
          keep(state);
          if (state.notes?.length)
            setRefused({ edit: null, message: state.notes.join(" "), conflict: false });
          return state;
        } catch (problem) {
          if (!(problem instanceof ApiError)) throw problem;
          const conflict = problem.code === "conflict";
          if (conflict) await client.refetchQueries({ queryKey: flowKey(name) });
          setRefused({ edit: change, message: problem.message, conflict });
          return null;
        }
      };
      queue.current = queue.current.then(make, make);
      return queue.current;
    },
    [client, keep, name],
  );

  return { flow, error, edit, refused, forgive: () => setRefused(null) };
}

const PLAN_PAUSE = 500; // milliseconds without a change before samples are asked for

/** Samples of every step, made again after each change; those of the last plan stay until the new ones are there. */
export function usePlan(name: string, version: string | undefined) {
  const [plan, setPlan] = useState<FlowPlan | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [answered, setAnswered] = useState<string | null>(null); // the version that plan and problem are of
  useEffect(() => {
    if (!version) return;
    let job: Job<FlowPlan> | null = null;
    let stopped = false;
    const cancel = () => job && cancelJob(job.id).catch(() => undefined);
    const ask = async () => {
      setBusy(true);
      try {
        job = await api<Job<FlowPlan>>(path`/flows/${name}/plan`, { method: "POST", body: {} });
        if (stopped) {
          cancel(); // it was asked for before, and begun after the change
          return;
        }
        const found = await follow(job);
        if (stopped) return;
        setPlan(found);
        setProblem(null);
      } catch (reason) {
        if (!(reason instanceof ApiError)) throw reason;
        if (!stopped) setProblem(reason.message);
      } finally {
        if (!stopped) {
          setBusy(false);
          setAnswered(version);
        }
      }
    };
    const wait = setTimeout(ask, PLAN_PAUSE);
    return () => {
      stopped = true;
      clearTimeout(wait);
      cancel();
    };
  }, [name, version]);
  return { plan, planProblem: problem, planning: busy, isPlanned: answered === version };
}

export interface LiveRun {
  job: string;
  events: Record<string, FlowEvent>;
  ended: FlowRunResult | null;
  /** Whether what it said was read. */
  seen: boolean;
  problem: string | null;
}

/** The run that goes on, whoever began it; and the last one that was seen to its end. */
export function useLiveRun(name: string, running: string | null | undefined) {
  const client = useQueryClient();
  const [live, setLive] = useState<LiveRun | null>(null);
  const watching = useRef<string | null>(null);

  const watch = useCallback(
    async (job: Job<LiveRun["ended"]>) => {
      if (watching.current === job.id) return;
      watching.current = job.id;
      setLive({ job: job.id, events: {}, ended: null, seen: false, problem: null });
      const change = (part: (old: LiveRun) => Partial<LiveRun>) =>
        setLive((old) => (old?.job === job.id ? { ...old, ...part(old) } : old));
      try {
        const ended = await follow(job, (found) => {
          const event = found as FlowEvent;
          change((old) => ({ events: { ...old.events, [event.step]: event } }));
        });
        change(() => ({ ended }));
      } catch (reason) {
        if (!(reason instanceof ApiError)) throw reason;
        change(() => ({ problem: reason.message }));
      } finally {
        if (watching.current === job.id) watching.current = null;
        client.invalidateQueries({ queryKey: flowKey(name) });
        client.invalidateQueries({ queryKey: ["flows"] });
        client.invalidateQueries({ queryKey: ["flow runs", name] });
        client.invalidateQueries({ queryKey: ["home"] });
      }
    },
    [client, name],
  );

  useEffect(() => {
    if (!running || watching.current === running) return;
    api<Job<LiveRun["ended"]>>(path`/jobs/${running}`).then(watch, () => undefined);
  }, [running, watch]);

  const start = useCallback(
    async (options: { fresh?: boolean; variables?: Record<string, string>; from?: string } = {}) => {
      try {
        await watch(await api<Job<LiveRun["ended"]>>(path`/flows/${name}/runs`, { body: options }));
      } catch (reason) {
        if (!(reason instanceof ApiError)) throw reason;
        setLive({ job: "", events: {}, ended: null, seen: false, problem: reason.message });
      }
    },
    [name, watch],
  );
  const isRunning = live !== null && live.job !== "" && !live.ended && !live.problem;
  const stop = () => live && cancelJob(live.job).catch(() => undefined);
  return { live, isRunning, start, stop, dismiss: () => setLive((old) => old && { ...old, seen: true }) };
}
