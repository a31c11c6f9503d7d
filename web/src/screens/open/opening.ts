// Opening pages, however they come: by address, as files, or as examples. The first page is shown as soon as it is there.
import { useState } from "react";
import { useLocation } from "wouter";
import { ApiError, api, path } from "../../api/client";
import { follow } from "../../api/jobs";
import { queryClient } from "../../api/queries";
import type { About, Job, PageInfo } from "../../api/types";
import { tooMuch } from "./limits";

export interface Opened {
  pages: PageInfo[];
  problems?: { file: string; detail: string }[];
}

export interface Opener {
  /** What is being opened, in words. */
  busy: string | null;
  problem: ApiError | null;
  problems: { file: string; detail: string }[];
  address: (source: string) => Promise<PageInfo[]>;
  files: (files: File[]) => Promise<PageInfo[]>;
  example: (name: string, title: string) => Promise<PageInfo[]>;
  clear: () => void;
}

const aboutLimits = () =>
  queryClient
    .ensureQueryData({ queryKey: ["about"], queryFn: () => api<About>("/about") })
    .then((about) => about.limits);

/** Pages that were opened at once are named in the address of the first, which offers to learn from all of them. */
const together = (pages: PageInfo[]) =>
  pages.length > 1 ? `?with=${pages.map((page) => page.id).join(",")}` : "";

/** `then` says what happens with the pages; without it the first is shown. */
export function useOpener(then?: (pages: PageInfo[]) => void): Opener {
  const [, go] = useLocation();
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [problems, setProblems] = useState<{ file: string; detail: string }[]>([]);

  const run = async (words: string, begin: () => Promise<Job<Opened>>): Promise<PageInfo[]> => {
    setBusy(words);
    setProblem(null);
    setProblems([]);
    try {
      const opened = await follow(await begin());
      for (const page of opened.pages) queryClient.setQueryData(["page", page.id], page);
      setProblems(opened.problems ?? []);
      const [first] = opened.pages;
      if (then) then(opened.pages);
      else if (first) go(`/pages/${first.id}${together(opened.pages)}`);
      return opened.pages;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
      return [];
    } finally {
      setBusy(null);
      // A page behind a wall is kept although opening it failed, so the list is asked for in any case.
      queryClient.invalidateQueries({ queryKey: ["pages"] });
    }
  };

  return {
    busy,
    problem,
    problems,
    address: (source) => run(`Opening ${source}`, () => api("/pages", { body: { source } })),
    files: async (files) => {
      const limits = (await aboutLimits()) ?? null;
      const refused = limits && tooMuch(files, limits);
      if (refused) {
        setProblem(new ApiError(refused));
        return [];
      }
      const form = new FormData();
      for (const file of files) form.append("files", file, file.webkitRelativePath || file.name);
      const words = files.length === 1 ? files[0]!.name : `${files.length} files`;
      return run(`Opening ${words}`, () => api("/uploads", { form }));
    },
    example: (name, title) => run(`Opening ${title}`, () => api(path`/examples/${name}`, { method: "POST" })),
    clear: () => {
      setProblem(null);
      setProblems([]);
    },
  };
}
