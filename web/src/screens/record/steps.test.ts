import { expect, it } from "vitest";
import type { ScriptStep } from "../../api/recordings";
import { after, asText, beside, flat, fromText, moved, onlyGrew, perRecord, range } from "./steps";

const step = (
  place: string,
  steps: ScriptStep[] = [],
  otherwise: ScriptStep[] | null = null,
): ScriptStep => ({
  place,
  word: "click",
  words: "",
  keys: {},
  main: "click",
  target: null,
  doubts: [],
  steps,
  otherwise,
});

const steps = [step("1"), step("2", [step("2.1"), step("2.2")], [step("2.else.1")]), step("3")];

it("lists all steps as they are read", () => {
  expect(flat(steps).map((one) => one.place)).toEqual(["1", "2", "2.1", "2.2", "2.else.1", "3"]);
});

it("knows the places around a step", () => {
  expect(after("2.2")).toBe("2.3");
  expect(range("2.2", "2.1")).toEqual(["2.1", "2.2"]);
  expect(range("1", "2.1")).toEqual(["2.1"]);
  expect([moved("1", -1, 3), moved("2", -1, 3), moved("2", 1, 3), moved("3", 1, 3)]).toEqual([
    null,
    "1",
    "4",
    null,
  ]);
  expect(beside(steps, "2.else.1").map((one) => one.place)).toEqual(["2.else.1"]);
  expect(beside(steps, "2.1")).toHaveLength(2);
});

it("keeps the kind of a value that is edited as a text", () => {
  expect(fromText("30", 10)).toBe(30);
  expect(fromText("", 10)).toBeNull();
  expect(fromText("Austria, Spain", ["Belgium"])).toEqual(["Austria", "Spain"]);
  expect(fromText("12", "x")).toBe("12");
  expect(asText(["a", "b"])).toBe("a, b");
});

it("knows a script to which only more was recorded", () => {
  const steps = (...all: string[]) => all.map((words) => ({ words }) as ScriptStep);
  expect(onlyGrew(steps("open"), steps("open", "click"))).toBe(true);
  expect(onlyGrew(steps("open", "click"), steps("open"))).toBe(false);
  expect(onlyGrew(steps("open", "click"), steps("open", "type"))).toBe(false);
});

it("makes a step that was recorded with one record a step of each", () => {
  const loop = { place: "2", word: "for each", keys: {} } as unknown as ScriptStep;
  const click = {
    place: "2.1",
    word: "click",
    keys: { click: { link: "Arden R50", memory: 1 } },
  } as unknown as ScriptStep;
  const other = {
    place: "3",
    word: "click",
    keys: { click: { link: "Arden R50" } },
  } as unknown as ScriptStep;
  const columns = [{ name: "title", texts: ["Arden R5", "Arden R50"] }];
  expect(perRecord([loop, click, other], columns)).toEqual([
    { action: "change", place: "2.1", key: "click", value: { link: "{title}" } },
  ]);
  expect(perRecord([loop, click], [{ name: "price", texts: ["$5"] }])).toEqual([]);
});
