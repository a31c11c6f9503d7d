// The data as it will be exported. A cell and its place on the page light up together.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, memo, useEffect, useMemo, useRef, useState } from "react";
import type { ColumnInfo } from "../api/types";
import { seriesColour } from "../design/colours";
import { TextField } from "../design/controls";
import { Icon } from "../design/Icon";
import { Menu, type MenuItem } from "../design/Menu";
import { type Cell, useLink } from "../state/link";
import css from "./DataGrid.module.css";
import type { RowStore } from "./rows";
import { columnWidths, isNumeric, TYPE_CHOICES } from "./shape";

interface DataGridProps {
  rows: RowStore;
  /** Grows when more rows have come. */
  loaded: number;
  selected: Cell | null;
  onSelect: (cell: Cell | null) => void;
  onRename?: (column: string, to: string) => void;
  onType?: (column: string, kind: string) => void;
  onDrop?: (column: string) => void;
  colour?: (column: ColumnInfo, place: number) => string;
  label: string;
}

const ROW = 28;
const OVERSCAN = 24; // rows drawn beyond what is seen, so that a quick wheel meets no gap

export function DataGrid(props: DataGridProps) {
  const { rows, selected, onSelect, label } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [widths, setWidths] = useState<Record<string, number>>({});
  const natural = useMemo(() => columnWidths(rows), [rows]);
  const template = `44px ${rows.columns.map((column, at) => `${widths[column.name] ?? natural[at]}px`).join(" ")}`;
  const virtual = useVirtualizer({
    count: rows.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
  });

  const seen = virtual.getVirtualItems();
  useEffect(() => {
    for (const item of seen) if (!rows.has(item.index)) rows.want?.(item.index);
  });

  // What is pointed at on the page comes into view here; what is pointed at here is in view already.
  useEffect(
    () =>
      useLink.subscribe((state) => {
        if (state.from === "page" && state.cell) virtual.scrollToIndex(state.cell.row, { align: "auto" });
      }),
    [virtual],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another cell is selected
  useEffect(() => {
    if (selected && selected.row < rows.total) virtual.scrollToIndex(selected.row, { align: "auto" });
  }, [selected?.row]);

  const onKey = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return;
    const at = selected ?? { row: 0, column: 0 };
    const page = Math.floor((scroller.current!.clientHeight - ROW) / ROW);
    const by: Record<string, [number, number]> = {
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
      PageDown: [page, 0],
      PageUp: [-page, 0],
      Home: [0, -at.column],
      End: [0, rows.columns.length],
    };
    const move = by[event.key];
    if (move) {
      const row = clamp(selected ? at.row + move[0] : 0, rows.total);
      const column = clamp(selected ? at.column + move[1] : 0, rows.columns.length);
      onSelect({ row, column });
    } else if (event.key === "c" && (event.ctrlKey || event.metaKey) && selected) {
      navigator.clipboard
        .writeText(rows.cell(selected.row, selected.column)?.text ?? "")
        .catch(() => undefined);
    } else return;
    event.preventDefault();
  };

  return (
    <div
      className={css.grid}
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows.total + 1}
      aria-colcount={rows.columns.length}
      aria-activedescendant={selected ? `cell-${selected.row}-${selected.column}` : undefined}
      onKeyDown={onKey}
      onPointerLeave={() => useLink.getState().point(null, "grid")}
    >
      <div className={css.head} role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        <span className={css.corner} role="columnheader" aria-label="Row">
          #
        </span>
        {rows.columns.map((column, place) => (
          <HeadCell
            key={column.name}
            column={column}
            place={place}
            total={rows.total}
            onWidth={(width) => setWidths((old) => ({ ...old, [column.name]: width }))}
            {...props}
          />
        ))}
      </div>
      <div role="rowgroup" className={css.body} style={{ height: virtual.getTotalSize() }}>
        {seen.map((item) => (
          <Row
            key={item.index}
            rows={rows}
            row={item.index}
            here={rows.has(item.index)}
            top={item.start}
            template={template}
            selected={selected?.row === item.index ? selected.column : -1}
            onSelect={onSelect}
          />
        ))}
      </div>
    </div>
  );
}

const clamp = (wanted: number, count: number) => Math.min(Math.max(wanted, 0), Math.max(count - 1, 0));

interface RowProps {
  rows: RowStore;
  row: number;
  here: boolean;
  top: number;
  template: string;
  selected: number;
  onSelect: (cell: Cell | null) => void;
}

