// Some rows of a step, with the types of its columns; what a plan noted about it stands above.
import type { PlannedStep, StepState } from "../../api/flows";
import { Busy, Complaint } from "../../design/controls";
import { counted } from "../../design/counted";
import css from "./flow.module.css";
import { shown, typeWords } from "./values";

export function SamplePane({
  step,
  planned,
  planning,
  last,
  problem,
}: {
  step: string | null;
  planned: PlannedStep | undefined;
  planning: boolean;
  last: StepState | undefined;
  problem: string | null;
}) {
  if (problem) return <Complaint>{problem}</Complaint>;
  if (!step) return <p className={css.note}>Choose a step or a wire to see its rows.</p>;
  if (!planned)
    return planning ? (
      <Busy>Looking at samples …</Busy>
    ) : (
      <p className={css.note}>There are no samples yet.</p>
    );
  const names = Object.keys(planned.columns);
  return (
    <div className={css.sample}>
      {planned.problem && <Complaint>{planned.problem}</Complaint>}
      {[...planned.notes, ...(last?.reasons ?? [])].slice(0, 4).map((note) => (
        <p key={note} className={css.note}>
          {note}
        </p>
      ))}
      {names.length > 0 && (
        <table>
          <caption>
            {planned.rows.length
              ? `${counted(planned.rows.length, "sample row")} of ${step}`
              : `${step} has no rows in the sample`}
          </caption>
          <thead>
            <tr>
              {names.map((name) => (
                <th key={name} scope="col">
                  {name} <small>{typeWords(planned.columns[name]!)}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {planned.rows.map((row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row of a sample is its place
              <tr key={place}>
                {names.map((name) => (
                  <td key={name} data-number={typeof row[name] === "number"} data-empty={row[name] === null}>
                    {shown(row[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
