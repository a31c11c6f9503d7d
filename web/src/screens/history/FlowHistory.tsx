// All runs of one flow: figures over time at the left, the runs with their verdicts at the right.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { api, path } from "../../api/client";
import {
  type FlowRunInfo,
  type FlowRunState,
  type FlowSeries,
  useRunOfFlow,
  useRunsOfFlow,
  useSeries,
  type ValueSeries,
} from "../../api/history";
import { LineChart } from "../../charts/LineChart";
import { Busy, Button, Complaint, Select, TextField, VerdictChip } from "../../design/controls";
import { counted } from "../../design/counted";
import { Workbench } from "../../frame/Workbench";
import { useQueryParam } from "../../state/useQueryParam";
import { dueOf, lasting, when } from "../../state/when";
import css from "./history.module.css";

export function FlowHistory({ flow }: { flow: string }) {
  const [, go] = useLocation();
  const runs = useRunsOfFlow(flow);
  const series = useSeries(flow);
  const newest = useRunOfFlow(flow, "last");
  const open = (run: string) => go(`/history/${encodeURIComponent(flow)}/${encodeURIComponent(run)}`);
  if (runs.error) return <Complaint>{runs.error.message}</Complaint>;
  return (
    <Workbench
      name="history"
      bar={
        <>
          <h1>{flow}</h1>
          <span className="quiet">over time</span>
          <span className={css.spread} />
          <Button icon="reload" onClick={() => go(`/flows/${encodeURIComponent(flow)}?pane=days`)}>
            Other days
          </Button>
          <Button icon="flow" onClick={() => go(`/flows/${encodeURIComponent(flow)}`)}>
            The flow
          </Button>
        </>
      }
      canvas={
        <div className={css.charts}>
          {series.data ? (
            <Charts flow={flow} series={series.data} newest={newest.data} onRun={open} />
          ) : (
            <Busy>Reading the runs …</Busy>
          )}
        </div>
      }
      panelBar={
        <>
          <h2>Runs</h2>
          <span className={css.spread} />
        </>
      }
      panel={
        <ol className={css.runs}>
          {runs.data?.map((run) => (
            <li key={run.id}>
              <button type="button" onClick={() => open(run.id)}>
                <span>
                  <strong>
                    {when(run.began)}
                    <Due run={run} />
                  </strong>
                  <small>
                    {counted(run.rows, "row")}
                    {run.held > 0 && ` · ${run.held.toLocaleString("en")} held back`} · {lasting(run.seconds)}
                  </small>
                  {run.reasons[0] && (
                    <small className={css.reason} title={run.reasons.join("\n")}>
                      {run.reasons[0]}
                    </small>
                  )}
                  {run.notices.slice(0, MOST_NOTICES).map((notice) => (
                    <small key={notice} title={notice}>
                      {notice}
                    </small>
                  ))}
                </span>
                <VerdictChip verdict={run.verdict ?? "notice"}>
                  {run.abandoned ? "abandoned" : (run.verdict ?? "not finished")}
                </VerdictChip>
              </button>
            </li>
          ))}
          {runs.data?.length === 0 && <p className="quiet">It has not been run yet.</p>}
        </ol>
      }
    />
  );
}

/** What a run is for, if that is not simply when it began. */
function Due({ run }: { run: FlowRunInfo }) {
  const due = dueOf(run);
  return (
    due && (
      <span className={css.due} data-near={due.near} title={`It is for ${run.due}`}>
        {due.words}
      </span>
    )
  );
}

const MOST_LINES = 6;
const MOST_NOTICES = 2; // in the list; the run itself has all

function Charts({
  flow,
  series,
  newest,
  onRun,
}: {
  flow: string;
  series: FlowSeries;
  newest: FlowRunState | undefined;
  onRun: (run: string) => void;
}) {
  const [stepParam, setStep] = useQueryParam("step");
  const names = Object.keys(series.steps);
  const deliveries = names.filter((name) => series.steps[name]!.word === "deliver");
  const step = names.find((name) => name === stepParam) ?? deliveries[0] ?? names.at(-1);
  const moments = series.runs.map((run) => run.due);
  const own = step ? series.steps[step] : undefined;
  const choose = (place: number) => series.runs[place] && onRun(series.runs[place].id);
  if (!step || !own) return <p className="quiet">There is nothing to draw yet.</p>;
  const fill = Object.entries(own.fill);
  const numbers = (newest?.steps.find((one) => one.name === step)?.columns ?? [])
    .filter((column) => column.type.kind === "number")
    .map((column) => column.name);
  // Columns that were not always full are what people look for.
  const thin = fill
    .sort(([, one], [, other]) => mean(one) - mean(other))
    .slice(0, MOST_LINES)
    .map(([name, values]) => ({ name, values }));
  return (
    <>
      <div className={css.tools}>
        <Select
          label="Step"
          value={step}
          options={names.map((name) => ({ value: name, label: name }))}
          onChange={setStep}
        />
        <span className="quiet">{counted(series.runs.length, "run")}; a click opens one</span>
      </div>
      <LineChart
        label="Records"
        moments={moments}
        series={[
          { name: "let through", values: own.rows },
          ...(own.held.some((count) => count) ? [{ name: "held back", values: own.held }] : []),
        ]}
        onChoose={choose}
      />
      {thin.length > 0 && (
        <LineChart label="Filled" share moments={moments} series={thin} onChoose={choose} />
      )}
      {numbers.length > 0 && <Values key={step} flow={flow} step={step} columns={numbers} onRun={onRun} />}
    </>
  );
}

const mean = (values: (number | null)[]) => {
  const known = values.filter((value) => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : 1;
};

/** A price, if there is one: that is what most people watch. */
const likeliest = (columns: string[]) =>
  columns.find((name) => /price|preis|amount|value/i.test(name)) ?? columns[0] ?? "";

/** How a value of the same thing went from run to run, such as its price. */
function Values({
  flow,
  step,
  columns,
  onRun,
}: {
  flow: string;
  step: string;
  columns: string[];
  onRun: (run: string) => void;
}) {
  const [columnParam, setColumn] = useQueryParam("column");
  const [search, setSearch] = useState("");
  const column = columns.find((name) => name === columnParam) ?? likeliest(columns);
  const { data, error } = useQuery({
    queryKey: ["flow runs", flow, "values", step, column, search],
    queryFn: () =>
      api<ValueSeries>(
        `${path`/flows/${flow}/series/values`}?${new URLSearchParams({ step, column, search, limit: String(MOST_LINES) })}`,
      ),
  });
  if (error || !data) return error ? <p className="quiet">{error.message}</p> : <Busy>Reading values …</Busy>;
  return (
    <>
      <div className={css.tools}>
        <Select
          label="Value"
          value={column}
          options={columns.map((name) => ({ value: name, label: name }))}
          onChange={setColumn}
        />
        <TextField
          label="Only those with"
          placeholder={`find ${data.key.join(", ") || "one"}`}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <span className="quiet">{search ? "" : "those that changed most"}</span>
      </div>
      {data.lines.length > 0 ? (
        <LineChart
          label={column}
          fromZero={false}
          height={200}
          moments={data.runs.map((run) => run.due)}
          series={data.lines.map((line) => ({ name: line.key.map(String).join(" · "), values: line.values }))}
          onChoose={(place) => data.runs[place] && onRun(data.runs[place].id)}
        />
      ) : (
        <p className="quiet">No number of this name in these runs.</p>
      )}
    </>
  );
}
