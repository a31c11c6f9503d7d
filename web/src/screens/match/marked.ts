// A text in pieces, marked or not. The server counts characters, so texts are cut by characters and not by code units.
import type { ReviewField, ReviewPair, TextMark } from "../../api/reviews";

export interface Piece {
  text: string;
  kind: TextMark["kind"] | null;
}

export function pieces(text: string, marks: TextMark[]): Piece[] {
  const letters = Array.from(text);
  const found: Piece[] = [];
  let at = 0;
  for (const { start, end, kind } of marks) {
    if (start > at) found.push({ text: letters.slice(at, start).join(""), kind: null });
    found.push({ text: letters.slice(start, end).join(""), kind });
    at = end;
  }
  if (at < letters.length) found.push({ text: letters.slice(at).join(""), kind: null });
  return found;
}

export interface FieldRow {
  name: string;
  left: ReviewField | null;
  right: ReviewField | null;
}

/** The fields of both records beside each other, those of the same name in one row; the name comes first. */
export function fieldRows(pair: ReviewPair): FieldRow[] {
  const names = new Set([...pair.left.fields, ...pair.right.fields].map((field) => field.name));
  const rows = [...names].map((name) => ({
    name,
    left: pair.left.fields.find((field) => field.name === name) ?? null,
    right: pair.right.fields.find((field) => field.name === name) ?? null,
  }));
  const isPrice = (row: FieldRow) => row.name === pair.price?.field;
  const isBoth = (row: FieldRow) => row.left !== null && row.right !== null;
  const weight = (row: FieldRow) => (isPrice(row) ? 1 : isBoth(row) ? 0 : 2);
  return rows.sort((one, other) => weight(one) - weight(other));
}

/** How long something takes, as people say it. */
export function timeWords(seconds: number): string {
  if (seconds < 50) return "less than a minute";
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return minutes === 1 ? "1 minute" : `${minutes} minutes`;
  const hours = seconds / 3600;
  return hours < 1.25 ? "1 hour" : `${(Math.round(hours * 2) / 2).toString().replace(".5", "½")} hours`;
}

/** How many records a line takes in. */
export function countAbove(counts: number[], line: number): number {
  return counts.slice(Math.round(line * counts.length)).reduce((sum, count) => sum + count, 0);
}

/** From where to where the axis goes: whole tens, at least two of them, with all bars between. */
export function axisOf(counts: number[]): [number, number] {
  const first = counts.findIndex((count) => count > 0);
  const last = counts.findLastIndex((count) => count > 0) + 1;
  const end = Math.min(10, Math.max(2, Math.ceil(last / 10)));
  return [Math.max(0, Math.min(Math.floor(Math.max(first, 0) / 10), end - 2)) / 10, end / 10];
}

/** A share as per cent, with a digit more where whole ones would round it to all or nothing. */
export function percent(share: number): string {
  const whole = Math.round(share * 100);
  const isExact = whole === 100 || whole === 0 ? share * 100 === whole : true;
  return `${isExact ? whole : Number((share * 100).toFixed(1))} %`;
}

/** Where the line is at first: where the next run matches by itself, or lower if nothing reaches that, but no guess. */
export function firstLine(counts: number[], matched: number): number {
  const last = counts.findLastIndex((count) => count > 0) / 100;
  return Math.max(0.5, Math.min(matched, Math.floor(last * 20) / 20));
}
