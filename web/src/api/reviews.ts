// The review of doubtful pairs: what the server sends, and how it is asked.
import { useQuery } from "@tanstack/react-query";
import { api, path } from "./client";
import type { History } from "./types";

export type MarkKind =
  | "shared code"
  | "other code"
  | "shared word"
  | "shared number"
  | "other number"
  | "other unit";

export interface TextMark {
  start: number;
  end: number;
  kind: MarkKind;
}

export interface ReviewField {
  name: string;
  text: string;
  marks: TextMark[];
}

export interface ReviewRecord {
  id: string;
  text: string;
  fields: ReviewField[];
}

export interface Reason {
  speaks: "for" | "against";
  words: string;
  detail: string;
  weight: number;
}

export interface ReviewPair {
  id: string;
  record: string;
  score: number;
  skipped: boolean;
  left: ReviewRecord;
  right: ReviewRecord;
  price: { field: string; words: string; ratio: number } | null;
  why: Reason[];
}

export interface ReviewProgress {
  pairs: number;
  decided: number;
  waiting: number;
  skipped: number;
  records: number;
  seconds: number | null;
  left: number | null;
}

export interface ReviewState {
  flow: string;
  step: string;
  run: string;
  began: string;
  version: string;
  pairs: ReviewPair[];
  progress: ReviewProgress;
  histogram: { edges: number[]; counts: number[] };
  /** From this chance on, the next run matches pairs by itself. */
  line: number;
  learned: string;
  lessons: string[];
  history: History;
}

export interface ReviewInfo {
  flow: string;
  step: string;
  run: string;
  began: string;
  pairs: number;
  decided: number;
  waiting: number;
}

export type Answer = "same" | "different" | "new" | "skip";

export const reviewKey = (flow: string, step: string) => ["review", flow, step] as const;

export const useReviews = () =>
  useQuery({ queryKey: ["reviews"], queryFn: () => api<ReviewInfo[]>("/reviews"), staleTime: 0 });

export const useReview = (flow: string, step: string) =>
  useQuery({
    queryKey: reviewKey(flow, step),
    queryFn: () => api<ReviewState>(path`/reviews/${flow}/${step}`),
    staleTime: 0,
  });
