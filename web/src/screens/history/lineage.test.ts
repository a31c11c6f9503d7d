import { expect, it } from "vitest";
import type { Lineage } from "../../api/history";
import { HEAD, litBy, neighbour, partsOf, pictured, idOf as port, ROW } from "./lineage";

const type = { kind: "text", words: "text" };
const source = (name: string, ...columns: string[]) => ({
  ...{ name, word: "read", what: `read ${name}.csv`, verdict: "ok" as const, rows: 2, pages: 0, at: "" },
  ...{ stands_in: false, missing: false },
  columns: columns.map((column) => ({ name: column, type, seen: null })),
});
const use = (place: string, kind: "identity" | "transformation" | "aggregation" = "identity") => {
  const [from = "", column = ""] = place.split(".");
  return { source: from, column, kind };
};
const LINEAGE: Lineage = {
  sources: [source("rates", "day", "rate"), source("shop", "title", "price", "stock"), source("unused", "a")],
  deliveries: [
    {
      ...{ name: "kept", word: "deliver", what: "deliver good", verdict: "ok", rows: 2 },
      columns: [
        { name: "name", type, uses: [use("shop.title")], unknown: "" },
        {
          ...{ name: "euro", type, unknown: "" },
          uses: [use("shop.price", "transformation"), use("rates.rate", "transformation")],
        },
        { name: "offers", type, uses: [], unknown: "" },
      ],
      deciding: [
        { source: "shop", column: "title", how: "join" },
        { source: "shop", column: "title", how: "filter" },
      ],
    },
  ],
};

it("puts columns beside what they go into, and leaves out those that go nowhere", () => {
  const picture = pictured(LINEAGE, new Set());
  expect(picture.sources.map((card) => [card.of.name, card.ports.map((one) => one.name)])).toEqual([
    ["rates", ["rate"]],
    ["shop", ["title", "price"]],
    ["unused", []],
  ]);
  expect(picture.sources.map((card) => card.rest)).toEqual(
    [1, 1, 1].map((count) => ({ count, shown: false })),
  );
  const swapped = { ...LINEAGE, sources: [source("late", "x"), ...LINEAGE.sources] };
  expect(pictured(swapped, new Set()).sources.at(-2)?.of.name).toBe("late");
});

it("shows the columns that go nowhere if they are asked for", () => {
  const card = pictured(LINEAGE, new Set(["shop"])).sources[1]!;
  expect(card.ports.map((one) => one.name)).toEqual(["title", "price", "stock"]);
  expect(card.rest).toEqual({ count: 1, shown: true });
});

it("draws each line from the middle of a row to the middle of another", () => {
  const { lines, deliveries, sources, height } = pictured(LINEAGE, new Set());
  const line = lines.find((one) => one.to === port("kept", "euro") && one.from === port("rates", "rate"))!;
  expect([line.y1, line.y2, line.kind]).toEqual([HEAD + ROW / 2, HEAD + ROW * 1.5, "transformation"]);
  expect(lines.filter((one) => one.kind === "decides")).toHaveLength(1); // a column that decides twice decides
  expect(deliveries[0]!.ports.map((one) => partsOf(one.id).column)).toEqual(["name", "euro", "offers", null]);
  const last = sources.at(-1)!;
  expect(height).toBe(last.top + last.height);
});

it("lights what a column comes from, and what a column goes into", () => {
  const { lines } = pictured(LINEAGE, new Set());
  const lit = (id: string) => [...litBy(lines, id)!.ports].sort();
  expect(lit(port("kept", "euro"))).toEqual([
    port("kept", "euro"),
    port("rates", "rate"),
    port("shop", "price"),
  ]);
  expect(lit(port("kept", "offers"))).toEqual([port("kept", "offers")]);
  expect(lit(port("shop", "title"))).toContain(port("kept", "name"));
  expect(litBy(lines, null)).toBeNull();
});

it("is walked with the arrow keys", () => {
  const picture = pictured(LINEAGE, new Set());
  const walk = (from: string, key: string) => neighbour(picture, from, key);
  expect(walk(port("kept", "name"), "ArrowDown")).toBe(port("kept", "euro"));
  expect(walk(port("kept", "euro"), "ArrowLeft")).toBe(port("shop", "price"));
  expect(walk(port("shop", "price"), "ArrowRight")).toBe(port("kept", "euro"));
  expect(walk(port("shop", "title"), "ArrowUp")).toBe(port("rates", "rate"));
  expect(walk(port("kept", "name"), "ArrowUp")).toBeNull();
  expect(walk(port("kept", "offers"), "ArrowLeft")).toBeNull();
  expect(walk(port("rates", "rate"), "End")).toBe(port("shop", "price"));
});

it("takes names of columns as they are", () => {
  expect(partsOf(port("shop", "a.b → c"))).toEqual({ step: "shop", column: "a.b → c" });
});

it("stays small and quick with many columns", () => {
  const names = Array.from({ length: 400 }, (_, place) => `column ${place}`);
  const wide: Lineage = {
    sources: [source("shop", ...names)],
    deliveries: [
      {
        ...LINEAGE.deliveries[0]!,
        columns: names.map((name) => ({ name, type, uses: [use(`shop.${name}`)], unknown: "" })),
      },
    ],
  };
  const { lines, height } = pictured(wide, new Set());
  expect(lines).toHaveLength(400);
  expect(height).toBeLessThan(401 * ROW + HEAD + ROW);
});
