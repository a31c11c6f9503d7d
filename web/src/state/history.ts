// Undo and redo: the screen that is open says what its history is; the status bar and the keys work on it.
import { useEffect } from "react";
import { create } from "zustand";
import type { History } from "../api/types";

export interface Undoable {
  history: History;
  undo: () => void;
  redo: () => void;
}

export const useUndo = create<{ current: Undoable | null; set: (current: Undoable | null) => void }>(
  (set) => ({
    current: null,
    set: (current) => set({ current }),
  }),
);

export function useHistory(history: History | undefined, undo: () => void, redo: () => void): void {
  useEffect(() => {
    useUndo.getState().set(history ? { history, undo, redo } : null);
    return () => useUndo.getState().set(null);
  });
}
