// Rows of any size: the first window comes with the result, the rest is fetched behind it, so that scrolling finds it there.
import { useEffect, useRef, useState } from "react";
import type { Box, ColumnData, ColumnInfo, Rows } from "../api/types";

export interface GridCell {
  text: string | null;
  value: string | null;
  box: Box | null;
  nodes: number[] | null;
  page: string | null;
}

const CHUNK = 5000; // rows in a request; 100,000 rows are twenty requests
const MOST = 300_000; // rows kept in memory; of more, only what is looked at is fetched
const LOOKED_AT = 500; // rows fetched around a place that is looked at

export class RowStore {
  readonly total: number;
  readonly columns: ColumnInfo[];
  #windows: Rows[];
  /** Asks for rows around a place; they come when they come. */
  want: ((row: number) => void) | null = null;

  constructor(first: Rows) {
    this.total = first.total;
    this.columns = first.columns;
    this.#windows = [first];
  }

  add(rows: Rows): void {
    this.#windows.push(rows);
  }

  /** How many rows from the first on are here. */
  get loaded(): number {
    let end = 0;
    for (const window of [...this.#windows].sort((one, other) => one.offset - other.offset))
      if (window.offset <= end) end = Math.max(end, window.offset + lengthOf(window));
    return end;
  }

  has(row: number): boolean {
    return this.#window(row) !== undefined;
  }

  rowBox(row: number): Box | null {
    const window = this.#window(row);
    return window?.row_boxes[row - window.offset] ?? null;
  }

  /** A cell, or undefined if its row is not here yet. */
  cell(row: number, column: number): GridCell | undefined {
    const window = this.#window(row);
    const data = window?.columns[column];
    return window && data ? cellOf(data, row - window.offset) : undefined;
  }

  #window(row: number): Rows | undefined {
    return this.#windows.find((window) => row >= window.offset && row < window.offset + lengthOf(window));
  }
}

const lengthOf = (rows: Rows): number => rows.columns[0]?.texts.length ?? rows.row_boxes.length;

function cellOf(data: ColumnData, place: number): GridCell {
  return {
    text: data.texts[place] ?? null,
    value: data.values[place] ?? null,
    box: data.boxes[place] ?? null,
    nodes: data.nodes[place] ?? null,
    page: data.pages?.[place] ?? null,
  };
}

/** The rows of a result, and a number that grows whenever more have come. */
export function useRowStore(
  first: Rows | undefined,
  load?: (offset: number, limit: number, signal: AbortSignal) => Promise<Rows>,
): { rows: RowStore | null; loaded: number } {
  const [state, setState] = useState<{ of: Rows | undefined; rows: RowStore | null; loaded: number }>({
    of: undefined,
    rows: null,
    loaded: 0,
  });
  let current = state;
  if (first !== state.of) {
    const rows = first ? new RowStore(first) : null;
    current = { of: first, rows, loaded: rows?.loaded ?? 0 };
    setState(current);
  }
  const loader = useRef(load);
  loader.current = load;
  const { rows } = current;
  useEffect(() => {
    if (!rows || !loader.current) return;
    const stop = new AbortController();
    const asked = new Set<number>();
    const fetched = (more: Rows) => {
      if (stop.signal.aborted || lengthOf(more) === 0) return false;
      rows.add(more);
      setState((old) => (old.rows === rows ? { ...old, loaded: old.loaded + lengthOf(more) } : old));
      return true;
    };
    const complain = (problem: unknown) => {
      if (!stop.signal.aborted) console.warn("Further rows could not be fetched:", problem);
    };
    if (rows.total > MOST) {
      rows.want = (row) => {
        const offset = Math.floor(row / LOOKED_AT) * LOOKED_AT;
        if (asked.has(offset)) return;
        asked.add(offset);
        loader.current!(offset, LOOKED_AT, stop.signal).then(fetched, (problem) => {
          asked.delete(offset);
          complain(problem);
        });
      };
      return () => {
        rows.want = null;
        stop.abort();
      };
    }
    const fill = async () => {
      for (let at = rows.loaded; at < rows.total; at = rows.loaded)
        if (!fetched(await loader.current!(at, CHUNK, stop.signal))) return;
    };
    fill().catch(complain);
    return () => stop.abort();
  }, [rows]);
  return { rows, loaded: current.loaded };
}
