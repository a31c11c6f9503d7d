// The flow that is edited: its state, changes one after the other, its plan, and its run as it goes on.
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, api, path } from "../../api/client";
import {
  type BackfillDay,
  type BackfillResult,
  type FlowEdit,
  type FlowEvent,
  type FlowPlan,
  type FlowRunResult,
  type FlowState,
  flowKey,
  useFlowState,
} from "../../api/flows";
import { cancelJob, follow, useJobs } from "../../api/jobs";
import type { Job } from "../../api/types";
import { type Found, isDay, withDay } from "./backfill";

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
  kind: "flow" | "backfill";
  events: Record<string, FlowEvent>;
  ended: FlowRunResult | null;
  /** The due dates of a backfill so far, how many it has, and its result. */
  days: BackfillDay[];
  total: number | null;
  filled: BackfillResult | null;
  /** Whether what it said was read. */
  seen: boolean;
  problem: string | null;
}

export interface RunOptions {
  fresh?: boolean;
  date?: string;
  variables?: Record<string, string>;
  from?: string;
}

export interface Span {
  from: string;
  to: string;
  missing: boolean;
}

type RunJob = Job<FlowRunResult | BackfillResult>;

const begun = (job: string, kind: string): LiveRun => ({
  job,
  kind: kind === "backfill" ? "backfill" : "flow",
  events: {},
  ended: null,
  days: [],
  total: null,
  filled: null,
  seen: false,
  problem: null,
});

/** The run or backfill that goes on, whoever began it; and the last one that was seen to its end. */
export function useLiveRun(name: string, running: string | null | undefined) {
  const client = useQueryClient();
  const [live, setLive] = useState<LiveRun | null>(null);
  const watching = useRef<string | null>(null);

  const watch = useCallback(
    async (job: RunJob) => {
      if (watching.current === job.id) return;
      watching.current = job.id;
      setLive(begun(job.id, job.kind));
      const change = (part: (old: LiveRun) => Partial<LiveRun>) =>
        setLive((old) => (old?.job === job.id ? { ...old, ...part(old) } : old));
      try {
        const ended = await follow(job, (found) => {
          const event = found as Found;
          if (!isDay(event)) change((old) => ({ events: { ...old.events, [event.step]: event } }));
          else {
            const total = useJobs.getState().jobs[job.id]?.progress.total ?? null;
            change((old) => ({
              days: withDay(old.days, event),
              total: total ?? old.total,
              ...(event.state === "running" ? { events: {} } : {}), // the steps begin anew with each date
            }));
          }
        });
        change(() => ("days" in ended ? { filled: ended } : { ended }));
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
    api<RunJob>(path`/jobs/${running}`).then(watch, () => undefined);
  }, [running, watch]);

  /** Begin something and watch it; returns why it was refused. */
  const begin = useCallback(
    async (address: string, body: object): Promise<string | null> => {
      try {
        const job = await api<RunJob>(address, { body });
        watch(job);
        return null;
      } catch (reason) {
        if (!(reason instanceof ApiError)) throw reason;
        return reason.message;
      }
    },
    [watch],
  );
  const run = useCallback((options: RunOptions) => begin(path`/flows/${name}/runs`, options), [begin, name]);
  const fill = useCallback((span: Span) => begin(path`/flows/${name}/backfills`, span), [begin, name]);
  const start = useCallback(
    async (options: RunOptions = {}) => {
      const problem = await run(options);
      if (problem) setLive({ ...begun("", "flow"), problem });
    },
    [run],
  );
  const isRunning = live !== null && live.job !== "" && !live.ended && !live.filled && !live.problem;
  const stop = () => live && cancelJob(live.job).catch(() => undefined);
  return {
    live,
    isRunning,
    start,
    run,
    fill,
    stop,
    dismiss: () => setLive((old) => old && { ...old, seen: true }),
  };
}
