// What was extracted, by how different it looks; the cut can be dragged, and the page shows what is beyond it.
import { type PointerEvent, useRef } from "react";
import type { RunState } from "../../api/types";
import css from "./check.module.css";

interface OutlierPlotProps {
  outliers: NonNullable<RunState["outliers"]>;
  cut: number;
  onCut: (cut: number) => void;
  onPage: (page: string) => void;
}

const BINS = 40;
const HEIGHT = 72;
const STEP = 0.02;

export function OutlierPlot({ outliers, cut, onCut, onPage }: OutlierPlotProps) {
  const plot = useRef<SVGSVGElement>(null);
  const most = Math.max(...outliers.scores.map((one) => one.score), outliers.cut * 1.2, 1e-9);
  const counts = Array.from({ length: BINS }, () => 0);
  for (const { score } of outliers.scores)
    counts[Math.min(BINS - 1, Math.floor((score / most) * BINS))]! += 1;
  const tallest = Math.max(...counts, 1);
  const beyond = outliers.scores
    .filter((one) => one.score > cut)
    .sort((one, other) => other.score - one.score);
  const drag = (event: PointerEvent<SVGSVGElement>) => {
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = plot.current!.getBoundingClientRect();
    onCut(Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1) * most);
  };
  const x = (cut / most) * 100;
  return (
    <>
      <svg
        ref={plot}
        className={css.plot}
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        role="slider"
        tabIndex={0}
        aria-label="The score from which on something looks different"
        aria-valuemin={0}
        aria-valuemax={Number(most.toFixed(3))}
        aria-valuenow={Number(cut.toFixed(3))}
        onPointerDown={drag}
        onPointerMove={drag}
        onKeyDown={(event) => {
          if (event.key === "ArrowLeft") onCut(Math.max(0, cut - most * STEP));
          else if (event.key === "ArrowRight") onCut(Math.min(most, cut + most * STEP));
          else return;
          event.preventDefault();
        }}
      >
        {counts.map((count, bin) => {
          // Few stand out among many, so heights are drawn by their root.
          const height = Math.sqrt(count / tallest) * (HEIGHT - 6);
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place
              key={bin}
              x={(bin * 100) / BINS}
              y={HEIGHT - height}
              width={100 / BINS - 0.4}
              height={height}
              data-beyond={((bin + 0.5) / BINS) * most > cut}
            />
          );
        })}
        <line x1={x} x2={x} y1={0} y2={HEIGHT} />
      </svg>
      <p className="quiet">
        {outliers.cut <= 0 && beyond.length === 0
          ? "Nothing stands out; drag the line to look at those that differ most."
          : `${beyond.length} of ${outliers.scores.length} beyond ${cut.toFixed(2)}`}
        {outliers.cut > 0 && Math.abs(cut - outliers.cut) > 1e-6 && (
          <>
            {" "}
            ·{" "}
            <button type="button" className={css.linkButton} onClick={() => onCut(outliers.cut)}>
              back to {outliers.cut.toFixed(2)}
            </button>
          </>
        )}
      </p>
      <ul className={css.issues}>
        {beyond.slice(0, 12).map((one) => (
          <li key={`${one.page} ${one.text} ${one.score}`}>
            <button type="button" onClick={() => onPage(one.page)}>
              <span className="mono">{one.score.toFixed(2)}</span>
              <span className="clip">{one.text}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
