// One run: verdicts of its pages, issues where they are on the page, fill rates, outliers, and the difference to another.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { ApiError, api, path } from "../../api/client";
import { follow } from "../../api/jobs";
import { useAbout, usePage } from "../../api/queries";
import type { Box, Job, Rows, RunState } from "../../api/types";
import type { Mark } from "../../canvas/marks";
import { PageCanvas } from "../../canvas/PageCanvas";
import { Busy, Button, Complaint, IconButton, VerdictChip } from "../../design/controls";
import { Menu } from "../../design/Menu";
import { Filmstrip } from "../../frame/Filmstrip";
import { Fold, Workbench } from "../../frame/Workbench";
import { CellDetail } from "../../grid/CellDetail";
import { DataGrid } from "../../grid/DataGrid";
import { useRowStore } from "../../grid/rows";
import { useKeys } from "../../state/keys";
import { useLink } from "../../state/link";
import { useCellParam, useQueryParam } from "../../state/useQueryParam";
import css from "./check.module.css";
import { DiffView } from "./DiffView";
import { FillRates } from "./FillRates";
import { groupIssues } from "./issues";
import { OutlierPlot } from "./OutlierPlot";

export function RunScreen({ id }: { id: string }) {
  const run = useQuery({ queryKey: ["run", id], queryFn: () => api<RunState>(path`/runs/${id}`) });
  if (run.error) return <Complaint>{run.error.message}</Complaint>;
  if (!run.data) return <Busy>Opening the run …</Busy>;
  return <OpenRun run={run.data} />;
}

const COLOURS = {
  failed: "var(--failed)",
  suspicious: "var(--suspicious)",
  notice: "var(--data-6)",
} as const;

function OpenRun({ run }: { run: RunState }) {
  const [pageParam, setPage] = useQueryParam("page");
  const [issueParam, setIssue] = useQueryParam("issue");
  const [cell, setCell] = useCellParam();
  const [cut, setCut] = useState(firstCut(run));
  const issue = issueParam === null ? null : run.issues[Number(issueParam)];
  const load = (offset: number, limit: number) =>
    api<Rows>(`${path`/runs/${run.id}/rows`}?offset=${offset}&limit=${limit}`);
  const first = useQuery({
    queryKey: ["run rows", run.id],
    queryFn: () => load(0, 500),
    placeholderData: keepPreviousData,
  });
  const { rows, loaded } = useRowStore(first.data, load);
  const lit = useLink((linked) => linked.cell);
  const pointed =
    lit && rows ? rows.cell(lit.row, lit.column) : cell && rows ? rows.cell(cell.row, cell.column) : null;
  const frames = run.pages.flatMap((page) =>
    page.id
      ? [
          {
            id: page.id,
            title: page.title || page.source,
            verdict: page.verdict,
            note: `${page.issues} issues`,
          },
        ]
      : [],
  );
  const current = pointed?.page ?? pageParam ?? issue?.page ?? frames[0]?.id ?? null;
  const page = usePage(current).data;
  const marks = runMarks(run, current, cut, issueParam);
  if (pointed?.box && pointed.page === current)
    marks.push({ id: "lit", box: pointed.box, look: "lit", colour: "var(--accent)" });
  const choose = (place: number) => {
    const wanted = run.issues[place];
    if (!wanted) return;
    setIssue(String(place));
    setCell(null);
    if (wanted.page) setPage(wanted.page);
  };
  const at = issueParam === null ? -1 : Number(issueParam);
  useKeys("Issues", [
    { keys: "j", label: "Next issue", run: () => choose(at + 1) },
    { keys: "k", label: "Previous issue", run: () => choose(Math.max(at - 1, 0)) },
  ]);
  const focus: Box | null = pointed?.box ?? (issue?.page === current ? (issue?.boxes[0] ?? null) : null);
  return (
    <Workbench
      name="run"
      panelShare={0.6}
      bar={<RunBar run={run} />}
      canvas={
        page ? (
          <PageCanvas page={page} marks={marks} focus={focus} />
        ) : (
          <p className={css.bare}>No page of this run is kept in the project.</p>
        )
      }
      film={
        <Filmstrip
          pages={frames}
          current={current}
          onChoose={(id) => {
            setPage(id);
            setIssue(null);
            setCell(null);
          }}
        />
      }
      panelBar={<RunActions run={run} page={current} />}
      panel={
        <>
          <Issues run={run} chosen={at} onChoose={choose} />
          {run.outliers?.scores.some((one) => one.score > 0) && (
            <Fold title="Looks different" open={run.outliers.cut > 0}>
              <OutlierPlot outliers={run.outliers} cut={cut} onCut={setCut} onPage={setPage} />
            </Fold>
          )}
          <Fold title="Filled">
            <FillRates fill={run.fill} />
          </Fold>
          <Fold title="Compared with another run" open={false}>
            <DiffView run={run} />
          </Fold>
        </>
      }
      data={
        rows && (
          <>
            <DataGrid
              rows={rows}
              loaded={loaded}
              label="Rows of the run"
              selected={cell}
              onSelect={setCell}
            />
            {cell && <CellDetail rows={rows} cell={cell} />}
          </>
        )
      }
    />
  );
}

