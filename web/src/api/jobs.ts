// Long work: each job's events come over one stream while it runs; a broken stream resumes where it was.
import { create } from "zustand";
import { ApiError, api, path } from "./client";
import type { Job, Problem } from "./types";

interface JobsState {
  jobs: Record<string, Job>;
  found: Record<string, unknown[]>;
  put: (job: Job) => void;
  find: (id: string, found: unknown) => void;
  dismiss: (id: string) => void;
}

export const useJobs = create<JobsState>((set) => ({
  jobs: {},
  found: {},
  put: (job) => set((state) => ({ jobs: { ...state.jobs, [job.id]: job } })),
  find: (id, found) =>
    set((state) => ({ found: { ...state.found, [id]: [...(state.found[id] ?? []), found] } })),
  dismiss: (id) =>
    set((state) => {
      const { [id]: _gone, ...jobs } = state.jobs;
      return { jobs };
    }),
}));

const ENDED = new Set(["done", "failed", "cancelled"]);

/** Wait for a job that the server has begun; its progress is in `useJobs` meanwhile. */
export async function follow<T>(begun: Job<T>, onFound?: (found: unknown) => void): Promise<T> {
  useJobs.getState().put(begun);
  if (!ENDED.has(begun.state)) await events(begun, onFound);
  const job = await api<Job<T>>(path`/jobs/${begun.id}`);
  useJobs.getState().put(job);
  if (job.state === "done") {
    useJobs.getState().dismiss(job.id);
    return job.result as T;
  }
  const cancelled: Problem = {
    type: "urn:sightline:cancelled",
    title: "Cancelled",
    status: 0,
    code: "cancelled",
    detail: `${job.title} was cancelled.`,
  };
  throw new ApiError(job.problem ?? cancelled);
}

function events<T>(job: Job<T>, onFound?: (found: unknown) => void): Promise<void> {
  return new Promise((resolve) => {
    // EventSource reconnects by itself and says the last event it saw, so that none is lost.
    const source = new EventSource(`/api/jobs/${encodeURIComponent(job.id)}/events`);
    const end = () => {
      source.close();
      resolve();
    };
    source.addEventListener("progress", (event) => {
      const progress = JSON.parse((event as MessageEvent<string>).data) as Job["progress"];
      useJobs.getState().put({ ...job, state: "running", progress });
    });
    source.addEventListener("found", (event) => {
      const found: unknown = JSON.parse((event as MessageEvent<string>).data);
      useJobs.getState().find(job.id, found);
      onFound?.(found);
    });
    for (const name of ENDED) source.addEventListener(name, end);
    // A closed source will not come back: the server ended, or does not know the job. Asking for the job tells which.
    source.addEventListener("error", () => source.readyState === EventSource.CLOSED && end());
  });
}

export async function cancelJob(id: string): Promise<void> {
  await api(path`/jobs/${id}`, { method: "DELETE" });
}
