import { expect, it } from "vitest";
import { ageWords, asOf } from "./ages";

const now = new Date(2026, 10, 17, 12, 0);
const began = new Date(2026, 10, 17, 6, 30).toISOString();
const before = (hours: number) => new Date(new Date(began).getTime() - hours * 3_600_000).toISOString();
const step = { at: new Date(2026, 10, 17, 6, 31).toISOString(), stands_in: false, missing: false };

it("says when a source was read, and its age only if it is older than the run", () => {
  expect(ageWords(step, began, now)).toEqual({ words: "read today 06:31", chip: null });
  expect(ageWords({ ...step, at: before(2) }, began, now)?.words).toBe(
    "read today 04:30, 2 h before the run",
  );
  expect(ageWords({ ...step, at: "" }, began, now)).toBeNull();
});

it("tells rows that stand in from rows that are missing", () => {
  expect(ageWords({ ...step, at: before(72), stands_in: true }, began, now)).toEqual({
    words: "rows of 14 Nov 06:30 stand in, 3 days old",
    chip: "older rows",
  });
  const missing = { ...step, missing: true };
  expect(ageWords(missing, began, now)).toEqual({ words: "could not be read", chip: "missing" });
  expect(ageWords({ ...missing, reasons: ["answered with status 503"] }, began, now)?.words).toContain("503");
});

it("marks each row that stands in with its age", () => {
  expect(asOf(before(24), began, now)).toBe("yesterday 06:30 · 24 h old");
});
