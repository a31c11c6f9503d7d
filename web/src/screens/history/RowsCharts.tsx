// The rows of a step as pictures: how full each column is, and how its values spread.
import type { ColumnProfile, RowsProfile } from "../../api/history";
import { Histogram } from "../../charts/Histogram";
import { seriesColour } from "../../design/colours";
import css from "./history.module.css";

interface RowsChartsProps {
  title: string;
  profile: RowsProfile;
  /** The types of the columns, in words. */
  types: Map<string, string>;
}

export function RowsCharts({ title, profile, types }: RowsChartsProps) {
  const drawn = profile.columns.filter((column) => column.histogram);
  return (
    <>
      <h2 className={css.heading}>{title}</h2>
      {drawn.length > 0 && (
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
      )}
      <ul className={css.fill} aria-label="How full each column is">
        {profile.columns.map((column) => (
          <li key={column.name}>
            <span className="clip" title={column.name}>
              {column.name}
            </span>
            <small className="clip">{types.get(column.name) ?? ""}</small>
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
              {spread(column)}
            </small>
          </li>
        ))}
      </ul>
    </>
  );
}

/** How many values differ, and the one that comes most often. */
function spread(column: ColumnProfile): string {
  const [commonest] = column.commonest;
  return [
    column.distinct ? `${column.distinct.toLocaleString("en")} different` : "",
    commonest ? `${commonest[0]} ×${commonest[1].toLocaleString("en")}` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** A share in whole per cent; 100 only if nothing is missing, 0 only if nothing is there. */
export function percent(share: number): number {
  if (share <= 0) return 0;
  if (share >= 1) return 100;
  return Math.min(Math.max(Math.round(share * 100), 1), 99);
}
