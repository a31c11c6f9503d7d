// Moments as people say them: "today 06:30", "yesterday 18:05", "12 Nov 06:30".
const DAY = 86_400_000;

const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

export function when(moment: string, now: Date = new Date()): string {
  const date = new Date(moment);
  const time = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const days = Math.round((startOfDay(date) - startOfDay(now)) / DAY);
  if (days === 0) return `today ${time}`;
  if (days === -1) return `yesterday ${time}`;
  if (days === 1) return `tomorrow ${time}`;
  const year = date.getFullYear() === now.getFullYear() ? undefined : "numeric";
  return `${date.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...(year ? { year } : {}) })} ${time}`;
}

/** A length of time: "0.4 s", "12 s", "3 min". */
export function lasting(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

const NEAR = 3_600_000;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * A due date by the clock of its own zone, whose days it means: "2 Nov 06:30", and "2 Nov" for a day as a whole.
 * A machine in another zone would show the evening before.
 */
export function dueWords(due: string, now: Date = new Date()): string {
  const [, year, month, day, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(due) ?? [];
  if (!year) return due;
  const time = hour === "00" && minute === "00" ? "" : ` ${hour}:${minute}`;
  const ofYear = Number(year) === now.getFullYear() ? "" : ` ${year}`;
  return `${Number(day)} ${MONTHS[Number(month) - 1]}${ofYear}${time}`;
}

/**
 * What a run is for, if that is not simply the time at which it began: "due 06:30" for one that began within the hour,
 * as those of a schedule do, and "for 2 Nov 06:30" for one of another time.
 */
export function dueOf(
  run: { due: string; dated: boolean; began: string },
  now?: Date,
): { words: string; near: boolean } | null {
  const late = new Date(run.began).getTime() - new Date(run.due).getTime();
  if (!run.dated && Math.abs(late) < 60_000) return null;
  const near = late >= 0 && late < NEAR;
  return near
    ? { words: `due ${/T(\d\d:\d\d)/.exec(run.due)?.[1] ?? run.due}`, near }
    : { words: `for ${dueWords(run.due, now)}`, near };
}

/** How long before a moment another one was: "3 min", "2 h", "5 days"; null if that is less than a minute. */
export function agedBy(at: string, moment: string | Date): string | null {
  const seconds = (new Date(moment).getTime() - new Date(at).getTime()) / 1000;
  if (!(seconds >= 60)) return null;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}
