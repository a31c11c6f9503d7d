// @vitest-environment jsdom
import { renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { keyOf, useKeyMap, useKeys } from "./keys";

const press = (key: string, options: KeyboardEventInit = {}, target: EventTarget = document.body) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options }));

it("writes keys as bindings do", () => {
  expect(keyOf(new KeyboardEvent("keydown", { key: "Z", ctrlKey: true, shiftKey: true }))).toBe(
    "mod+shift+z",
  );
  expect(keyOf(new KeyboardEvent("keydown", { key: "?", shiftKey: true }))).toBe("?");
});

it("runs what is bound, except while a text is typed", () => {
  const next = vi.fn();
  const find = vi.fn();
  renderHook(() =>
    useKeys("Test", [
      { keys: "j", label: "Next", run: next },
      { keys: "mod+k", label: "Find", run: find, always: true },
    ]),
  );
  const field = document.body.appendChild(document.createElement("input"));
  press("j");
  press("j", {}, field);
  press("k", { ctrlKey: true }, field);
  expect(next).toHaveBeenCalledTimes(1);
  expect(find).toHaveBeenCalledTimes(1);
});

it("takes a screen's keys off the map when it goes", () => {
  const { unmount } = renderHook(() => useKeys("Gone", [{ keys: "g", label: "Go", run: () => undefined }]));
  expect(useKeyMap.getState().groups.some((group) => group.name === "Gone")).toBe(true);
  unmount();
  expect(useKeyMap.getState().groups.some((group) => group.name === "Gone")).toBe(false);
});
