import { expect, it } from "vitest";
import type { Box, LessonField } from "../../api/types";
import { intentOf } from "./intent";
import { freshName, lossOf } from "./lesson";

const PRICE: Box = [0, 0, 40, 20];
const OFFER: Box = [0, 100, 80, 120];
const FIELD = {
  name: "price",
  matches: [
    { node: 5, box: PRICE, text: "5 €" },
    { node: 9, box: OFFER, text: "Special offer" },
  ],
  examples: [{ page: "p", node: 5, text: "5 €", wanted: true, box: PRICE }],
} as unknown as LessonField;

it("rejects what is taken, and wants what is not", () => {
  expect(intentOf(FIELD, { node: 9, box: OFFER, text: "Special offer" }, "p")).toBe("reject");
  expect(intentOf(FIELD, { node: 7, box: [0, 200, 40, 220], text: "9 €" }, "p")).toBe("want");
  expect(intentOf(null, { node: 9, box: OFFER, text: "Special offer" }, "p")).toBe("want");
});

it("confirms the only value that a chosen field has on another page", () => {
  const single = { ...FIELD, matches: FIELD.matches.slice(0, 1) } as LessonField;
  const target = { node: 5, box: PRICE, text: "5 €" };
  expect(intentOf(single, target, "another", true)).toBe("want");
  expect(intentOf(single, target, "another")).toBe("reject");
  expect(intentOf(FIELD, target, "another", true)).toBe("reject");
});

it("knows a match by its text as well as by its element, however much wider that is", () => {
  expect(intentOf(FIELD, { node: 10, box: [2, 102, 20, 118], text: " Special  offer " }, "p")).toBe("reject");
});

it("takes a part of a match, what is around it, and the same text elsewhere for something else", () => {
  expect(intentOf(FIELD, { node: 11, box: [0, 100, 20, 110], text: "Special" }, "p")).toBe("want");
  expect(intentOf(FIELD, { node: 12, box: [0, 0, 80, 240], text: "5 € Special offer" }, "p")).toBe("want");
  expect(intentOf(FIELD, { node: 13, box: [0, 300, 80, 320], text: "Special offer" }, "p")).toBe("want");
});

it("never rejects an example that was given on this page", () => {
  expect(intentOf(FIELD, { node: 5, box: PRICE, text: "5 €" }, "p")).toBe("keep");
  expect(intentOf(FIELD, { node: 5, box: PRICE, text: "5 €" }, "another")).toBe("reject");
});

it("gives new fields names that nobody has", () => {
  expect(freshName([])).toBe("field 1");
  expect(freshName(["name", "field 2"])).toBe("field 3");
  expect(freshName(["field 2"])).toBe("field 3");
});

it("asks about an example after which far fewer records are found", () => {
  const want = { action: "want", field: "price", page: "p", node: 1 } as const;
  expect(lossOf(want, 10, 3)).toEqual({ before: 10, after: 3 });
  expect(lossOf(want, 10, 9)).toBeNull();
  expect(lossOf({ action: "reject", field: "price", page: "p", node: 1 }, 10, 3)).toBeNull();
});
