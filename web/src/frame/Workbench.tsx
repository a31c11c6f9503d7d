// One layout for all screens: at the left where the data is seen, at the right what it becomes.
import { type ReactNode, useState } from "react";
import { IconButton } from "../design/controls";
import { Split } from "../design/Split";
import { useKeys } from "../state/keys";
import css from "./Workbench.module.css";

/** A page at 60 % of its size where there is room for it; on a tablet, half for the page and half for the data. */
const PAGE_SHARE = window.innerWidth < 1200 ? 0.5 : 0.65;
const NARROW_PAGE = 0.32; // of the width, while the data has the room

interface WorkbenchProps {
  bar: ReactNode;
  canvas: ReactNode;
  panelBar: ReactNode;
  panel: ReactNode;
  data?: ReactNode;
  film?: ReactNode;
  name: string;
  /** The share of the panel above the data, if nobody has moved the line yet. */
  panelShare?: number;
}

export function Workbench({
  bar,
  canvas,
  panelBar,
  panel,
  data,
  film,
  name,
  panelShare = 0.4,
}: WorkbenchProps) {
  const [wide, setWide] = useState(false);
  useKeys("Layout", [
    { keys: "d", label: wide ? "Room for the page" : "Room for the data", run: () => setWide(!wide) },
  ]);
  const left = (
    <section className={css.side} aria-label="Where the data is seen">
      <header className={css.bar}>{bar}</header>
      {canvas}
      {film}
    </section>
  );
  const list = <div className={css.panel}>{panel}</div>;
  const right = (
    <section className={css.side} aria-label="What it becomes">
      <header className={css.bar}>
        {panelBar}
        <IconButton
          icon="wide"
          label={wide ? "Room for the page" : "Room for the data"}
          keys="d"
          pressed={wide}
          onClick={() => setWide(!wide)}
        />
      </header>
      {data ? (
        <Split
          name={`${name} data`}
          direction="column"
          initial={panelShare}
          first={list}
          second={data}
          label="Height of the data"
        />
      ) : (
        list
      )}
    </section>
  );
  return (
    <Split
      name="page"
      direction="row"
      initial={PAGE_SHARE}
      first={left}
      second={right}
      label="Width of the page"
      forced={wide ? NARROW_PAGE : undefined}
    />
  );
}

/** A heading in the panel that can be folded. */
export function Fold({
  title,
  children,
  open = true,
  actions,
}: {
  title: ReactNode;
  children: ReactNode;
  open?: boolean;
  actions?: ReactNode;
}) {
  const [isOpen, setOpen] = useState(open);
  return (
    <section className={css.fold}>
      <h3>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span className={css.arrow} data-open={isOpen}>
            ›
          </span>
          {title}
        </button>
        {actions}
      </h3>
      {isOpen && children}
    </section>
  );
}
