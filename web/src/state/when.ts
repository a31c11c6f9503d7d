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
