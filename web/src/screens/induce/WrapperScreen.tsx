// A wrapper on the pages it was learned from: the schema as a tree, what it reads, and where a page does not fit.
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import { api, path } from "../../api/client";
import { queryClient, usePage, usePages } from "../../api/queries";
import type { Reading, SchemaNode, WrapperState } from "../../api/types";
import type { Mark } from "../../canvas/marks";
import { type CanvasPoint, PageCanvas } from "../../canvas/PageCanvas";
import { seriesColour } from "../../design/colours";
import { Busy, Button, Complaint, IconButton, VerdictChip } from "../../design/controls";
import { Menu } from "../../design/Menu";
import { Filmstrip } from "../../frame/Filmstrip";
import { Workbench } from "../../frame/Workbench";
import { CellDetail } from "../../grid/CellDetail";
import { DataGrid } from "../../grid/DataGrid";
import { useRowStore } from "../../grid/rows";
import { useHistory } from "../../state/history";
import { useLink } from "../../state/link";
import { useCellParam, useQueryParam } from "../../state/useQueryParam";
import { cellAt } from "../open/cells";
import css from "./induce.module.css";
import { MachineView } from "./MachineView";
import { SchemaTree } from "./SchemaTree";
import { useReading, useWrapper, useWrapperEdits, type WrapperEdits } from "./wrapper";

export function WrapperScreen({ name }: { name: string }) {
  const wrapper = useWrapper(name);
  if (wrapper.error) return <Complaint>{wrapper.error.message}</Complaint>;
  if (!wrapper.data) return <Busy>Opening the wrapper …</Busy>;
  return <OpenWrapper state={wrapper.data} />;
}

type View = "schema" | "words" | "machine";

function OpenWrapper({ state }: { state: WrapperState }) {
  const [pageParam, setPage] = useQueryParam("page");
  const [view, setView] = useQueryParam("view");
  const [cell, setCell] = useCellParam();
  const pages = usePages().data ?? [];
  const frames = state.pages.flatMap((page) =>
    page.id && pages.some((one) => one.id === page.id)
      ? [{ id: page.id, title: page.name, verdict: page.verdict }]
      : [],
  );
  const current = pageParam ?? frames[0]?.id ?? null;
  const page = usePage(current).data;
  const reading = useReading(state.name, state.version, current);
  const edits = useWrapperEdits(state.name, state);
  useHistory(
    state.history,
    () => edits.send({ action: "undo" }),
    () => edits.send({ action: "redo" }),
  );
  const { rows, loaded } = useRowStore(reading.data?.rows);
  const lit = useLink((linked) => linked.cell);
  const litBox = lit && rows ? rows.cell(lit.row, lit.column)?.box : null;
  const cellBox = cell && rows ? rows.cell(cell.row, cell.column)?.box : null;
  const [issue, setIssue] = useState<number | null>(null);
  const problemBox = issue === null ? null : (reading.data?.problems[issue]?.box ?? null);
  const marks = useMemo(() => readingMarks(reading.data), [reading.data]);
  const all: Mark[] = [
    ...marks,
    ...(litBox ? [{ id: "lit", box: litBox, look: "lit" as const, colour: seriesColour(lit!.column) }] : []),
  ];
  const hover = (point: CanvasPoint | null) =>
    useLink.getState().point(point && reading.data ? cellAt(reading.data.rows, point) : null, "page");
  const others = pages.filter((one) => !frames.some((frame) => frame.id === one.id));

  return (
    <Workbench
      name="wrapper"
      panelShare={0.64}
      bar={<ReadingBar state={state} reading={reading.data} onIssue={setIssue} />}
      canvas={
        page ? (
          <PageCanvas
            page={page}
            marks={all}
            focus={litBox ?? problemBox ?? cellBox ?? null}
            onHover={hover}
            onClick={(point) => reading.data && setCell(cellAt(reading.data.rows, point))}
          />
        ) : (
          <p className={css.bare}>
            The pages that it was learned from are not in this project. Choose another page below.
          </p>
        )
      }
      film={
        <Filmstrip pages={frames} current={current} onChoose={setPage}>
          {current && !frames.some((frame) => frame.id === current) && (
            <VerdictChip verdict={reading.data?.verdict ?? "notice"}>
              {page?.title ?? "another page"}
            </VerdictChip>
          )}
          {others.length > 0 && (
            <Menu
              label="Another page"
              look="plain"
              align="left"
              icon="plus"
              items={others.slice(0, 40).map((one) => ({
                label: (one.title || one.source).slice(0, 60),
                onSelect: () => setPage(one.id),
              }))}
            >
              Another page
            </Menu>
          )}
        </Filmstrip>
      }
      panelBar={<WrapperBar state={state} view={(view as View | null) ?? "schema"} onView={setView} />}
      panel={
        <WrapperPanel
          state={state}
          view={(view as View | null) ?? "schema"}
          edits={edits}
          page={current}
          problem={reading.error}
        />
      }
      data={
        rows && rows.columns.length > 0 ? (
          <>
            <DataGrid
              rows={rows}
              loaded={loaded}
              label="What the wrapper reads from this page"
              selected={cell}
              onSelect={setCell}
              onRename={(column, to) => edits.send({ action: "rename", field: fullName(state, column), to })}
              onDrop={(column) => edits.send({ action: "drop", field: fullName(state, column) })}
            />
            {cell && <CellDetail rows={rows} cell={cell} />}
          </>
        ) : undefined
      }
    />
  );
}

