// A part of the state in the address, such as `?cell=3,4`, so that links and the back button work.
import { useCallback } from "react";
import { useSearchParams } from "wouter";
import { navigate } from "wouter/use-browser-location";

export function useQueryParam(name: string): [string | null, (value: string | null) => void] {
  const [params] = useSearchParams();
  const set = useCallback(
    (value: string | null) => {
      // The address itself is asked, since several parts may be set before anything is drawn again.
      const next = new URLSearchParams(window.location.search);
      if (value === null) next.delete(name);
      else next.set(name, value);
      const search = next.toString();
      navigate(window.location.pathname + (search ? `?${search}` : ""), { replace: true });
    },
    [name],
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
