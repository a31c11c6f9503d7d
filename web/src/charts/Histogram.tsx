// How often values come, from the lowest to the highest.
import css from "./charts.module.css";
import { short } from "./scale";

interface HistogramProps {
  label: string;
  edges: number[];
  counts: number[];
  colour?: string;
  height?: number;
}

const WIDTH = 320;
const FOOT = 16;

export function Histogram({ label, edges, counts, colour = "var(--data-1)", height = 72 }: HistogramProps) {
  const most = Math.max(...counts, 1);
  const wide = WIDTH / Math.max(counts.length, 1);
  return (
    <figure className={css.chart} style={{ "--tint": colour } as React.CSSProperties}>
      <figcaption>
        <strong className="clip">{label}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label={`${label}, from ${short(edges[0] ?? 0)} to ${short(edges.at(-1) ?? 0)}: ${counts.join(", ")}`}
      >
        {counts.map((count, place) => {
          // By their root, so that few beside many can still be seen.
          const tall = count ? Math.max(Math.sqrt(count / most) * (height - FOOT - 2), 1.5) : 0;
          return (
            <rect
              key={edges[place]}
              x={place * wide}
              y={height - FOOT - tall}
              width={Math.max(wide - 1, 0.5)}
              height={tall}
            >
              <title>{`${short(edges[place] ?? 0)} to ${short(edges[place + 1] ?? 0)}: ${count.toLocaleString("en")}`}</title>
            </rect>
          );
        })}
        <line className={css.rule} x1={0} x2={WIDTH} y1={height - FOOT} y2={height - FOOT} />
        <text x={0} y={height - 4}>
          {short(edges[0] ?? 0)}
        </text>
        <text x={WIDTH} y={height - 4} textAnchor="end">
          {short(edges.at(-1) ?? 0)}
        </text>
      </svg>
    </figure>
  );
}
