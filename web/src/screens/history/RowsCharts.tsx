// The rows of a step as pictures: how full each column is, and how its values spread.
import type { RowsProfile } from "../../api/history";
import { Histogram } from "../../charts/Histogram";
import { seriesColour } from "../../design/colours";
import css from "./history.module.css";

export function RowsCharts({ step, profile }: { step: string; profile: RowsProfile }) {
  const drawn = profile.columns.filter((column) => column.histogram);
  return (
    <>
      <h2 className={css.heading}>
        {step}: {profile.rows.toLocaleString("en")} rows
      </h2>
      <ul className={css.fill}>
        {profile.columns.map((column) => (
          <li key={column.name}>
            <span className="clip" title={column.name}>
              {column.name}
            </span>
            <small className="clip">{column.type}</small>
            <meter
              min={0}
              max={Math.max(profile.rows, 1)}
              value={column.filled}
              aria-label={`${column.name}: filled in ${column.filled} of ${profile.rows} rows`}
            />
            <b>{profile.rows ? `${percent(column.filled / profile.rows)} %` : ""}</b>
            <small
              className="clip"
              title={column.commonest.map(([text, count]) => `${text} (${count})`).join(", ")}
            >
              {column.distinct !== null && `${column.distinct.toLocaleString("en")} different`}
              {column.commonest[0] &&
                column.commonest[0][1] > 1 &&
                ` · ${column.commonest[0][0]} ×${column.commonest[0][1]}`}
            </small>
          </li>
        ))}
      </ul>
      <div className={css.histograms}>
        {drawn.map((column, place) => (
          <Histogram
            key={column.name}
            label={column.name}
            edges={column.histogram!.edges}
            counts={column.histogram!.counts}
            colour={seriesColour(place)}
          />
        ))}
      </div>
    </>
  );
}

/** A share in whole per cent; 100 only if nothing is missing, 0 only if nothing is there. */
export function percent(share: number): number {
  if (share <= 0) return 0;
  if (share >= 1) return 100;
  return Math.min(Math.max(Math.round(share * 100), 1), 99);
}
