// @vitest-environment jsdom
import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Rows } from "../api/types";
import { RowStore, useRowStore } from "./rows";
import { columnWidths, isNumeric } from "./shape";

function window(offset: number, count: number, total: number): Rows {
  const texts = Array.from({ length: count }, (_, place) => `row ${offset + place}`);
  const none = texts.map(() => null);
  const column = {
    name: "title",
    type: { kind: "text", words: "text" },
    filled: count,
    misfits: [],
    ambiguous: null,
  };
  return {
    offset,
    total,
    columns: [{ ...column, texts, values: texts, boxes: none, nodes: none }],
    row_boxes: none,
  };
}

it("finds a row in the window that has it", () => {
  const rows = new RowStore(window(0, 2, 6));
  rows.add(window(4, 2, 6));
  expect(rows.cell(1, 0)?.text).toBe("row 1");
  expect(rows.cell(5, 0)?.text).toBe("row 5");
  expect(rows.cell(3, 0)).toBeUndefined();
  expect(rows.loaded).toBe(2);
});

it("fetches what follows until every row is there", async () => {
  const load = vi.fn(async (offset: number) => window(offset, Math.min(5000, 12_000 - offset), 12_000));
  const first = window(0, 500, 12_000);
  const { result } = renderHook(() => useRowStore(first, load));
  await waitFor(() => expect(result.current.loaded).toBe(12_000));
  expect(load.mock.calls.map(([offset]) => offset)).toEqual([0, 5000, 10_000].map((at) => at + 500));
  expect(result.current.rows?.cell(11_999, 0)?.text).toBe("row 11999");
});

it("starts anew when the result changes, and drops answers to the old one", async () => {
  let answer: (rows: Rows) => void = () => undefined;
  const load = vi.fn(
    () =>
      new Promise<Rows>((resolve) => {
        answer = resolve;
      }),
  );
  const { result, rerender } = renderHook(({ first }) => useRowStore(first, load), {
    initialProps: { first: window(0, 1, 3) },
  });
  const late = answer;
  rerender({ first: window(0, 2, 2) });
  await act(async () => late(window(1, 2, 3)));
  expect(result.current.rows?.total).toBe(2);
  expect(result.current.loaded).toBe(2);
});

it("makes columns as wide as what is in them, within bounds", () => {
  const long = window(0, 1, 1);
  long.columns[0]!.texts[0] = "x".repeat(500);
  expect(columnWidths(new RowStore(long))[0]).toBe(280);
  expect(columnWidths(new RowStore(window(0, 1, 1)))[0]).toBeGreaterThanOrEqual(76);
});

it("knows which columns are numbers", () => {
  const [column] = window(0, 1, 1).columns;
  expect(isNumeric(column!)).toBe(false);
  expect(isNumeric({ ...column!, type: { kind: "money", words: "money EUR" } })).toBe(true);
});
