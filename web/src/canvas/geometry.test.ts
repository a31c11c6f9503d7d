import { describe, expect, it } from "vitest";
import type { Geometry } from "../api/types";
import { nodeAt, search, textOf, wider } from "./geometry";

// <li><a>Canon</a> <b>5 €</b></li>, and a picture beside it.
const GEOMETRY: Geometry = {
  nodes: [10, 11, 12, 13, 14, 20],
  parents: [-1, 0, 1, 0, 3, -1],
  boxes: [0, 0, 200, 20, 0, 0, 80, 20, 0, 0, 80, 20, 100, 0, 140, 20, 100, 0, 140, 20, 220, 0, 300, 60],
  tags: ["li", "a", "#text", "b", "img"],
  tag: [0, 1, 2, 3, 2, 4],
  texts: [null, null, "Canon  EOS", null, "5 €", null],
};

describe("nodeAt", () => {
  it("gives the innermost node, and of equal boxes the later one", () => {
    expect(nodeAt(GEOMETRY, 10, 10)?.node).toBe(12);
    expect(nodeAt(GEOMETRY, 90, 10)?.node).toBe(10);
    expect(nodeAt(GEOMETRY, 250, 30)?.node).toBe(20);
  });

  it("gives nothing where nothing is", () => {
    expect(nodeAt(GEOMETRY, 500, 500)).toBeNull();
  });
});

describe("wider", () => {
  it("skips nodes that only repeat the box", () => {
    expect(wider(GEOMETRY, 12)?.node).toBe(10);
    expect(wider(GEOMETRY, 10)).toBeNull();
  });
});

describe("textOf", () => {
  it("joins the texts below a node and no others", () => {
    expect(textOf(GEOMETRY, 0)).toBe("Canon EOS 5 €");
    expect(textOf(GEOMETRY, 3)).toBe("5 €");
    expect(textOf(GEOMETRY, 5)).toBe("");
  });
});

describe("search", () => {
  it("ignores case and runs of blanks", () => {
    expect(search(GEOMETRY, "canon eos")).toEqual([[0, 0, 80, 20]]);
  });

  it("finds nothing for nothing", () => {
    expect(search(GEOMETRY, "  ")).toEqual([]);
  });
});
