import { expect, it } from "vitest";
import type { Box } from "../api/types";
import { around, type Mark, markAt, within } from "./marks";

const mark = (id: string, box: Box): Mark => ({ id, box, look: "cell", colour: "red" });
const OUTER = mark("outer", [0, 0, 100, 100]);
const INNER = mark("inner", [10, 10, 20, 20]);

it("takes the smallest mark at a point", () => {
  expect(markAt([OUTER, INNER], 15, 15)?.id).toBe("inner");
  expect(markAt([INNER, OUTER], 50, 50)?.id).toBe("outer");
  expect(markAt([INNER, OUTER], 150, 50)).toBeNull();
});

it("draws only what reaches into the view", () => {
  expect(within([OUTER, INNER], 30, 60).map((one) => one.id)).toEqual(["outer"]);
});

it("puts a box around boxes, whatever is missing", () => {
  expect(around([null, [5, 5, 10, 10], [0, 8, 7, 20]])).toEqual([0, 5, 10, 20]);
  expect(around([null])).toBeNull();
});
