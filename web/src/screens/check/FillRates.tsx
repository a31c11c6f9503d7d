import type { RunState } from "../../api/types";
import css from "./check.module.css";

/** How many records have a value of each field. */
export function FillRates({ fill }: { fill: RunState["fill"] }) {
  return (
    <ul className={css.fill}>
      {fill.map(({ field, filled, of }) => (
        <li key={field}>
          <span className="clip" title={field}>
            {field}
          </span>
          <meter min={0} max={of} value={filled} aria-label={`${field}: ${filled} of ${of}`} />
          <span className="quiet">
            {filled} of {of}
          </span>
        </li>
      ))}
    </ul>
  );
}
