import { useEffect, useRef, useState } from "react";
import { useGeometry } from "../api/queries";
import type { Box } from "../api/types";
import { Button, IconButton, TextField } from "../design/controls";
import { keyName } from "../state/keys";
import { search } from "./geometry";
import css from "./PageCanvas.module.css";

interface SearchBarProps {
  page: string;
  count: number;
  at: number;
  onFound: (boxes: Box[]) => void;
  onMove: (by: number) => void;
  /** Takes what was found, as a click on it would. */
  onTake?: (() => void) | undefined;
  onClose: () => void;
}

export function SearchBar({ page, count, at, onFound, onMove, onTake, onClose }: SearchBarProps) {
  const geometry = useGeometry(page).data;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const [words, setWords] = useState("");
  // Whoever types before the places of the words have arrived gets the answer when they do.
  // biome-ignore lint/correctness/useExhaustiveDependencies: onChange searches; this is for words that came before the page
  useEffect(() => {
    if (geometry && words) onFound(search(geometry, words));
  }, [geometry !== undefined]);
  const status = count ? `${at + 1} of ${count}` : !words.trim() ? "" : geometry ? "not found" : "searching…";
  return (
    <search className={css.search}>
      <TextField
        label="Search on the page"
        placeholder="Search on the page"
        ref={field}
        onChange={(event) => {
          setWords(event.target.value);
          if (geometry) onFound(search(geometry, event.target.value));
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && onTake) onTake();
          else if (event.key === "Enter") onMove(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") onClose();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span role="status">{status}</span>
      {onTake && count > 0 && (
        <Button look="ghost" keys={keyName("mod+Enter")} onClick={onTake}>
          Take it
        </Button>
      )}
      <IconButton icon="left" label="Previous" disabled={!count} onClick={() => onMove(-1)} />
      <IconButton icon="right" label="Next" disabled={!count} onClick={() => onMove(1)} />
      <IconButton icon="cross" label="Close the search" onClick={onClose} />
    </search>
  );
}
