import { describe, expect, it } from "vitest";
import type { ReviewPair } from "../../api/reviews";
import { axisOf, countAbove, fieldRows, firstLine, percent, pieces, timeWords } from "./marked";

describe("pieces", () => {
  it("cuts by characters, as the server counts them", () => {
    const found = pieces("😀 DSC-W150 new", [{ start: 2, end: 10, kind: "shared code" }]);
    expect(found).toEqual([
      { text: "😀 ", kind: null },
      { text: "DSC-W150", kind: "shared code" },
      { text: " new", kind: null },
    ]);
  });

  it("loses nothing of the text", () => {
    const marks = [
      { start: 0, end: 1, kind: "shared word" as const },
      { start: 1, end: 3, kind: "other number" as const },
    ];
    expect(pieces("abc", marks).map((piece) => piece.text)).toEqual(["a", "bc"]);
    expect(pieces("", [])).toEqual([]);
  });
});

describe("fieldRows", () => {
  it("puts fields of one name beside each other, then the price, then what only one has", () => {
    const field = (name: string) => ({ name, text: name, marks: [] });
    const pair = {
      left: { id: "1", text: "", fields: [field("price"), field("shop"), field("name")] },
      right: { id: "2", text: "", fields: [field("name"), field("price"), field("ean")] },
      price: { field: "price", words: "about the same", ratio: 1 },
    } as unknown as ReviewPair;
    expect(fieldRows(pair).map((row) => row.name)).toEqual(["name", "price", "shop", "ean"]);
  });
});

describe("timeWords", () => {
  it.each([
    [10, "less than a minute"],
    [65, "1 minute"],
    [1500, "25 minutes"],
    [3700, "1 hour"],
    [9000, "2½ hours"],
  ])("%d seconds are %s", (seconds, words) => expect(timeWords(seconds)).toBe(words));
});

describe("the line", () => {
  const counts = Array.from({ length: 100 }, (_, at) => (at === 20 || at === 34 ? 3 : 0));
  it("takes in what is at it and above", () => {
    expect(countAbove(counts, 0.34)).toBe(3);
    expect(countAbove(counts, 0.35)).toBe(0);
    expect(countAbove(counts, 0)).toBe(6);
  });
  it("begins where something is above it, but never where it would be a guess", () => {
    const likely = counts.map((_, at) => (at === 92 ? 1 : 0));
    expect(firstLine(likely, 0.97)).toBe(0.9);
    expect(firstLine(likely, 0.8)).toBe(0.8);
    expect(firstLine(counts, 0.97)).toBe(0.5);
  });
  it("has an axis as long as the bars need", () => {
    expect(axisOf(counts)).toEqual([0.2, 0.4]);
    expect(axisOf(counts.map(() => 0))).toEqual([0, 0.2]);
    expect(axisOf(counts.map(() => 1))).toEqual([0, 1]);
    expect(axisOf(counts.map((_, at) => (at > 92 ? 1 : 0)))).toEqual([0.8, 1]);
  });
  it("is told in per cent, and never rounded to all or nothing", () => {
    expect([0.35, 0.995, 1, 0.004, 0].map(percent)).toEqual(["35 %", "99.5 %", "100 %", "0.4 %", "0 %"]);
  });
});
