import { expect, it } from "vitest";
import type { FlowNode, StepKind } from "../../api/flows";
import { allowances, arranged, bestArranged, NODE_WIDTH, reaches, refusal, summary } from "./graph";
import { fromSecrets, joined, names, typeWords, withSecrets, words } from "./values";

const step = (
  name: string,
  word: string,
  inputs: string[] = [],
  values: FlowNode["values"] = {},
): FlowNode => ({
  name,
  word,
  group: inputs.length ? "clean" : "source",
  line: 1,
  what: word,
  values,
  inputs: inputs.map((one) => ({ port: word, step: one })),
  problems: [],
});
const kind = (word: string, ports: string[]): StepKind => ({
  word,
  group: "clean",
  title: word,
  about: "",
  ports: ports.map((key) => ({ key, many: false, label: key })),
  keys: [],
});
const STEPS = [
  step("ours", "read"),
  step("clean", "normalise", ["ours"]),
  step("kept", "deliver", ["clean"]),
];
const KINDS = [kind("read", []), kind("normalise", ["normalise"]), kind("deliver", ["deliver"])];

it("follows rows over several steps", () => {
  expect(reaches(STEPS, "ours", "kept")).toBe(true);
  expect(reaches(STEPS, "kept", "ours")).toBe(false);
});

it("refuses wires that make a circle, come twice, or end where no rows are taken", () => {
  expect(refusal(STEPS, KINDS, "kept", "clean", "normalise")).toContain("circle");
  expect(refusal(STEPS, KINDS, "clean", "clean", "normalise")).toContain("its own rows");
  expect(refusal(STEPS, KINDS, "clean", "kept", "deliver")).toContain("already");
  expect(refusal(STEPS, KINDS, "clean", "ours", "read")).toContain("takes no rows");
  expect(refusal(STEPS, KINDS, "ours", "kept", "deliver")).toBeNull();
});

it("puts each step behind those whose rows it takes, to the right or down", () => {
  const steps = [...STEPS, step("lost", "deliver", ["nobody"])];
  const across = arranged(steps, "LR").places;
  expect(across.clean!.x).toBeGreaterThan(across.ours!.x + NODE_WIDTH);
  expect(across.kept!.x).toBeGreaterThan(across.clean!.x + NODE_WIDTH);
  const down = arranged(steps, "TB").places;
  expect(down.kept!.y).toBeGreaterThan(down.clean!.y);
  expect(Object.keys(down)).toHaveLength(4);
});

it("chooses the direction in which the flow is larger", () => {
  expect(bestArranged(STEPS, { width: 300, height: 900 }).direction).toBe("TB");
  expect(bestArranged(STEPS, { width: 1200, height: 200 }).direction).toBe("LR");
});

it("says what a step is about", () => {
  expect(summary(step("ours", "read", [], { read: ["a.csv", "b.csv"] }))).toBe("a.csv, b.csv");
  expect(summary(step("c", "check", ["x"], { need: ["price"], rules: { cheap: "price < 9" } }))).toBe(
    "1 rule, need price",
  );
});

it("reads and writes lists and names on a line", () => {
  expect(words(" a, b ,,c")).toEqual(["a", "b", "c"]);
  expect(names("sku, name: title")).toEqual({ sku: "sku", name: "title" });
  expect(joined({ sku: "sku", name: "title" })).toBe("sku, name: title");
  expect(names("sku, name")).toEqual(["sku", "name"]);
});

it("calls types as people do", () => {
  expect(
    ["string", "decimal128(38, 2)", "bool", "timestamp[us]", "list<item: string>", "int64"].map(typeWords),
  ).toEqual(["text", "number", "yes or no", "time", "list", "number"]);
});

it("says what a source does if it cannot be read", () => {
  const source = (values: FlowNode["values"]) => allowances(step("shop", "extract", [], values));
  expect(source({ optional: true, keep_last: "3 days" })).toEqual(["optional", "keeps 3 days"]);
  expect(source({ keep_last: "1 week" })).toEqual(["keeps 1 week"]);
  expect(source({ optional: false })).toEqual([]);
  expect(allowances(step("clean", "sql", ["shop"], { optional: true }))).toEqual([]);
});

it("writes secrets on a line and reads them again", () => {
  const told = [{ secret: "team" }, "mailto://anna@shop.example"];
  expect(withSecrets(told)).toBe("secret: team, mailto://anna@shop.example");
  expect(fromSecrets(withSecrets(told), true)).toEqual(told);
  expect(fromSecrets("secret:team", true)).toEqual({ secret: "team" });
  expect(fromSecrets(" prices.duckdb#a, b ", false)).toBe("prices.duckdb#a, b");
  expect([fromSecrets("", true), withSecrets(undefined)]).toEqual([null, ""]);
});
