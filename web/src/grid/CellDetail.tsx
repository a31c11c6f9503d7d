// The cell that is selected, in full: what the page says, and what it becomes.
import type { Cell } from "../state/link";
import css from "./CellDetail.module.css";
import type { RowStore } from "./rows";

export function CellDetail({ rows, cell }: { rows: RowStore; cell: Cell }) {
  const column = rows.columns[cell.column];
  const found = rows.cell(cell.row, cell.column);
  if (!column || !found) return null;
  const becomes = found.value !== null && found.value !== found.text ? found.value : null;
  return (
    <div className={css.detail} role="status" aria-label="Selected cell">
      <span className={css.name}>{column.name}</span>
      <span className={css.text}>{found.text ?? <em>nothing on the page</em>}</span>
      {becomes !== null && (
        <span className={css.value}>
          <span aria-hidden="true">→</span> <span className="mono">{becomes}</span>
        </span>
      )}
      <span className={css.type}>{column.type.words}</span>
    </div>
  );
}
