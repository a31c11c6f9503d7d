// A lesson: its state on the server, and the steps that change it. Each step is saved before it is shown.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError, api, path } from "../../api/client";
import { queryClient } from "../../api/queries";
import type { ExamplePreview, LessonState, LessonStep } from "../../api/types";

export const lessonKey = (name: string, page: string | null) => ["lesson", name, page ?? ""] as const;

export function useLesson(name: string, page: string | null) {
  return useQuery({
    queryKey: lessonKey(name, page),
    queryFn: () => {
      const where = page ? `?page=${encodeURIComponent(page)}` : "";
      return api<LessonState>(path`/lessons/${name}` + where);
    },
    placeholderData: keepPreviousData,
  });
}

export interface LessonSteps {
  /** Records that the last example lost, if many. */
  loss: Loss | null;
  accept: () => void;
  problem: ApiError | null;
  /** What is being learned, in words, while the server works. */
  busy: boolean;
  send: (step: LessonStep) => Promise<LessonState | null>;
  clear: () => void;
}

export function useLessonSteps(
  name: string,
  page: string | null,
  state: LessonState | undefined,
): LessonSteps {
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  // Steps follow one another: each is made from the version that the last one gave.
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const version = useRef("");
  version.current = state?.version ?? version.current;

  const [loss, setLoss] = useState<Loss | null>(null);
  const one = async (step: LessonStep): Promise<LessonState | null> => {
    setBusy(true);
    try {
      const where = page ? `?page=${encodeURIComponent(page)}` : "";
      const next = await api<LessonState>(path`/lessons/${name}/steps` + where, {
        body: step,
        version: version.current,
      });
      version.current = next.version;
      const before = queryClient.getQueryData<LessonState>(lessonKey(name, page));
      setLoss(lossOf(step, before?.rows.total ?? 0, next.rows.total));
      queryClient.setQueryData(lessonKey(name, page), next);
      setProblem(null);
      return next;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
      if (reason.code === "conflict") await queryClient.invalidateQueries({ queryKey: ["lesson", name] });
      return null;
    } finally {
      setBusy(false);
    }
  };
  const send = (step: LessonStep) => {
    const next = queue.current.then(() => one(step));
    queue.current = next;
    return next;
  };
  return { problem, loss, busy, send, clear: () => setProblem(null), accept: () => setLoss(null) };
}

export interface Loss {
  before: number;
  after: number;
}

/** An example after which far fewer records are found was probably clicked by mistake, and is worth a question. */
export function lossOf(step: LessonStep, before: number, after: number): Loss | null {
  const isExample = step.action === "want" || step.action === "answer";
  return isExample && before > 2 && after < before / 2 ? { before, after } : null;
}

export type Preview = ExamplePreview & { field: string; node: number };

const PAUSE = 70; // milliseconds that the pointer rests before the server is asked

/** What a click would give. The newest question counts; answers to older ones are dropped. */
export function usePreview(
  name: string,
  page: string,
): [Preview | null, (field: string, node: number | null) => void] {
  const [preview, setPreview] = useState<Preview | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<AbortController>(undefined);
  const asked = useRef("");
  const ask = (field: string, node: number | null) => {
    const question = `${field} ${node}`;
    if (question === asked.current) return;
    asked.current = question;
    clearTimeout(timer.current);
    running.current?.abort();
    setPreview(null);
    if (node === null) return;
    timer.current = setTimeout(async () => {
      const stop = new AbortController();
      running.current = stop;
      try {
        const body = { field, node, page };
        const found = await api<ExamplePreview>(path`/lessons/${name}/preview`, {
          body,
          signal: stop.signal,
        });
        if (!stop.signal.aborted) setPreview({ field, node, ...found });
      } catch (reason) {
        // A preview is a courtesy: what cannot be previewed is told when it is clicked.
        if (!(reason instanceof ApiError) && !(reason instanceof DOMException)) throw reason;
      }
    }, PAUSE);
  };
  return [preview, ask];
}

/** A name that no field has yet; people give a better one at once. */
export function freshName(names: readonly string[]): string {
  for (let number = names.length + 1; ; number += 1) {
    const name = `field ${number}`;
    if (!names.includes(name)) return name;
  }
}