const Row = memo(function Row({ rows, row, here, top, template, selected, onSelect }: RowProps) {
  const lit = useLink((state) => (state.cell?.row === row ? state.cell.column : -1));
  return (
    <div
      className={css.row}
      role="row"
      aria-rowindex={row + 2}
      data-lit={lit >= 0}
      style={{ transform: `translateY(${top}px)`, gridTemplateColumns: template }}
    >
      <span className={css.number} role="rowheader">
        {row + 1}
      </span>
      {rows.columns.map((column, place) => {
        const cell = here ? rows.cell(row, place) : undefined;
        return (
          <span
            key={column.name}
            role="gridcell"
            id={`cell-${row}-${place}`}
            className={css.cell}
            data-lit={lit === place}
            data-selected={selected === place}
            data-numeric={isNumeric(column)}
            data-empty={here && cell?.text == null}
            title={cell?.text ?? undefined}
            onPointerEnter={() => useLink.getState().point({ row, column: place }, "grid")}
            onClick={() => onSelect({ row, column: place })}
          >
            {here ? (cell?.text ?? "") : "…"}
          </span>
        );
      })}
    </div>
  );
});

interface HeadCellProps extends DataGridProps {
  column: ColumnInfo;
  place: number;
  total: number;
  onWidth: (width: number) => void;
}

function HeadCell({ column, place, total, onWidth, onRename, onType, onDrop, colour }: HeadCellProps) {
  const [renaming, setRenaming] = useState(false);
  const cell = useRef<HTMLDivElement>(null);
  const tint = colour?.(column, place) ?? seriesColour(place);
  const rename = (to: string) => {
    setRenaming(false);
    if (to.trim() && to.trim() !== column.name) onRename?.(column.name, to.trim());
  };
  return (
    <div
      className={css.headCell}
      role="columnheader"
      ref={cell}
      style={{ "--tint": tint } as React.CSSProperties}
    >
      {renaming ? (
        <TextField
          label={`New name of ${column.name}`}
          autoFocus
          defaultValue={column.name}
          onFocus={(event) => event.target.select()}
          onBlur={(event) => rename(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") rename(event.currentTarget.value);
            else if (event.key === "Escape") setRenaming(false);
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
      ) : (
        <button
          type="button"
          className={css.name}
          title={onRename ? `${column.name}  (double-click to rename)` : column.name}
          onDoubleClick={() => onRename && setRenaming(true)}
        >
          {column.name}
        </button>
      )}
      {!renaming && (
        <Menu
          label={`${column.name}, ${column.type.words}: more`}
          className={css.type ?? ""}
          title={typeTitle(column, total)}
          items={headItems(column, setRenaming, onRename, onType, onDrop)}
        >
          <span className="clip">{column.type.words}</span>
          {column.misfits.length > 0 ? (
            <Icon name="warn" size={12} />
          ) : (
            column.ambiguous && <span className={css.doubt}>?</span>
          )}
        </Menu>
      )}
      <span
        className={css.grip}
        aria-hidden="true"
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
          onWidth(Math.max(48, event.clientX - cell.current!.getBoundingClientRect().left));
        }}
      />
    </div>
  );
}

function typeTitle(column: ColumnInfo, total: number): string {
  const parts = [`${column.type.words}, filled in ${column.filled} of ${total} rows`];
  if (column.ambiguous) parts.push(column.ambiguous);
  if (column.misfits.length) parts.push(`does not fit: ${column.misfits.join(", ")}`);
  return parts.join("; ");
}

function headItems(
  column: ColumnInfo,
  setRenaming: (renaming: boolean) => void,
  onRename: DataGridProps["onRename"],
  onType: DataGridProps["onType"],
  onDrop: DataGridProps["onDrop"],
): (MenuItem | "line")[] {
  const items: (MenuItem | "line")[] = [];
  if (onRename) items.push({ label: "Rename", icon: "rename", onSelect: () => setRenaming(true) });
  if (onDrop) items.push({ label: "Leave out", icon: "trash", onSelect: () => onDrop(column.name) });
  if (onType) {
    if (items.length) items.push("line");
    for (const choice of TYPE_CHOICES)
      items.push({
        label: choice.label,
        checked: choice.kind === column.type.kind,
        onSelect: () => onType(column.name, choice.kind),
      });
  }
  if (!items.length) items.push({ label: column.type.words, disabled: true, onSelect: () => undefined });
  return items;
}
