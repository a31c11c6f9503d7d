import { expect, test } from "vitest";
import type { Box, Thing, ThingField } from "../../api/types";
import { boxesOf, doubtWords, fieldAt, oneOf, thingMarks } from "./thing";

const field = (name: string, box: Box | null, doubts: ThingField["doubts"] = []): ThingField => ({
  name,
  values: [{ text: name, shown: name, box, said: null }],
  doubts,
});

const DOUBT = { reason: "They differ.", said: "49.00", seen: "59.00", box: [0, 40, 50, 60] as Box };
const THING: Thing = {
  kind: "product",
  name: "Lamp",
  kinds: ["product"],
  is_list: false,
  fields: [
    field("articleBody", [0, 0, 500, 500]),
    field("name", [0, 0, 100, 20]),
    field("sku", null),
    field("price", null, [DOUBT]),
  ],
  verdict: "suspicious",
  reasons: [],
};

test("a doubt says both values, or its reason where there is only one", () => {
  expect(doubtWords(THING.fields[3]!)).toEqual(["says 49.00, shows 59.00"]);
  expect(doubtWords(field("gtin", null, [{ ...DOUBT, seen: null }]))).toEqual(["They differ."]);
});

test("the innermost field is meant, and a smaller candidate before it", () => {
  expect(fieldAt(THING, { x: 10, y: 10 })).toBe("name");
  expect(fieldAt(THING, { x: 10, y: 300 })).toBe("articleBody");
  expect(fieldAt(THING, { x: 10, y: 300 }, [0, 290, 100, 310])).toBeNull();
  expect(fieldAt(THING, { x: 10, y: 50 })).toBe("price");
  expect(fieldAt(THING, { x: 900, y: 900 })).toBeNull();
});

test("what is doubtful looks so on the page, and what is pointed at has its name", () => {
  const marks = thingMarks(THING, "name");
  expect(marks.map((mark) => [mark.id, mark.look, mark.label])).toEqual([
    ["field articleBody 0", "cell", undefined],
    ["field name 0", "lit", "name"],
    ["field price 0", "issue", undefined],
  ]);
  expect(boxesOf(THING.fields[2]!)).toEqual([]);
});

test("kinds have their article", () => {
  expect([oneOf("product"), oneOf("event")]).toEqual(["a product", "an event"]);
});
