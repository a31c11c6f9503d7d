// After a redesign: the old page and the new one side by side, and what is proposed for every field, to accept or not.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { ApiError, api, path } from "../../api/client";
import { queryClient, usePage } from "../../api/queries";
import type { Repair, WrapperState } from "../../api/types";
import type { Mark } from "../../canvas/marks";
import { PageCanvas } from "../../canvas/PageCanvas";
import { seriesColour } from "../../design/colours";
import { Busy, Button, Complaint, IconButton, type Severity, VerdictChip } from "../../design/controls";
import { Split } from "../../design/Split";
import { Workbench } from "../../frame/Workbench";
import { DataGrid } from "../../grid/DataGrid";
import { useRowStore } from "../../grid/rows";
import { useKeys } from "../../state/keys";
import { useReading, useWrapper } from "../induce/wrapper";
import css from "./check.module.css";

export function RepairScreen({ id }: { id: string }) {
  const repair = useQuery({ queryKey: ["repair", id], queryFn: () => api<Repair>(path`/repairs/${id}`) });
  if (repair.error) return <Complaint>{repair.error.message}</Complaint>;
  if (!repair.data) return <Busy>Opening the repair …</Busy>;
  return <OpenRepair repair={repair.data} />;
}

const STATUS: Record<Repair["changes"][number]["status"], Severity> = {
  kept: "notice",
  "found again": "ok",
  unsure: "suspicious",
  missing: "failed",
};

function OpenRepair({ repair }: { repair: Repair }) {
  const [, go] = useLocation();
  const wrapper = useWrapper(repair.wrapper).data;
  const [accepted, setAccepted] = useState(() => new Set(changed(repair).map((change) => change.field)));
  const [chosen, setChosen] = useState<string | null>(changed(repair)[0]?.field ?? null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const oldPage = wrapper?.pages.find((page) => page.id)?.id ?? null;
  const newPage = repair.pages[0] ?? null;
  const old = usePage(oldPage).data;
  const now = usePage(newPage).data;
  const before = useReading(repair.wrapper, wrapper?.version ?? "", oldPage).data;
  const { rows, loaded } = useRowStore(repair.new);
  const toggle = (field: string) =>
    setAccepted((kept) => {
      const next = new Set(kept);
      if (!next.delete(field)) next.add(field);
      return next;
    });
  const accept = async () => {
    try {
      const version = wrapper?.version ?? repair.version;
      const next = await api<WrapperState>(path`/repairs/${repair.id}/accept`, {
        body: { fields: [...accepted] },
        version,
      });
      queryClient.setQueryData(["wrapper", repair.wrapper], next);
      await queryClient.invalidateQueries({ queryKey: ["wrappers"] });
      go(`/wrappers/${encodeURIComponent(repair.wrapper)}?page=${newPage}`);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
    }
  };
  const step = (by: number) => {
    const at = repair.changes.findIndex((change) => change.field === chosen);
    const next = repair.changes[at + by];
    if (next) setChosen(next.field);
  };
  useKeys("Repair", [
    { keys: "j", label: "Next field", run: () => step(1) },
    { keys: "k", label: "Previous field", run: () => step(-1) },
    { keys: "x", label: "Accept or reject the field", run: () => chosen && toggle(chosen) },
    { keys: "Enter", label: "Save what is accepted", run: accept },
  ]);
  const fields = repair.changes.map((change) => change.field);
  const tint = (field: string) => seriesColour(Math.max(fields.indexOf(field), 0));
  return (
    <Workbench
      name="repair"
      panelShare={0.64}
      bar={
        <>
          <IconButton icon="left" label="All runs" onClick={() => go("/check")} />
          <strong>{repair.wrapper}</strong>
          <span className="quiet">before, and as the site is now</span>
          <span style={{ flex: 1 }} />
          <VerdictChip verdict={repair.verdict}>{Math.round(repair.confidence * 100)} % sure</VerdictChip>
        </>
      }
      canvas={
        <Split
          name="repair pages"
          direction="row"
          initial={0.5}
          label="Width of the old page"
          first={
            old ? (
              <PageCanvas page={old} name="before" marks={columnMarks(before?.rows, chosen, tint)} />
            ) : (
              <p className={css.bare}>The old page is not in this project.</p>
            )
          }
          second={
            now ? (
              <PageCanvas page={now} name="now" marks={columnMarks(repair.new, chosen, tint)} />
            ) : (
              <p className={css.bare}>The new page is not in this project.</p>
            )
          }
        />
      }
      panelBar={
        <>
          <h2>{repair.changes.length === 1 ? "1 field" : `${repair.changes.length} fields`}</h2>
          <span style={{ flex: 1 }} />
          <Button look="primary" icon="tick" keys="↵" disabled={accepted.size === 0} onClick={accept}>
            Accept {accepted.size}
          </Button>
        </>
      }
      panel={
        <>
          {problem && <Complaint>{problem.message}</Complaint>}
          <ul className={css.changes}>
            {repair.changes.map((change) => (
              <li key={change.field} data-chosen={change.field === chosen}>
                <div className={css.changeHead}>
                  <input
                    type="checkbox"
                    aria-label={`Accept the new rule of ${change.field}`}
                    checked={accepted.has(change.field)}
                    disabled={change.status === "kept"}
                    onChange={() => toggle(change.field)}
                  />
                  <span className={css.swatch} style={{ background: tint(change.field) }} />
                  <button type="button" className={css.changeName} onClick={() => setChosen(change.field)}>
                    {change.field}
                  </button>
                  <span style={{ flex: 1 }} />
                  <VerdictChip verdict={STATUS[change.status]} title={change.why}>
                    {change.status}
                  </VerdictChip>
                </div>
                <p className="quiet">{change.why}</p>
                {change.field === chosen && change.status !== "kept" && (
                  <dl className={css.evidence}>
                    <dt>before</dt>
                    <dd>
                      <del>{change.before}</del>
                      <span>{change.old.join(" · ")}</span>
                    </dd>
                    <dt>now</dt>
                    <dd>
                      <ins>{change.after}</ins>
                      <span>{change.new.join(" · ")}</span>
                    </dd>
                  </dl>
                )}
              </li>
            ))}
          </ul>
        </>
      }
      data={
        rows && (
          <DataGrid
            rows={rows}
            loaded={loaded}
            label="What the new rules read"
            selected={null}
            onSelect={() => undefined}
          />
        )
      }
    />
  );
}

const changed = (repair: Repair) =>
  repair.changes.filter((change) => change.status === "found again" || change.status === "unsure");

function columnMarks(
  rows: Repair["new"] | undefined,
  chosen: string | null,
  tint: (field: string) => string,
): Mark[] {
  return (rows?.columns ?? []).flatMap((column) =>
    column.boxes.flatMap((box, row): Mark[] => {
      if (!box) return [];
      const isChosen = column.name === chosen || chosen === null || chosen.endsWith(`.${column.name}`);
      const label = row === 0 ? { label: column.name } : {};
      return [
        {
          id: `${column.name} ${row}`,
          box,
          look: isChosen ? "example" : "cell",
          colour: tint(column.name),
          ...label,
        },
      ];
    }),
  );
}