/** Where the cut stands at first; where none was found, nothing is beyond it. */
function firstCut(run: RunState): number {
  const { cut, scores } = run.outliers ?? { cut: 0, scores: [] };
  return cut > 0 ? cut : Math.max(0, ...scores.map((one) => one.score));
}

function runMarks(run: RunState, page: string | null, cut: number, chosen: string | null): Mark[] {
  const issues = run.issues.flatMap((issue, place): Mark[] =>
    issue.page === page
      ? issue.boxes.map((box, number) => ({
          id: `issue ${place} ${number}`,
          box,
          look: String(place) === chosen ? "lit" : "issue",
          colour: COLOURS[issue.severity],
          ...(number === 0 ? { label: issue.field ?? issue.check } : {}),
        }))
      : [],
  );
  const unlike = (run.outliers?.scores ?? []).flatMap((one, place): Mark[] =>
    one.page === page && one.box && one.score > cut
      ? [{ id: `outlier ${place}`, box: one.box, look: "issue", colour: "var(--data-2)" }]
      : [],
  );
  return [...issues, ...unlike];
}

const nameOf = (source: string | null) => source?.split("/").at(-1) ?? "all pages";

function Issues({
  run,
  chosen,
  onChoose,
}: {
  run: RunState;
  chosen: number;
  onChoose: (place: number) => void;
}) {
  const groups = groupIssues(run.issues);
  if (groups.length === 0)
    return (
      <p className={css.fine}>
        Nothing is wrong with the {run.pages.length === 1 ? "page" : `${run.pages.length} pages`}.
      </p>
    );
  return (
    <Fold title={groups.length === 1 ? "1 issue" : `${groups.length} issues`}>
      <ul className={css.issues}>
        {groups.map(({ first, places }) => (
          <li key={places[0]}>
            <button type="button" aria-pressed={places.includes(chosen)} onClick={() => onChoose(places[0]!)}>
              <VerdictChip verdict={first.severity} />
              <span>
                <strong>{first.field ?? first.check}</strong> {first.reason}
                {places.length === 1 && first.source && (
                  <span className="quiet"> · {nameOf(first.source)}</span>
                )}
              </span>
            </button>
            {places.length > 1 && (
              <div className={css.where}>
                {places.map((place) => (
                  <button
                    type="button"
                    key={place}
                    aria-pressed={place === chosen}
                    onClick={() => onChoose(place)}
                  >
                    {nameOf(run.issues[place]!.source)}
                  </button>
                ))}
              </div>
            )}
          </li>
        ))}
      </ul>
    </Fold>
  );
}

function RunBar({ run }: { run: RunState }) {
  const [, go] = useLocation();
  return (
    <>
      <IconButton icon="left" label="All runs" onClick={() => go("/check")} />
      <strong className="clip">{run.name}</strong>
      <span className="quiet clip">{new Date(run.began).toLocaleString()}</span>
      <span style={{ flex: 1 }} />
      <VerdictChip verdict={run.verdict} title={run.issues.map((issue) => issue.reason).join("\n")} />
    </>
  );
}

function RunActions({ run, page }: { run: RunState; page: string | null }) {
  const [, go] = useLocation();
  const formats = useAbout().data?.formats ?? [];
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const bad = run.pages.filter((page) => page.id && page.verdict !== "ok").map((page) => page.id!);
  const repair = async (pages: string[]) => {
    setBusy(true);
    setProblem(null);
    try {
      const job = await api<Job<{ repair: string }>>(path`/wrappers/${run.name}/repair`, {
        body: { pages },
      });
      const found = await follow(job);
      go(`/repairs/${encodeURIComponent(found.repair)}`);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <h2>
        {run.rows.toLocaleString()} {run.rows === 1 ? "row" : "rows"} of{" "}
        {run.pages.length === 1 ? "1 page" : `${run.pages.length} pages`}
      </h2>
      <span style={{ flex: 1 }} />
      {problem && <VerdictChip verdict="failed">{problem.message}</VerdictChip>}
      {bad.length === 1 && (
        <Button
          icon="teach"
          disabled={busy}
          title="Propose new rules for the page that does not fit"
          onClick={() => repair(bad)}
        >
          {busy ? "Looking …" : "Repair"}
        </Button>
      )}
      {bad.length > 1 && (
        <Menu
          label="Repair: propose new rules"
          look="plain"
          icon="teach"
          items={[
            ...(page && bad.includes(page)
              ? [{ label: "For pages like the one shown", onSelect: () => repair([page]) }]
              : []),
            {
              label:
                bad.length === 1 ? "For the page that does not fit" : `For all ${bad.length} that do not fit`,
              onSelect: () => repair(bad),
            },
          ]}
        >
          {busy ? "Looking …" : "Repair"}
        </Menu>
      )}
      <Menu
        label="Export"
        icon="download"
        look="primary"
        items={formats.map((format) => ({
          label: format.name,
          hint: `.${format.suffix.replace(/^\./, "")}`,
          disabled: !format.available,
          onSelect: () =>
            window.location.assign(
              `/api${path`/runs/${run.id}/export`}?format=${format.suffix.replace(/^\./, "")}`,
            ),
        }))}
      >
        Export
      </Menu>
    </>
  );
}
