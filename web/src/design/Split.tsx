// Two areas with a line between them that can be dragged, or moved with the arrow keys; its place is remembered.
import { type CSSProperties, type PointerEvent, type ReactNode, useRef, useState } from "react";
import css from "./Split.module.css";

interface SplitProps {
  name: string;
  /** Which way the areas stand: side by side, or one above the other. */
  direction: "row" | "column";
  /** The share of the first area, if nobody has moved the line yet. */
  initial: number;
  least?: number;
  first: ReactNode;
  second: ReactNode;
  label: string;
  /** A share for now, which is not remembered. */
  forced?: number | undefined;
}

const STEP = 0.02;

export function Split({ name, direction, initial, least = 0.15, first, second, label, forced }: SplitProps) {
  const key = `split ${name}`;
  const area = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(() => Number(localStorage.getItem(key)) || initial);

  const move = (wanted: number) => {
    const kept = Math.min(1 - least, Math.max(least, wanted));
    setShare(kept);
    localStorage.setItem(key, kept.toFixed(4));
  };
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = area.current!.getBoundingClientRect();
    move(
      direction === "row" ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height,
    );
  };
  return (
    <div
      className={css.split}
      data-direction={direction}
      ref={area}
      style={{ "--share": `${(forced ?? share) * 100}%` } as CSSProperties}
    >
      <div className={css.first}>{first}</div>
      <div
        className={css.line}
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation={direction === "row" ? "vertical" : "horizontal"}
        aria-valuenow={Math.round(share * 100)}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onDoubleClick={() => move(initial)}
        onKeyDown={(event) => {
          if (["ArrowLeft", "ArrowUp"].includes(event.key)) move(share - STEP);
          else if (["ArrowRight", "ArrowDown"].includes(event.key)) move(share + STEP);
          else return;
          event.preventDefault();
        }}
      />
      <div className={css.second}>{second}</div>
    </div>
  );
}
