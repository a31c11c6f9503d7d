// Figures from run to run. The pointer shows those of the nearest run, and a click opens it.
import { useRef, useState } from "react";
import { seriesColour } from "../design/colours";
import { when } from "../state/when";
import css from "./charts.module.css";
import { linePath, short, ticks } from "./scale";

export interface Series {
  name: string;
  values: (number | null)[];
  /** Another colour than that of its place. */
  colour?: string;
}

interface LineChartProps {
  label: string;
  moments: string[];
  series: Series[];
  height?: number;
  share?: boolean;
  current?: number | null;
  onChoose?: (place: number) => void;
  /** Begin at zero, as for counts; prices begin where they are. */
  fromZero?: boolean;
}

const WIDTH = 800;
const LEFT = 44;
const RIGHT = 12;
const TOP = 8;
const BOTTOM = 20;

export function LineChart({
  label,
  moments,
  series,
  height = 140,
  share = false,
  current = null,
  onChoose,
  fromZero = true,
}: LineChartProps) {
  const plot = useRef<SVGSVGElement>(null);
  const [over, setOver] = useState<number | null>(null);
  const all = series.flatMap((one) => one.values).filter((value) => value !== null);
  const lowest = Math.min(...all, fromZero ? 0 : Number.POSITIVE_INFINITY);
  const highest = Math.max(...all, fromZero ? 1e-9 : Number.NEGATIVE_INFINITY);
  const marks = share ? [0, 0.5, 1] : ticks(all.length ? lowest : 0, all.length ? highest : 1, 3);
  const [low, high] = [marks[0]!, marks.at(-1)! > marks[0]! ? marks.at(-1)! : marks[0]! + 1];
  const last = Math.max(moments.length - 1, 1);
  const x = (place: number) =>
    moments.length === 1 ? (LEFT + WIDTH - RIGHT) / 2 : LEFT + (place / last) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - (value - low) / (high - low)) * (height - TOP - BOTTOM);
  const nearest = (clientX: number) => {
    const box = plot.current!.getBoundingClientRect();
    const at = ((clientX - box.left) / box.width) * WIDTH;
    return Math.min(
      Math.max(Math.round(((at - LEFT) / (WIDTH - LEFT - RIGHT)) * last), 0),
      moments.length - 1,
    );
  };
  const written = (value: number) => (share ? `${Math.round(value * 100)} %` : short(value));
  const pointed = over ?? current;
  return (
    <figure className={css.chart}>
      <figcaption>
        <strong>{label}</strong>
        <span className={css.legend}>
          {series.map((one, place) => (
            <span
              key={one.name}
              style={{ "--tint": one.colour ?? seriesColour(place) } as React.CSSProperties}
            >
              {one.name}
              {pointed !== null && one.values[pointed] !== null && one.values[pointed] !== undefined && (
                <b>{written(one.values[pointed])}</b>
              )}
            </span>
          ))}
        </span>
        <time>{pointed !== null && moments[pointed] ? when(moments[pointed]) : ""}</time>
      </figcaption>
      <svg
        ref={plot}
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label={`${label}: ${series.map((one) => `${one.name} ${one.values.map((value) => (value === null ? "none" : written(value))).join(", ")}`).join("; ")}`}
        onPointerMove={(event) => setOver(nearest(event.clientX))}
        onPointerLeave={() => setOver(null)}
        onClick={(event) => onChoose?.(nearest(event.clientX))}
        data-choosable={onChoose !== undefined}
      >
        {marks.map((mark) => (
          <g key={mark}>
            <line className={css.rule} x1={LEFT} x2={WIDTH - RIGHT} y1={y(mark)} y2={y(mark)} />
            <text x={LEFT - 6} y={y(mark) + 4} textAnchor="end">
              {written(mark)}
            </text>
          </g>
        ))}
        {pointed !== null && (
          <line className={css.cursor} x1={x(pointed)} x2={x(pointed)} y1={TOP} y2={height - BOTTOM} />
        )}
        {series.map((one, place) => (
          <g key={one.name} style={{ "--tint": one.colour ?? seriesColour(place) } as React.CSSProperties}>
            <path className={css.line} d={linePath(one.values, x, y)} />
            {one.values.map((value, at) =>
              value === null || (moments.length > 40 && at !== pointed) ? null : (
                // biome-ignore lint/suspicious/noArrayIndexKey: a point is its place
                <circle key={at} cx={x(at)} cy={y(value)} r={at === pointed ? 4 : 2.5} />
              ),
            )}
          </g>
        ))}
        {moments.length > 0 && (
          <>
            <text x={LEFT} y={height - 5}>
              {when(moments[0]!)}
            </text>
            {moments.length > 1 && (
              <text x={WIDTH - RIGHT} y={height - 5} textAnchor="end">
                {when(moments.at(-1)!)}
              </text>
            )}
          </>
        )}
      </svg>
    </figure>
  );
}
