import { expect, it } from "vitest";
import { linePath, short, ticks } from "./scale";

it("marks the axis with round numbers that hold all values", () => {
  expect(ticks(0, 213)).toEqual([0, 100, 200, 300]);
  expect(ticks(0.2, 0.9)).toEqual([0.2, 0.4, 0.6, 0.8, 1]);
  expect(ticks(5, 5)).toEqual([5]);
  expect(ticks(1e17, 1e17 + 16)).toEqual([1e17]); // no number is between them
});

it("leaves a gap where a value is missing", () => {
  const same = (one: number) => one;
  expect(linePath([1, 2, null, 4], same, same)).toBe("M0.0,1.0L1.0,2.0M3.0,4.0");
});

it("shortens large numbers", () => {
  expect([213, 12_345, 1_000_000, 0.1234].map(short)).toEqual(["213", "12.3 k", "1 M", "0.123"]);
});
