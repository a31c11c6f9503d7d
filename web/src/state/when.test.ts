import { expect, it } from "vitest";
import { lasting, when } from "./when";

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
