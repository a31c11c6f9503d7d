// How likely the best candidates of the records that wait are, with a line: everything above it is accepted at once.
import { type KeyboardEvent, type PointerEvent, type Ref, useState } from "react";
import { Button } from "../../design/controls";
import { axisOf, countAbove, firstLine, percent } from "./marked";
import css from "./match.module.css";

interface LineProps {
  counts: number[];
  /** From this chance on, the next run matches pairs by itself. */
  matched: number;
  score: number | null;
  onAccept: (above: number) => void;
  ref?: Ref<SVGSVGElement>;
}

const HEIGHT = 80;
const STEPS: Record<string, number> = { ArrowLeft: -0.01, ArrowRight: 0.01, PageDown: -0.1, PageUp: 0.1 };

export function LineOfChance({ counts, matched, score, onAccept, ref }: LineProps) {
  const [wanted, setWanted] = useState<number | null>(null);
  const [start, end] = axisOf(counts);
  const line = Math.max(start, Math.min(wanted ?? firstLine(counts, matched), end));
  const tallest = Math.max(...counts, 1);
  const above = countAbove(counts, line);
  const move = (to: number) => setWanted(Math.min(Math.max(Math.round(to * 100) / 100, start), end));
  const drag = (event: PointerEvent<SVGSVGElement>) => {
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.getBoundingClientRect();
    move(start + ((event.clientX - box.left) / box.width) * (end - start));
  };
  const press = (event: KeyboardEvent) => {
    if (event.key in STEPS) move(line + STEPS[event.key]!);
    else if (event.key === "Home") move(start);
    else if (event.key === "End") move(end);
    else return;
    event.preventDefault();
  };
  const at = (share: number) => ((share - start) / (end - start)) * 100;
  const first = Math.round(start * 100);
  return (
    <div className={css.chances}>
      <svg
        ref={ref}
        className={css.plot}
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        role="slider"
        tabIndex={0}
        aria-label="The chance from which on all are accepted"
        aria-valuemin={first}
        aria-valuemax={Math.round(end * 100)}
        aria-valuenow={Math.round(line * 100)}
        aria-valuetext={`${percent(line)}, ${above} pairs`}
        onPointerDown={drag}
        onPointerMove={drag}
        onKeyDown={press}
      >
        {counts.slice(first, Math.round(end * 100)).map((count, bar) => {
          const place = first + bar;
          // A few stand beside many, so heights are drawn by their root.
          const height = Math.sqrt(count / tallest) * (HEIGHT - 8);
          return (
            <rect
              key={place}
              x={at(place / 100)}
              y={HEIGHT - height}
              width={at(start + 0.01) * 0.84}
              height={height}
              data-above={place / 100 >= line - 0.001}
            />
          );
        })}
        {score !== null && score >= start && score <= end && (
          <line className={css.here} x1={at(score)} x2={at(score)} y1={HEIGHT - 10} y2={HEIGHT} />
        )}
        <line className={css.line} x1={at(line)} x2={at(line)} y1={0} y2={HEIGHT} />
      </svg>
      <div className={css.axis} aria-hidden="true">
        <span>{percent(start)}</span>
        <span>{percent((start + end) / 2)}</span>
        <span>{percent(end)}</span>
      </div>
      <Button disabled={above === 0} onClick={() => onAccept(line)}>
        {above === 0
          ? `No pair from ${percent(line)} on`
          : `Accept ${above === 1 ? "1 pair" : `${above.toLocaleString("en")} pairs`} from ${percent(line)} on`}
      </Button>
      <p className={css.lead}>
        Drag the line, or move it with the arrow keys. Pairs from {percent(matched)} on are matched by the
        next run in any case, unless you say otherwise.
      </p>
    </div>
  );
}
