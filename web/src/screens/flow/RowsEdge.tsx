// A wire: how many rows go over it and of how many columns; pointing at it shows some of them.
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { memo, useState } from "react";
import type { PlannedStep } from "../../api/flows";
import { counted } from "../../design/counted";
import css from "./flow.module.css";
import { shown, typeWords } from "./values";

export interface WireData extends Record<string, unknown> {
  rows: number | null;
  moving: boolean;
  planned: PlannedStep | undefined;
}

export type Wire = Edge<WireData, "rows">;

const PEEK_ROWS = 4;
const PEEK_COLUMNS = 6;

export const RowsEdge = memo(function RowsEdge(props: EdgeProps<Wire>) {
  const { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, data, selected, id, source } =
    props;
  const [open, setOpen] = useState(false);
  const [line, x, y] = getBezierPath({ sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition });
  const planned = data?.planned;
  const columns = planned ? Object.keys(planned.columns).length : 0;
  const rows = data?.rows;
  const words = [
    rows === null || rows === undefined ? "" : counted(rows, "row"),
    columns ? counted(columns, "col") : "",
  ].filter(Boolean);
  return (
    <>
      <BaseEdge
        id={id}
        path={line}
        className={css.wire ?? ""}
        data-selected={selected}
        data-moving={data?.moving}
        interactionWidth={14}
      />
      {words.length > 0 && (
        <EdgeLabelRenderer>
          <div
            className={css.wireLabel}
            data-selected={selected}
            data-open={open}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
            onPointerEnter={() => setOpen(true)}
            onPointerLeave={() => setOpen(false)}
          >
            {words.join(" · ")}
            {open && planned && planned.rows.length > 0 && <Peek planned={planned} from={source} />}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
});

function Peek({ planned, from }: { planned: PlannedStep; from: string }) {
  const names = Object.keys(planned.columns).slice(0, PEEK_COLUMNS);
  const more = Object.keys(planned.columns).length - names.length;
  return (
    <div className={css.peek}>
      <table>
        <caption>Some rows of {from}</caption>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name} <small>{typeWords(planned.columns[name]!)}</small>
              </th>
            ))}
            {more > 0 && <th scope="col">+{more}</th>}
          </tr>
        </thead>
        <tbody>
          {planned.rows.slice(0, PEEK_ROWS).map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row of a sample is its place
            <tr key={place}>
              {names.map((name) => (
                <td key={name}>{shown(row[name])}</td>
              ))}
              {more > 0 && <td />}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
