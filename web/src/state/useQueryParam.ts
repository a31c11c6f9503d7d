// A part of the state in the address, such as `?cell=3,4`, so that links and the back button work.
import { useCallback } from "react";
import { useSearchParams } from "wouter";

export function useQueryParam(name: string): [string | null, (value: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (value: string | null) => {
      setParams(
        (old) => {
          const next = new URLSearchParams(old);
          if (value === null) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      );
    },
    [name, setParams],
  );
  return [params.get(name), set];
}

/** The cell of the address, and how to choose another. */
export function useCellParam(): [
  { row: number; column: number } | null,
  (cell: { row: number; column: number } | null) => void,
] {
  const [text, set] = useQueryParam("cell");
  const [row, column] = (text ?? "").split(",").map(Number);
  const cell =
    Number.isInteger(row) && Number.isInteger(column) && text ? { row: row!, column: column! } : null;
  return [cell, (wanted) => set(wanted ? `${wanted.row},${wanted.column}` : null)];
}
