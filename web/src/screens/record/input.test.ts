import { expect, it } from "vitest";
import { key, modifiers, mouse, pointOf, wheel } from "./input";

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };

it("finds the point of the window under a point of a scaled picture", () => {
  const box = { left: 100, top: 50, width: 640, height: 400 };
  const size = { width: 1280, height: 800 };
  expect(pointOf({ clientX: 420, clientY: 250 }, box, size)).toEqual({ x: 640, y: 400 });
  expect(pointOf({ clientX: 9999, clientY: 0 }, box, size)).toEqual({ x: 1279, y: 0 });
});

it("says which button, and how often it was clicked", () => {
  const down = mouse("down", { ...none, button: 0, buttons: 1, detail: 2 }, { x: 1, y: 2 });
  expect(down).toMatchObject({ type: "down", button: "left", count: 2, buttons: 1 });
  const move = mouse("move", { ...none, button: 0, buttons: 0, detail: 0 }, { x: 1, y: 2 });
  expect(move).toMatchObject({ button: "none", count: 1 });
});

it("turns lines of a wheel into pixels", () => {
  expect(wheel({ ...none, deltaX: 0, deltaY: 3, deltaMode: 1 }, { x: 0, y: 0 })).toMatchObject({ by_y: 48 });
});

it("leaves composing and pasting to the text that comes of it", () => {
  const typed = { ...none, key: "a", code: "KeyA", keyCode: 65, repeat: false, isComposing: false };
  expect(key(true, typed)).toMatchObject({ kind: "key", down: true, key: "a", number: 65 });
  expect(key(true, { ...typed, isComposing: true })).toBeNull();
  expect(key(true, { ...typed, key: "v", ctrlKey: true })).toBeNull();
  expect(modifiers({ ...none, ctrlKey: true, shiftKey: true })).toBe(10);
});
