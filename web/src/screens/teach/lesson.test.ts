import { expect, it } from "vitest";
import type { LessonField } from "../../api/types";
import { intentOf } from "./intent";
import { freshName } from "./lesson";

const FIELD = {
  name: "price",
  matches: [
    { node: 5, box: null, text: "5 €" },
    { node: 9, box: null, text: "Special offer" },
  ],
  examples: [{ page: "p", node: 5, text: "5 €", wanted: true, box: null }],
} as unknown as LessonField;

it("rejects what is taken, and wants what is not", () => {
  expect(intentOf(FIELD, 9)).toBe("reject");
  expect(intentOf(FIELD, 7)).toBe("want");
  expect(intentOf(null, 9)).toBe("want");
});

it("never rejects an example that was given", () => {
  expect(intentOf(FIELD, 5)).toBe("keep");
});

it("gives new fields names that nobody has", () => {
  expect(freshName([])).toBe("field 1");
  expect(freshName(["name", "field 2"])).toBe("field 3");
  expect(freshName(["field 2"])).toBe("field 3");
});
