// One run of a flow: its steps with their verdicts, the rows of each, and where each cell was seen.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { ApiError, api, path } from "../../api/client";
import {
  type FlowRunState,
  type StepOfRun,
  useProfile,
  useRunOfFlow,
  useRunsOfFlow,
} from "../../api/history";
import { usePage } from "../../api/queries";
import { PageCanvas } from "../../canvas/PageCanvas";
import { TextPage } from "../../canvas/TextPage";
import { Busy, Button, Complaint, Hint, IconButton, VerdictChip } from "../../design/controls";
import { counted } from "../../design/counted";
import { Icon } from "../../design/Icon";
import { Menu } from "../../design/Menu";
import { Fold, Workbench } from "../../frame/Workbench";
import { CellDetail } from "../../grid/CellDetail";
import { DataGrid } from "../../grid/DataGrid";
import type { GridCell, RowStore } from "../../grid/rows";
import { useKeys } from "../../state/keys";
import { useLink } from "../../state/link";
import { useCellParam, useQueryParam } from "../../state/useQueryParam";
import { dueOf, lasting, when } from "../../state/when";
import { useLiveRun } from "../flow/useFlow";
import css from "./history.module.css";
import { LineageView } from "./LineageView";
import { RowsCharts } from "./RowsCharts";
import { RunChanges } from "./RunChanges";
import { RunSteps } from "./RunSteps";
import { HAS_ROWS, placeOf, rowsQuery, useRows } from "./stepRows";

export function RunPage({ flow, run }: { flow: string; run: string }) {
  const { data, error } = useRunOfFlow(flow, run);
  // The rows that the address names are asked for together with the run.
  const [step] = useQueryParam("step");
  const [held] = useQueryParam("held");
  useQuery({ ...rowsQuery(flow, run, step ?? "", held !== null), enabled: step !== null });
  if (error) return <Complaint>{error.message}</Complaint>;
  if (!data) return <Busy>Opening the run …</Busy>;
  return <OpenRun run={data} />;
}

