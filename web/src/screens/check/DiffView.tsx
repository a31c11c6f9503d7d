// The difference between two runs: rows that came, went, or changed, with the fields that did.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, path } from "../../api/client";
import { useRuns } from "../../api/queries";
import type { RunDiff, RunState } from "../../api/types";
import { Busy, Complaint, Select } from "../../design/controls";
import css from "./check.module.css";

const SHOWN = 200;

export function DiffView({ run }: { run: RunState }) {
  const runs = useRuns().data?.filter((one) => one.id !== run.id && one.name === run.name) ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const other = chosen ?? runs[0]?.id ?? null;
  const diff = useQuery({
    queryKey: ["diff", other, run.id],
    queryFn: () => api<RunDiff>(path`/runs/${other!}/diff/${run.id}`),
    enabled: other !== null,
  });
  if (other === null) return <p className="quiet">There is no other run of {run.name}.</p>;
  return (
    <>
      <Select
        label="The other run"
        value={other}
        options={runs.map((one) => ({ value: one.id, label: new Date(one.began).toLocaleString() }))}
        onChange={setChosen}
      />
      {diff.isPending && <Busy>Comparing …</Busy>}
      {diff.error && <Complaint>{diff.error.message}</Complaint>}
      {diff.data && (
        <>
          <p className={css.counts}>
            <span data-kind="added">+ {diff.data.added} new</span>
            <span data-kind="removed">− {diff.data.removed} gone</span>
            <span data-kind="changed">~ {diff.data.changed} changed</span>
          </p>
          <table className={css.diff}>
            <tbody>
              {diff.data.rows.slice(0, SHOWN).map((row) => (
                <tr key={`${row.kind} ${row.key}`} data-kind={row.kind}>
                  <th scope="row" className="clip">
                    {row.key}
                  </th>
                  <td>
                    {row.kind === "changed"
                      ? row.fields.map((field) => (
                          <div key={field}>
                            {field}: <del>{row.before?.[field] ?? "–"}</del>{" "}
                            <ins>{row.after?.[field] ?? "–"}</ins>
                          </div>
                        ))
                      : row.kind === "added"
                        ? "new"
                        : "gone"}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {diff.data.rows.length > SHOWN && <p className="quiet">and {diff.data.rows.length - SHOWN} more</p>}
        </>
      )}
    </>
  );
}
