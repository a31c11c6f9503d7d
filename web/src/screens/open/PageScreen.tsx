// A page and what is on it: candidates over its picture, the rows of the one that is chosen beside it.
import { useCallback, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { api, path } from "../../api/client";
import { usePage, useResult, useResults } from "../../api/queries";
import type { Box, PageInfo, ResultInfo, Rows } from "../../api/types";
import { area, holds, type Mark } from "../../canvas/marks";
import { type CanvasPoint, PageCanvas } from "../../canvas/PageCanvas";
import { seriesColour } from "../../design/colours";
import { Busy, Button, Complaint, Hint } from "../../design/controls";
import { Workbench } from "../../frame/Workbench";
import { useRowStore } from "../../grid/rows";
import { useHistory } from "../../state/history";
import { useKeys } from "../../state/keys";
import { useLink } from "../../state/link";
import { useCellParam, useQueryParam } from "../../state/useQueryParam";
import { Candidates, visibleOrder } from "./Candidates";
import { cellAt } from "./cells";
import { useResultEdits } from "./edits";
import { candidateName, kindColour, NAMES } from "./naming";
import { PageBar } from "./PageBar";
import { ResultBar } from "./ResultBar";
import { ResultPane } from "./ResultPane";
import { ThingCard } from "./ThingCard";
import { useThingCard } from "./useThingCard";

export function PageScreen({ id, result }: { id: string; result: string | null }) {
  const [, go] = useLocation();
  const page = usePage(id);
  const results = useResults(id);
  const chosen = result ?? null;
  const choose = useCallback(
    (key: string | null) => go(key ? `/pages/${id}/${key}` : `/pages/${id}`, { replace: chosen !== null }),
    [go, id, chosen],
  );
  const all = results.data?.results ?? [];
  const step = (by: number) => {
    const order = visibleOrder(all);
    const at = order.findIndex((info) => info.key === chosen);
    const next = order[at < 0 ? (by > 0 ? 0 : order.length - 1) : at + by];
    if (next) choose(next.key);
  };
  useKeys("Candidates", [
    { keys: "j", label: "Next candidate", run: () => step(1) },
    { keys: "k", label: "Previous candidate", run: () => step(-1) },
    { keys: "Backspace", label: "Show all candidates", run: () => choose(null) },
  ]);

  if (page.error) return <Failed problem={page.error} />;
  if (!page.data) return <Busy>Opening the page …</Busy>;
  return (
    <PageWithResults
      page={page.data}
      results={all}
      summary={results.data?.summary ?? null}
      problem={results.error}
      chosen={chosen}
      onChoose={choose}
    />
  );
}

function Failed({ problem }: { problem: Error }) {
  return (
    <div style={{ flex: 1, padding: 24 }}>
      <Complaint>{problem.message}</Complaint>
    </div>
  );
}

interface PageWithResultsProps {
  page: PageInfo;
  results: ResultInfo[];
  summary: string | null;
  problem: Error | null;
  chosen: string | null;
  onChoose: (key: string | null) => void;
}

function PageWithResults({ page, results, summary, problem, chosen, onChoose }: PageWithResultsProps) {
  const [hovered, setHovered] = useState<string | null>(null);
  const [cell, setCell] = useCellParam();
  const about = useThingCard(page, chosen === null);
  const state = useResult(page.id, chosen);
  const current = state.data?.info.key === chosen ? state.data : undefined;
  const load = (offset: number, limit: number, signal: AbortSignal) =>
    api<{ rows: Rows }>(`${path`/pages/${page.id}/results/${chosen!}`}?offset=${offset}&limit=${limit}`, {
      signal,
    }).then((answer) => answer.rows);
  const { rows, loaded } = useRowStore(current?.rows, load);
  const edits = useResultEdits(page.id, chosen, current);
  useHistory(
    current?.history,
    () => edits.send({ action: "undo" }),
    () => edits.send({ action: "redo" }),
  );

  const info = current?.info ?? results.find((one) => one.key === chosen);
  const link = useLink((linked) => linked.cell);
  const from = useLink((linked) => linked.from);
  const marks = useMemo(
    () => [...candidateMarks(results, chosen, hovered), ...(info ? chosenMarks(info, current?.rows) : [])],
    [results, chosen, hovered, info, current],
  );
  const lit = link && rows ? rows.cell(link.row, link.column)?.box : null;
  const selectedBox = cell && rows ? rows.cell(cell.row, cell.column)?.box : null;
  const all = [
    ...marks,
    ...about.marks,
    ...(selectedBox ? [litMark("selected", selectedBox, cell!.column)] : []),
    ...(lit ? [litMark("lit", lit, link!.column)] : []),
  ];
  const focus = from === "grid" && lit ? lit : (selectedBox ?? info?.box ?? about.focus);

  const hover = (point: CanvasPoint | null) => {
    const linked = useLink.getState();
    const at = point && current ? cellAt(current.rows, point) : null;
    linked.point(at, "page");
    const candidate = point && !at ? candidateAt(results, point) : null;
    const isField = about.point(point, candidate?.box);
    setHovered(isField ? null : (candidate?.key ?? null));
  };
  const click = (point: CanvasPoint) => {
    const at = current ? cellAt(current.rows, point) : null;
    if (at) return setCell(at);
    const candidate = candidateAt(results, point);
    if (!about.pin(point, candidate?.box)) onChoose(candidate?.key ?? null);
  };

  return (
    <Workbench
      name="open"
      bar={<PageBar page={page} />}
      canvas={
        <PageCanvas
          page={page}
          marks={all}
          focus={focus}
          onHover={hover}
          onClick={click}
          cursor={hovered || about.card.lit ? "pointer" : "default"}
        />
      }
      panelBar={
        <ResultBar
          page={page}
          info={info ?? null}
          summary={about.words ?? summary}
          onAll={() => onChoose(null)}
        />
      }
      panel={
        <>
          <OpenedTogether />
          {chosen === null && <ThingCard page={page} {...about.card} />}
          <Candidates
            results={results}
            summary={summary}
            problem={problem}
            chosen={chosen}
            hovered={hovered}
            onHover={setHovered}
            onChoose={onChoose}
          />
        </>
      }
      data={
        chosen && (
          <ResultPane
            page={page}
            state={current}
            rows={rows}
            loaded={loaded}
            problem={state.error}
            edits={edits}
            cell={cell}
            onCell={setCell}
          />
        )
      }
    />
  );
}

/** Several pages came at once: this is the first of them, and all can be learned from. */
function OpenedTogether() {
  const [, go] = useLocation();
  const [given, setGiven] = useQueryParam("with");
  const count = given?.split(",").length ?? 0;
  if (count < 2) return null;
  return (
    <Hint
      icon="pages"
      actions={
        <>
          <Button icon="induce" onClick={() => go(`/induce?pages=${given}`)}>
            Learn from all {count}
          </Button>
          <Button onClick={() => setGiven(null)}>Close</Button>
        </>
      }
    >
      {count} pages were opened; this is the first.
    </Hint>
  );
}

function candidateMarks(results: ResultInfo[], chosen: string | null, hovered: string | null): Mark[] {
  return results.flatMap((info): Mark[] => {
    const isHovered = info.key === hovered;
    if (!info.box || info.key === chosen || ((info.navigation || info.reading_of || chosen) && !isHovered))
      return [];
    const label = NAMES[info.kind] + (info.kind === "content" ? "" : ` · ${info.rows}`);
    return [
      { id: info.key, box: info.box, look: isHovered ? "lit" : "candidate", colour: kindColour(info), label },
    ];
  });
}

function chosenMarks(info: ResultInfo, rows: Rows | undefined): Mark[] {
  const colour = kindColour(info);
  const marks: Mark[] = info.parts.map((box, place) => ({ id: `part ${place}`, box, look: "part", colour }));
  rows?.columns.forEach((column, place) => {
    column.boxes.forEach((box, row) => {
      if (box) marks.push({ id: `cell ${row} ${place}`, box, look: "cell", colour: seriesColour(place) });
    });
  });
  if (info.box)
    marks.push({ id: info.key, box: info.box, look: "chosen", colour, label: candidateName(info) });
  return marks;
}

const litMark = (id: string, box: Box, column: number): Mark => ({
  id,
  box,
  look: "lit",
  colour: seriesColour(column),
});

/** The innermost candidate at a point; menus and second readings only where nothing else is. */
function candidateAt(results: ResultInfo[], point: CanvasPoint): ResultInfo | null {
  const here = results.filter((info) => info.box && holds(info.box, point.x, point.y));
  const main = here.filter((info) => !info.navigation && !info.reading_of);
  return (main.length ? main : here).sort((one, other) => area(one.box!) - area(other.box!))[0] ?? null;
}
