import { expect, it } from "vitest";
import type { BackfillDay } from "../../api/flows";
import { dayFrom, ended, inShort, isDay, summary, withDay, worst } from "./backfill";

const day = (
  number: number,
  state: BackfillDay["state"],
  verdict: BackfillDay["verdict"] = null,
): BackfillDay => ({
  kind: "day",
  due: `2026-11-0${number}T06:30:00+01:00`,
  state,
  run: verdict && `run ${number}`,
  verdict,
  reasons: [],
  problem: state === "refused" ? "no capture" : null,
});

it("keeps each day once, as it is now", () => {
  const told = [day(1, "running"), day(1, "done", "ok"), day(2, "running")];
  const days = told.reduce(withDay, []);
  expect(days.map((one) => one.state)).toEqual(["done", "running"]);
  expect(ended(days)).toHaveLength(1);
  expect(isDay(days[0]!)).toBe(true);
});

it("says in a sentence what became of all", () => {
  const days = [day(1, "done", "ok"), day(2, "done", "suspicious"), day(3, "done", "ok"), day(4, "refused")];
  expect(summary(days)).toBe("3 dates ran: 2 ok, 1 suspicious. 1 was refused.");
  expect(summary([day(4, "refused"), day(5, "refused")])).toBe("2 were refused.");
  expect(summary([day(1, "done", "failed"), day(2, "running")])).toBe("1 date ran: 1 failed.");
  expect(summary([])).toBe("");
  const short = [days, days.slice(0, 3), [day(1, "done", "failed")], []].map(inShort);
  expect(short).toEqual(["1 refused", "3 days filled in", "1 failed", "nothing to do"]);
});

it("has the worst verdict of its days", () => {
  expect(worst([day(1, "done", "ok")])).toBe("ok");
  expect(worst([day(1, "done", "ok"), day(2, "done", "suspicious")])).toBe("suspicious");
  expect(worst([day(1, "done", "suspicious"), day(2, "refused")])).toBe("failed");
});

it("counts days by the calendar", () => {
  const now = new Date(2026, 2, 1, 0, 5);
  expect([dayFrom(now, 0), dayFrom(now, -1)]).toEqual(["2026-03-01", "2026-02-28"]);
});
