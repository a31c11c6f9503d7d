// A backfill as it goes on: what became of each due date, and in a sentence what became of all of them.
import type { BackfillDay, FlowEvent } from "../../api/flows";
import type { Verdict } from "../../api/types";
import { counted } from "../../design/counted";

export type Found = FlowEvent | BackfillDay;

export const isDay = (found: Found): found is BackfillDay => found.kind === "day";

/** The days with one more event: a day that ended takes the place of itself as it was underway. */
export function withDay(days: BackfillDay[], day: BackfillDay): BackfillDay[] {
  const others = days.at(-1)?.due === day.due ? days.slice(0, -1) : days;
  return [...others, day];
}

export const ended = (days: BackfillDay[]) => days.filter((day) => day.state !== "running");

/** "9 dates ran: 7 ok, 2 suspicious. 3 were refused." */
export function summary(days: BackfillDay[]): string {
  const ran = days.filter((day) => day.state === "done");
  const refused = days.filter((day) => day.state === "refused").length;
  const of = (verdict: Verdict) => ran.filter((day) => day.verdict === verdict).length;
  const verdicts = (["ok", "suspicious", "failed"] as const)
    .map((verdict) => [of(verdict), verdict] as const)
    .filter(([count]) => count > 0)
    .map(([count, verdict]) => `${count} ${verdict}`);
  return [
    ran.length ? `${counted(ran.length, "date")} ran: ${verdicts.join(", ")}.` : "",
    refused ? `${refused === 1 ? "1 was" : `${refused} were`} refused.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** The verdict of them all: the worst; a date that was refused has failed. */
export function worst(days: BackfillDay[]): Verdict {
  if (days.some((day) => day.state === "refused" || day.verdict === "failed")) return "failed";
  return days.some((day) => day.verdict === "suspicious") ? "suspicious" : "ok";
}

/** The same in two or three words. */
export function inShort(days: BackfillDay[]): string {
  const refused = days.filter((day) => day.state === "refused").length;
  const failed = days.filter((day) => day.verdict === "failed").length;
  if (!days.length) return "nothing to do";
  if (refused || failed)
    return [refused ? `${refused} refused` : "", failed ? `${failed} failed` : ""].filter(Boolean).join(", ");
  return counted(days.length, "day").concat(" filled in");
}

/** A day as a field of dates has it, so many days from now. */
export function dayFrom(now: Date, days: number): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
