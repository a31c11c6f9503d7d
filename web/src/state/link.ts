// The link between data and page: which cell is pointed at, and from which side. Nothing is asked of the server for it.
import { create } from "zustand";

export interface Cell {
  row: number;
  column: number;
}

interface LinkState {
  cell: Cell | null;
  /** Where the pointer is: the other side scrolls to the cell. */
  from: "grid" | "page" | null;
  point: (cell: Cell | null, from: "grid" | "page") => void;
}

export const useLink = create<LinkState>((set, get) => ({
  cell: null,
  from: null,
  point: (cell, from) => {
    const old = get().cell;
    if (old?.row === cell?.row && old?.column === cell?.column) return;
    set({ cell, from: cell ? from : null });
  },
}));
