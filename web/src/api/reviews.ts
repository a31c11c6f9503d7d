// The review of doubtful pairs: what the server sends, and how it is asked.
import { useQuery } from "@tanstack/react-query";
import { api, path } from "./client";
import type { Schemas } from "./types";

export type TextMark = Schemas["MarkResponse"];
export type MarkKind = TextMark["kind"];
export type ReviewField = Schemas["FieldResponse"];
export type ReviewRecord = Schemas["RecordResponse"];
export type Reason = Schemas["ReasonResponse"];
export type ReviewPair = Schemas["ReviewPairResponse"];
export type ReviewProgress = Schemas["ReviewProgressResponse"];
export type ReviewState = Schemas["ReviewResponse"];
export type ReviewInfo = Schemas["ReviewInfoResponse"];
export type Answer = Schemas["AnswerRequest"]["answer"];

export const reviewKey = (flow: string, step: string) => ["review", flow, step] as const;

export const useReviews = () =>
  useQuery({ queryKey: ["reviews"], queryFn: () => api<ReviewInfo[]>("/reviews"), staleTime: 0 });

export const useReview = (flow: string, step: string) =>
  useQuery({
    queryKey: reviewKey(flow, step),
    queryFn: () => api<ReviewState>(path`/reviews/${flow}/${step}`),
    staleTime: 0,
  });