/** Values in the colours of their columns, and what has no place in the template. */
function readingMarks(reading: Reading | undefined): Mark[] {
  if (!reading) return [];
  const values = reading.rows.columns.flatMap((column, place) =>
    column.boxes.flatMap((box, row): Mark[] =>
      box
        ? [
            {
              id: `cell ${row} ${place}`,
              box,
              look: "part",
              colour: seriesColour(place),
              ...(row === 0 ? { label: column.name } : {}),
            },
          ]
        : [],
    ),
  );
  const problems = reading.problems.flatMap((problem, place): Mark[] =>
    problem.box
      ? [{ id: `problem ${place}`, box: problem.box, look: "issue", colour: "var(--suspicious)", label: "!" }]
      : [],
  );
  return [...values, ...problems];
}

/** The columns of the grid are fields of the records; edits name them with the set that they are in. */
export function fullName(state: WrapperState, column: string): string {
  const name = column.replaceAll(" / ", ".");
  const paths = pathsOf(state.schema);
  const inside = state.records_of ? `${state.records_of}.${name}` : name;
  return paths.includes(inside) ? inside : name;
}

const pathsOf = (nodes: SchemaNode[]): string[] =>
  nodes.flatMap((node) => [node.path, ...pathsOf(node.children)]);

function ReadingBar({
  state,
  reading,
  onIssue,
}: {
  state: WrapperState;
  reading: Reading | undefined;
  onIssue: (place: number) => void;
}) {
  const [, go] = useLocation();
  const problems = reading?.problems ?? [];
  return (
    <>
      <IconButton icon="left" label="All wrappers" onClick={() => go("/induce")} />
      <span
        className="quiet"
        title={
          state.training.left_out.length
            ? `Left out, unlike the others: ${state.training.left_out.join(", ")}`
            : undefined
        }
      >
        Learned {state.learned}, {state.training.pages === 1 ? "1 page" : `${state.training.pages} pages`}
        {state.templates > 1 && `, ${state.templates} templates`}
        {state.training.left_out.length > 0 && `, ${state.training.left_out.length} left out`}
      </span>
      <span style={{ flex: 1 }} />
      {reading && problems.length === 0 && <VerdictChip verdict={reading.verdict} />}
      {reading && problems.length > 0 && (
        <Menu
          label="Where the page does not fit"
          items={problems.slice(0, 30).map((problem, place) => ({
            label: problem.what.slice(0, 90),
            icon: problem.box ? ("eye" as const) : ("info" as const),
            onSelect: () => onIssue(place),
          }))}
        >
          <VerdictChip verdict={reading.verdict}>
            {reading.verdict}, {problems.length === 1 ? "1 reason" : `${problems.length} reasons`}
          </VerdictChip>
        </Menu>
      )}
    </>
  );
}

const VIEWS: { view: View; label: string }[] = [
  { view: "schema", label: "Schema" },
  { view: "words", label: "In words" },
  { view: "machine", label: "Machine" },
];

function WrapperBar({
  state,
  view,
  onView,
}: {
  state: WrapperState;
  view: View;
  onView: (view: string | null) => void;
}) {
  const [, go] = useLocation();
  const remove = async () => {
    await api(path`/wrappers/${state.name}`, { method: "DELETE", version: state.version });
    await queryClient.invalidateQueries({ queryKey: ["wrappers"] });
    go("/induce");
  };
  const download = (end: string) => window.location.assign(`/api${path`/wrappers/${state.name}`}${end}`);
  const known = state.pages.flatMap((page) => (page.id ? [page.id] : [])).join(",");
  const induced = state.learned !== "by examples";
  return (
    <>
      <h2 className="clip">{state.name}</h2>
      <span style={{ flex: 1 }} />
      <div className={css.views} role="tablist" aria-label="Views">
        {VIEWS.filter((one) => induced || one.view !== "machine").map((one) => (
          <button
            type="button"
            key={one.view}
            role="tab"
            aria-selected={view === one.view}
            onClick={() => onView(one.view === "schema" ? null : one.view)}
          >
            {one.label}
          </button>
        ))}
      </div>
      <Button
        look="primary"
        icon="check"
        onClick={() => go(`/check?wrapper=${encodeURIComponent(state.name)}&pages=${known}`)}
      >
        Run
      </Button>
      <Menu
        label="More about this wrapper"
        icon="dots"
        items={[
          { label: "Download the wrapper", icon: "download", onSelect: () => download("/download") },
          { label: "As a Scrapy spider", icon: "download", onSelect: () => download("/code?for=scrapy") },
          {
            label: "As a web-poet page object",
            icon: "download",
            onSelect: () => download("/code?for=web-poet"),
          },
          "line",
          { label: "Remove the wrapper", icon: "trash", danger: true, onSelect: remove },
        ]}
      />
    </>
  );
}

interface WrapperPanelProps {
  state: WrapperState;
  view: View;
  edits: WrapperEdits;
  page: string | null;
  problem: Error | null;
}

function WrapperPanel({ state, view, edits, page, problem }: WrapperPanelProps) {
  return (
    <>
      {edits.problem && (
        <Complaint actions={<Button onClick={edits.clear}>Close</Button>}>{edits.problem.message}</Complaint>
      )}
      {problem && <Complaint>{problem.message}</Complaint>}
      {view === "schema" && <SchemaTree state={state} edits={edits} page={page} />}
      {view === "words" && <pre className={css.words}>{state.words}</pre>}
      {view === "machine" && <MachineView name={state.name} version={state.version} />}
    </>
  );
}
