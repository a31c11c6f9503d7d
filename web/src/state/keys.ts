// Keys: screens say which keys they heed and what these do; the map that `?` shows is made of the same list.
import { useEffect } from "react";
import { create } from "zustand";

export interface KeyBinding {
  /** As `KeyboardEvent.key`; `mod+` stands for Control, or Command on a Mac. */
  keys: string;
  label: string;
  run: (event: KeyboardEvent) => void;
  /** Also while a text is being typed. */
  always?: boolean;
}

interface KeysState {
  groups: { id: symbol; name: string; bindings: KeyBinding[] }[];
  add: (id: symbol, name: string, bindings: KeyBinding[]) => void;
  remove: (id: symbol) => void;
}

export const useKeyMap = create<KeysState>((set) => ({
  groups: [],
  add: (id, name, bindings) =>
    set((state) => ({
      groups: [...state.groups.filter((group) => group.id !== id), { id, name, bindings }],
    })),
  remove: (id) => set((state) => ({ groups: state.groups.filter((group) => group.id !== id) })),
}));

export const IS_MAC = /mac/i.test(navigator.userAgent);

/** How a key is written for people. */
export function keyName(keys: string): string {
  return keys
    .replace("mod+", IS_MAC ? "⌘" : "Ctrl ")
    .replace("shift+", IS_MAC ? "⇧" : "Shift ")
    .replace("Enter", "↵")
    .replace("Escape", "Esc")
    .replace(/\b([a-z])$/, (letter) => (keys.includes("mod+") ? letter.toUpperCase() : letter));
}

/** The key of an event, written as bindings are. */
export function keyOf(event: KeyboardEvent): string {
  const mod = event.ctrlKey || event.metaKey;
  const shift = mod && event.shiftKey;
  return `${mod ? "mod+" : ""}${shift ? "shift+" : ""}${mod ? event.key.toLowerCase() : event.key}`;
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input:not([type=checkbox]), textarea, select, [contenteditable]")
  );
}

export function useKeys(name: string, bindings: KeyBinding[]): void {
  useEffect(() => {
    const id = Symbol(name);
    useKeyMap.getState().add(id, name, bindings);
    const heed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      const found = bindings.find((binding) => binding.keys === keyOf(event));
      if (!found || (isTyping(event.target) && !found.always)) return;
      event.preventDefault();
      found.run(event);
    };
    window.addEventListener("keydown", heed);
    return () => {
      window.removeEventListener("keydown", heed);
      useKeyMap.getState().remove(id);
    };
  });
}