function OpenRun({ run }: { run: FlowRunState }) {
  const [, go] = useLocation();
  const [stepParam, setStepParam] = useQueryParam("step");
  const [heldParam, setHeld] = useQueryParam("held");
  const [other, setOther] = useQueryParam("other");
  const [view, setView] = useQueryParam("view");
  const [cell, setCell] = useCellParam();
  const step = run.steps.find((one) => one.name === stepParam) ?? firstShown(run);
  const held = heldParam !== null && !!step?.held;
  const runs = useRunsOfFlow(run.flow);
  const grid = useRows(run, step, held);
  const lit = useLink((state) => state.cell);
  const pointed = cellAt(grid.rows, lit) ?? cellAt(grid.rows, cell);
  const page = usePage(pointed?.page ?? null).data;
  const choose = (name: string) => {
    setStepParam(name);
    setCell(null);
    setHeld(null);
  };
  const see = (of: StepOfRun, seen: { column: string; row: number } | null) => {
    setView(null);
    choose(of.name);
    if (seen) setCell({ row: seen.row, column: placeOf(of, seen.column) });
  };
  const hasLineage = view === "lineage";
  const showLineage = () => {
    setView(hasLineage ? null : "lineage");
    setOther(null);
  };
  const due = dueOf(run);
  const walk = (by: number) => {
    const at = run.steps.findIndex((one) => one.name === step?.name);
    const next = run.steps[(at + by + run.steps.length) % run.steps.length];
    if (next) choose(next.name);
  };
  useKeys("Run", [
    { keys: "j", label: "Next step", run: () => walk(1) },
    { keys: "k", label: "Previous step", run: () => walk(-1) },
    { keys: "c", label: "Charts instead of the page", run: () => setCell(null) },
    { keys: "l", label: hasLineage ? "Close the lineage" : "Where columns come from", run: showLineage },
  ]);
  const others = runs.data?.filter((one) => one.id !== run.id) ?? [];
  return (
    <Workbench
      name="flow run"
      panelShare={0.45}
      bar={
        <>
          <IconButton
            icon="left"
            label={`All runs of ${run.flow}`}
            onClick={() => go(`/history/${encodeURIComponent(run.flow)}`)}
          />
          <h1>
            {run.flow} · {when(run.began)}
          </h1>
          {due && (
            <span className={css.due} data-near={due.near} title={`It is for ${run.due}`}>
              {due.words}
            </span>
          )}
          <VerdictChip verdict={run.verdict ?? "notice"} title={run.reasons.join("\n")}>
            {run.abandoned ? "abandoned" : (run.verdict ?? "not finished")}
          </VerdictChip>
          <span className={`quiet ${css.word}`}>{lasting(run.seconds)}</span>
          <span className={css.spread} />
          <Button
            icon="merge"
            pressed={hasLineage}
            onClick={showLineage}
            aria-label="Lineage"
            title="Where columns come from  (l)"
          >
            <span className={css.word}>Lineage</span>
          </Button>
          {page && !hasLineage && (
            <Button icon="history" onClick={() => setCell(null)}>
              Charts
            </Button>
          )}
          {others.length > 0 && (
            <Menu
              label="Compare with another run"
              look="plain"
              items={others.slice(0, 20).map((one) => ({
                label: [when(one.began), dueOf(one)?.words].filter(Boolean).join(", "),
                hint: `${one.rows.toLocaleString("en")} rows`,
                checked: one.id === other,
                onSelect: () => {
                  setOther(one.id === other ? null : one.id);
                  setView(null);
                },
              }))}
            >
              Compare
            </Menu>
          )}
          <IconButton
            icon="flow"
            label="The flow"
            onClick={() => go(`/flows/${encodeURIComponent(run.flow)}`)}
          />
        </>
      }
      canvas={
        hasLineage ? (
          <LineageView run={run} onSee={see} />
        ) : page && pointed && page.pictures.length === 0 ? (
          <TextPage page={page} taken={pointed.nodes ?? []} />
        ) : page && pointed ? (
          <PageCanvas
            page={page}
            marks={pointed.box ? [{ id: "lit", box: pointed.box, look: "lit", colour: "var(--accent)" }] : []}
            focus={pointed.box}
          />
        ) : (
          <div className={css.charts}>
            {other ? (
              <RunChanges run={run} other={other} step={step?.name ?? ""} onClose={() => setOther(null)} />
            ) : step ? (
              <StepCharts run={run} step={step} held={held} />
            ) : (
              <p className="quiet">The run has no steps.</p>
            )}
          </div>
        )
      }
      panelBar={
        <>
          <h2>Steps</h2>
          <span className={css.spread} />
        </>
      }
      panel={
        <>
          <Notices run={run} />
          <RunSteps run={run} chosen={step?.name} onChoose={choose} />
          {step && step.reasons.length + step.notes.length > 0 && (
            <Fold title={`About ${step.name}`}>
              <ul className={css.notes}>
                {[...step.reasons, ...step.notes].map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            </Fold>
          )}
          {run.alerts.length > 0 && (
            <Fold title="Alerts">
              <ul className={css.notes}>
                {run.alerts.map((alert) => (
                  <li key={`${alert.step} ${alert.said.join()}`}>
                    {alert.said.join("; ")}{" "}
                    <span className="quiet">{alert.sent ? `told ${alert.to.join(", ")}` : "not told"}</span>
                    {alert.failed.map((reason) => (
                      <p key={reason} className={css.reason}>
                        {reason}
                      </p>
                    ))}
                  </li>
                ))}
              </ul>
            </Fold>
          )}
        </>
      }
      data={
        <div className={css.data}>
          <header className={css.dataBar}>
            <Button look="ghost" pressed={!held} onClick={() => setHeld(null)}>
              {step ? `${counted(step.rows, "row")} of ${step.name}` : "Rows"}
            </Button>
            {!!step?.held && (
              <Button look="ghost" icon="warn" pressed={held} onClick={() => setHeld("1")}>
                {step.held.toLocaleString("en")} held back
              </Button>
            )}
            <span className={css.spread} />
            {held && step && <Release run={run} step={step} row={cell?.row ?? null} />}
          </header>
          {grid.error && <Complaint>{grid.error.message}</Complaint>}
          {grid.rows ? (
            <DataGrid
              rows={grid.rows}
              loaded={grid.loaded}
              selected={cell}
              onSelect={setCell}
              label={`Rows of ${step?.name}`}
            />
          ) : (
            step &&
            !grid.error &&
            (HAS_ROWS.has(step.state) ? (
              <Busy>Reading rows …</Busy>
            ) : (
              <p className={css.none}>{step.name} has no rows in this run.</p>
            ))
          )}
          {grid.rows && cell && <CellDetail rows={grid.rows} cell={cell} />}
        </div>
      }
    />
  );
}

/** What to know of a run beside its steps: why it was closed before its end, and what could not be told to whom. */
function Notices({ run }: { run: FlowRunState }) {
  const notices = [run.abandoned, ...run.notices].filter(Boolean);
  if (!notices.length) return null;
  return (
    <ul className={css.notices} aria-label="What to know of this run">
      {notices.map((notice) => (
        <li key={notice}>
          <Icon name={notice === run.abandoned ? "warn" : "info"} size={14} />
          <span title={notice}>{notice}</span>
        </li>
      ))}
    </ul>
  );
}

/** What a run is looked at for: what it delivered, or what stopped it. */
function firstShown(run: FlowRunState): StepOfRun | undefined {
  return (
    run.steps.find((step) => step.state === "failed") ??
    run.steps.find((step) => step.held > 0) ??
    run.steps.findLast((step) => step.word === "deliver") ??
    run.steps.at(-1)
  );
}

const cellAt = (rows: RowStore | null, at: { row: number; column: number } | null): GridCell | null =>
  at && rows ? (rows.cell(at.row, at.column) ?? null) : null;

function StepCharts({ run, step, held }: { run: FlowRunState; step: StepOfRun; held: boolean }) {
  const profile = useProfile(run.flow, run.id, HAS_ROWS.has(step.state) ? step.name : null, held);
  if (step.state === "failed") return <Complaint>{step.reasons[0] ?? "The step failed."}</Complaint>;
  if (!HAS_ROWS.has(step.state)) return <p className="quiet">{step.name} was not done in this run.</p>;
  if (profile.error) return <p className="quiet">{profile.error.message}</p>;
  if (!profile.data) return <Busy>Counting …</Busy>;
  return (
    <RowsCharts
      title={`${step.name}: ${counted(profile.data.rows, "row")}${held ? " held back" : ""}`}
      profile={profile.data}
      types={new Map(step.columns.map((column) => [column.name, column.type.words]))}
    />
  );
}

/** Let rows out of quarantine: from the next run on, or at once with what was fetched already. */
function Release({ run, step, row }: { run: FlowRunState; step: StepOfRun; row: number | null }) {
  const [, go] = useLocation();
  const [said, setSaid] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { isRunning, live, start } = useLiveRun(run.flow, null);
  const release = async (body: { rows: number[] } | { all: true }) => {
    setProblem(null);
    try {
      const done = await api<{ words: string }>(
        path`/flows/${run.flow}/runs/${run.id}/steps/${step.name}/release`,
        { body },
      );
      setSaid(done.words);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason.message);
    }
  };
  if (live?.ended)
    return (
      <Button
        look="primary"
        onClick={() => go(`/history/${encodeURIComponent(run.flow)}/${encodeURIComponent(live.ended!.run)}`)}
      >
        See the new run
      </Button>
    );
  if (problem ?? live?.problem) return <Hint icon="warn">{problem ?? live?.problem}</Hint>;
  if (said)
    return (
      <>
        <span className="quiet clip" title={said}>
          {said}
        </span>
        <Button look="primary" icon="play" disabled={isRunning} onClick={() => start({ from: run.id })}>
          {isRunning ? "Running …" : "Deliver them now"}
        </Button>
      </>
    );
  return (
    <>
      {row !== null && (
        <Button icon="tick" onClick={() => release({ rows: [row] })}>
          Release row {row + 1}
        </Button>
      )}
      <Button icon="tick" onClick={() => release({ all: true })}>
        {step.held === 1 ? "Release it" : `Release all ${step.held.toLocaleString("en")}`}
      </Button>
    </>
  );
}
