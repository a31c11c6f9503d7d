import { expect, it } from "vitest";
import { agedBy, dueOf, dueWords, lasting, when } from "./when";

const now = new Date(2026, 10, 17, 12, 0);
const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();

it("says days as people do", () => {
  expect(when(at(2026, 10, 17, 6, 30), now)).toBe("today 06:30");
  expect(when(at(2026, 10, 16, 23, 59), now)).toBe("yesterday 23:59");
  expect(when(at(2026, 10, 18, 0, 0), now)).toBe("tomorrow 00:00");
  expect(when(at(2026, 10, 2, 6, 30), now)).toBe("2 Nov 06:30");
  expect(when(at(2025, 10, 2, 6, 30), now)).toBe("2 Nov 2025 06:30");
});

it("rounds lengths to what is worth saying", () => {
  expect([0.42, 12.2, 150, 7200].map(lasting)).toEqual(["0.4 s", "12 s", "3 min", "2.0 h"]);
});

it("shows due dates by the clock of their own zone", () => {
  expect(dueWords("2026-11-02T06:30:00+01:00", now)).toBe("2 Nov 06:30");
  expect(dueWords("2026-11-02T00:00:00+14:00", now)).toBe("2 Nov");
  expect(dueWords("2025-01-09T23:59:00-11:00", now)).toBe("9 Jan 2025 23:59");
  expect(dueWords("soon", now)).toBe("soon");
});

it("names what a run is for only if that says something", () => {
  const run = { began: "2026-11-17T06:30:00.120+00:00", due: "2026-11-17T06:30:00+00:00", dated: false };
  expect(dueOf(run, now)).toBeNull();
  expect(dueOf({ ...run, dated: true }, now)).toEqual({ words: "due 06:30", near: true });
  expect(dueOf({ ...run, due: "2026-11-02T00:00:00+00:00" }, now)).toEqual({
    words: "for 2 Nov",
    near: false,
  });
  const ahead = { ...run, dated: true, due: "2026-11-17T08:30:00+01:00" };
  expect(dueOf(ahead, now)?.words).toBe("for 17 Nov 08:30");
});

it("says how much older something is", () => {
  const ages = [30, 90, 7200, 90_000, 200_000].map((seconds) =>
    agedBy(new Date(now.getTime() - seconds * 1000).toISOString(), now),
  );
  expect(ages).toEqual([null, "2 min", "2 h", "25 h", "2 days"]);
  expect(agedBy("", now)).toBeNull();
});
