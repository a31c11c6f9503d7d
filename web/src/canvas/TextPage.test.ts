import { expect, it } from "vitest";
import { linesOf } from "./TextPage";

it("puts the texts of a block on one line", () => {
  const lines = linesOf({
    nodes: [3, 5, 9],
    texts: ["Weight", "708 g", "In stock"],
    lines: [0, 0, 1],
    parents: [2, 4, 8],
    blocks: [1, 1, 8],
  });
  expect(lines.map((line) => line.parts.map((part) => part.text).join(" "))).toEqual([
    "Weight 708 g",
    "In stock",
  ]);
});
