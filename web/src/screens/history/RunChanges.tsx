// What changed between two runs, row by row.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, path } from "../../api/client";
import type { Json } from "../../api/flows";
import type { FlowRunState, RowChanges } from "../../api/history";
import { Busy, Button, Complaint, IconButton, TextField } from "../../design/controls";
import { shown } from "../flow/values";
import css from "./history.module.css";

type Kind = "changed" | "new" | "gone";

export function RunChanges({
  run,
  other,
  step,
  onClose,
}: {
  run: FlowRunState;
  other: string;
  step: string;
  onClose: () => void;
}) {
  const [key, setKey] = useState("");
  const [kind, setKind] = useState<Kind>("changed");
  const { data, error } = useQuery({
    queryKey: ["flow diff", run.flow, run.id, other, step, key],
    queryFn: () =>
      api<RowChanges>(
        `${path`/flows/${run.flow}/runs/${run.id}/diff/${other}`}?${new URLSearchParams({ step, ...(key ? { key } : {}) })}`,
      ),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <>
      <div className={css.tools}>
        <h2 className={css.heading}>What changed in {step}</h2>
        <span className={css.spread} />
        <TextField
          label="Rows are the same if these columns are"
          placeholder={data?.key.join(", ") || "key columns"}
          defaultValue={key}
          onKeyDown={(event) => event.key === "Enter" && setKey(event.currentTarget.value)}
          onBlur={(event) => setKey(event.target.value)}
        />
        <IconButton icon="cross" label="Back to the charts" onClick={onClose} />
      </div>
      {error && <Complaint>{error.message}</Complaint>}
      {!data && !error && <Busy>Comparing …</Busy>}
      {data && (
        <>
          <div className={css.tools}>
            {(["changed", "new", "gone"] as const).map((one) => (
              <Button key={one} look="ghost" pressed={kind === one} onClick={() => setKind(one)}>
                {data[one].toLocaleString("en")} {one}
              </Button>
            ))}
            <span className="quiet">
              {data.same.toLocaleString("en")} the same
              {data.unkeyed > 0 && ` · ${data.unkeyed} without a key of their own`}
            </span>
          </div>
          {kind === "changed" ? (
            <Changed data={data} />
          ) : (
            <Plain rows={kind === "new" ? data.new_rows : data.gone_rows} />
          )}
        </>
      )}
    </>
  );
}

function Changed({ data }: { data: RowChanges }) {
  if (!data.changed_rows.length) return <p className="quiet">No row changed.</p>;
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{data.key.join(" · ") || "row"}</th>
          <th scope="col">column</th>
          <th scope="col">before</th>
          <th scope="col">now</th>
        </tr>
      </thead>
      <tbody>
        {data.changed_rows.flatMap((row) =>
          Object.entries(row.values).map(([column, [before, now]], place) => (
            <tr key={`${row.key.join("\u0000")} ${column}`}>
              <td>{place === 0 ? row.key.map(shown).join(" · ") : ""}</td>
              <td>{column}</td>
              <td>
                <del>{shown(before)}</del>
              </td>
              <td>
                <ins>{shown(now)}</ins> <small>{change(before, now)}</small>
              </td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}

/** By how much a number rose or fell. */
export function change(before: Json, now: Json): string {
  const [one, two] = [Number(before), Number(now)];
  if (before === null || now === null || !Number.isFinite(one) || !Number.isFinite(two) || one === 0)
    return "";
  const share = (two / one - 1) * 100;
  return `${share > 0 ? "+" : "−"}${Math.abs(share).toFixed(Math.abs(share) < 10 ? 1 : 0)} %`;
}

function Plain({ rows }: { rows: Record<string, Json>[] }) {
  if (!rows.length) return <p className="quiet">None.</p>;
  const names = Object.keys(rows[0]!);
  return (
    <table className={css.table}>
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, 200).map((row, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows without a key have only their place
          <tr key={place}>
            {names.map((name) => (
              <td key={name}>{shown(row[name])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
