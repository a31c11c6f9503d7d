// What a person does on the picture, as the live browser wants to hear it.
import type { Outgoing } from "./live";

const BUTTONS = ["left", "middle", "right"] as const;
const LINE = 16; // pixels of a line that a wheel turns by
const PAGE = 600;

interface Keys {
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

/** The modifiers that are held, as bits. */
export const modifiers = (event: Keys): number =>
  (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);

/** A point of the window, from a point of the screen. */
export function pointOf(
  at: { clientX: number; clientY: number },
  box: { left: number; top: number; width: number; height: number },
  size: { width: number; height: number },
): { x: number; y: number } {
  const inside = (value: number, most: number) => Math.min(Math.max(value, 0), most - 1);
  return {
    x: inside(((at.clientX - box.left) / box.width) * size.width, size.width),
    y: inside(((at.clientY - box.top) / box.height) * size.height, size.height),
  };
}

export function mouse(
  type: "move" | "down" | "up",
  event: Keys & { button: number; buttons: number; detail: number },
  at: { x: number; y: number },
): Outgoing {
  return {
    kind: "mouse",
    type,
    ...at,
    button: type === "move" ? "none" : (BUTTONS[event.button] ?? "none"),
    // Browsers number the bits of the right and middle buttons as we do.
    buttons: event.buttons,
    count: Math.max(1, event.detail),
    modifiers: modifiers(event),
  };
}

export function wheel(
  event: Keys & { deltaX: number; deltaY: number; deltaMode: number },
  at: { x: number; y: number },
): Outgoing {
  const unit = [1, LINE, PAGE][event.deltaMode] ?? 1;
  return {
    kind: "wheel",
    ...at,
    by_x: event.deltaX * unit,
    by_y: event.deltaY * unit,
    modifiers: modifiers(event),
  };
}

/** A key, or null for what an input method or the clipboard will say better. */
export function key(
  down: boolean,
  event: Keys & { key: string; code: string; keyCode: number; repeat: boolean; isComposing: boolean },
): Outgoing | null {
  if (event.isComposing || event.key === "Process" || event.key === "Dead" || event.key === "Unidentified")
    return null;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v") return null;
  return {
    kind: "key",
    down,
    key: event.key,
    code: event.code,
    number: event.keyCode,
    modifiers: modifiers(event),
    repeated: event.repeat,
  };
}
