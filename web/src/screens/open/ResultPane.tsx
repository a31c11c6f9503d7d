// The rows of a result, as they will be exported, and what can be changed about them.
import { useState } from "react";
import { useLocation } from "wouter";
import { ApiError, api, path } from "../../api/client";
import { follow } from "../../api/jobs";
import { queryClient, usePaging } from "../../api/queries";
import type { Job, PageInfo, ResultState } from "../../api/types";
import { Busy, Button, Complaint, VerdictChip } from "../../design/controls";
import { Menu } from "../../design/Menu";
import { CellDetail } from "../../grid/CellDetail";
import { DataGrid } from "../../grid/DataGrid";
import type { RowStore } from "../../grid/rows";
import { type Cell, useLink } from "../../state/link";
import type { ResultEdits } from "./edits";
import css from "./open.module.css";

interface ResultPaneProps {
  page: PageInfo;
  state: ResultState | undefined;
  rows: RowStore | null;
  loaded: number;
  problem: Error | null;
  edits: ResultEdits;
  cell: Cell | null;
  onCell: (cell: Cell | null) => void;
}

export function ResultPane({ page, state, rows, loaded, problem, edits, cell, onCell }: ResultPaneProps) {
  if (problem) return <Complaint>{problem.message}</Complaint>;
  if (!state || !rows) return <Busy>Reading the rows …</Busy>;
  const { info } = state;
  return (
    <div className={css.pane}>
      <div className={css.paneBar}>
        <span>
          {rows.total.toLocaleString()}{" "}
          {info.kind === "content" ? "blocks" : rows.total === 1 ? "row" : "rows"}
        </span>
        {info.verdict !== "ok" && <VerdictChip verdict={info.verdict} title={info.reasons.join(" ")} />}
        {info.verdict !== "ok" && <span className="clip">{info.reasons[0]}</span>}
        <span style={{ flex: 1 }} />
        {state.dropped.length > 0 && (
          <Menu
            label={`${state.dropped.length} left out: bring back`}
            items={state.dropped.map((name) => ({
              label: `Bring back ${name}`,
              icon: "undo" as const,
              onSelect: () => edits.send({ action: "restore", column: name }),
            }))}
          >
            {state.dropped.length} left out
          </Menu>
        )}
        {info.kind === "table" && <HeaderRows edits={edits} />}
        <CollectButton page={page} result={info.key} />
      </div>
      {edits.problem && (
        <Complaint actions={<Button onClick={edits.clear}>Close</Button>}>{edits.problem.message}</Complaint>
      )}
      {info.kind === "content" ? (
        <Reading rows={rows} />
      ) : (
        <DataGrid
          rows={rows}
          loaded={loaded}
          label={info.caption ?? "Rows"}
          selected={cell}
          onSelect={onCell}
          onRename={(column, to) => edits.send({ action: "rename", column, to })}
          onType={(column, kind) => edits.send({ action: "type", column, kind })}
          onDrop={(column) => edits.send({ action: "drop", column })}
        />
      )}
      {cell && <CellDetail rows={rows} cell={cell} />}
    </div>
  );
}

function HeaderRows({ edits }: { edits: ResultEdits }) {
  return (
    <Menu
      label="Headings: how many rows"
      items={[0, 1, 2, 3].map((count) => ({
        label:
          count === 0
            ? "No row is a heading"
            : `${count} ${count === 1 ? "row is a heading" : "rows are headings"}`,
        onSelect: () => edits.send({ action: "headers", count }),
      }))}
    >
      Headings
    </Menu>
  );
}

function CollectButton({ page, result }: { page: PageInfo; result: string }) {
  const [, go] = useLocation();
  const paging = usePaging(page.url.startsWith("http") ? page.id : null);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  if (!paging.data?.next) return null;
  const collect = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const job = await api<Job<{ run: string }>>(path`/pages/${page.id}/results/${result}/collect`, {
        body: {},
      });
      const { run } = await follow(job);
      await queryClient.invalidateQueries({ queryKey: ["runs"] });
      go(`/runs/${encodeURIComponent(run)}`);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
    } finally {
      setBusy(false);
    }
  };
  const { total } = paging.data;
  return (
    <>
      {problem && <VerdictChip verdict="failed">{problem.message}</VerdictChip>}
      <Button icon="pages" disabled={busy} onClick={collect}>
        {busy ? "Collecting …" : total ? `Collect all ${total} pages` : "Collect all pages"}
      </Button>
    </>
  );
}

/** The main text, to be read; each block is linked to its place on the page. */
function Reading({ rows }: { rows: RowStore }) {
  const lit = useLink((state) => state.cell?.row);
  const column = Math.max(
    rows.columns.findIndex((one) => one.name === "text"),
    0,
  );
  return (
    <div className={css.reading}>
      {Array.from({ length: rows.total }, (_, row) => {
        const text = rows.cell(row, column)?.text;
        return (
          <p
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other name than their place
            key={row}
            data-lit={lit === row}
            onPointerEnter={() => useLink.getState().point({ row, column }, "grid")}
          >
            {text ?? "…"}
          </p>
        );
      })}
    </div>
  );
}
