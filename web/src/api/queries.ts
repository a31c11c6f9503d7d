// What the screens ask for, and under which key it is remembered.
import { keepPreviousData, QueryClient, useQuery } from "@tanstack/react-query";
import { ApiError, api, path } from "./client";
import type {
  About,
  ExampleInfo,
  Geometry,
  LessonInfo,
  PageInfo,
  Paging,
  ResultState,
  Results,
  RunInfo,
  Thing,
  WrapperInfo,
} from "./types";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: true,
      // Only a lost connection heals by itself.
      retry: (count, problem) => problem instanceof ApiError && problem.code === "connection" && count < 3,
    },
  },
});

const FOREVER = { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false } as const;

export const useAbout = () =>
  useQuery({ queryKey: ["about"], queryFn: () => api<About>("/about"), ...FOREVER });

export const useExamples = () =>
  useQuery({ queryKey: ["examples"], queryFn: () => api<ExampleInfo[]>("/examples"), ...FOREVER });

export const usePages = () =>
  useQuery({
    queryKey: ["pages"],
    queryFn: () => api<{ pages: PageInfo[] }>("/pages").then((all) => all.pages),
  });

export const usePage = (id: string | null) =>
  useQuery({
    queryKey: ["page", id],
    queryFn: () => api<PageInfo>(path`/pages/${id!}`),
    enabled: id !== null,
    ...FOREVER,
  });

export const useGeometry = (id: string | null) =>
  useQuery({
    queryKey: ["geometry", id],
    queryFn: () => api<Geometry>(path`/pages/${id!}/geometry`),
    enabled: id !== null,
    ...FOREVER,
    gcTime: 60_000,
  });

export const useResults = (id: string | null) =>
  useQuery({
    queryKey: ["results", id],
    queryFn: () => api<Results>(path`/pages/${id!}/results`),
    enabled: id !== null,
    ...FOREVER,
  });

export const resultKey = (page: string, key: string) => ["result", page, key] as const;

export const useResult = (page: string, key: string | null) =>
  useQuery({
    queryKey: resultKey(page, key ?? ""),
    queryFn: () => api<ResultState>(path`/pages/${page}/results/${key!}`),
    enabled: key !== null,
    placeholderData: keepPreviousData,
  });

/** What a page is about, read as a kind if one is wanted. */
export const useThing = (id: string, kind: string | null) =>
  useQuery({
    queryKey: ["thing", id, kind ?? ""],
    queryFn: () => api<Thing>(`${path`/pages/${id}/thing`}?kind=${encodeURIComponent(kind ?? "")}`),
    placeholderData: keepPreviousData,
    ...FOREVER,
  });

export const usePaging = (id: string | null) =>
  useQuery({
    queryKey: ["paging", id],
    queryFn: () => api<Paging>(path`/pages/${id!}/paging`),
    enabled: id !== null,
    ...FOREVER,
  });

export const useLessons = () =>
  useQuery({ queryKey: ["lessons"], queryFn: () => api<LessonInfo[]>("/lessons") });

export const useWrappers = () =>
  useQuery({ queryKey: ["wrappers"], queryFn: () => api<WrapperInfo[]>("/wrappers") });

export const useRuns = () => useQuery({ queryKey: ["runs"], queryFn: () => api<RunInfo[]>("/runs") });
