// Where the delivered columns come from: sources at the left, what is delivered at the right, lines between.
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import {
  type FlowRunState,
  type Lineage,
  type LineageSource,
  type StepOfRun,
  useLineage,
} from "../../api/history";
import { seriesColour } from "../../design/colours";
import { Busy, Complaint, VerdictChip } from "../../design/controls";
import { counted } from "../../design/counted";
import { useQueryParam } from "../../state/useQueryParam";
import { ageWords } from "./ages";
import { LineageDetail } from "./LineageDetail";
import { type Card, KIND_WORDS, litBy, neighbour, type Port, pictured } from "./lineage";
import css from "./lineage.module.css";

interface LineageViewProps {
  run: FlowRunState;
  /** Show the rows of a step, or one of its cells at its place on the page. */
  onSee: (step: StepOfRun, seen: { column: string; row: number } | null) => void;
}

export function LineageView({ run, onSee }: LineageViewProps) {
  const { data, error } = useLineage(run.flow, run.id);
  if (error) return <Complaint>{error.message}</Complaint>;
  if (!data) return <Busy>Following the columns back …</Busy>;
  if (!data.deliveries.some((delivery) => delivery.columns.length))
    return <p className={css.nothing}>This run delivered nothing, so there are no columns to follow.</p>;
  return <LineagePicture run={run} lineage={data} onSee={onSee} />;
}

const NONE: ReadonlySet<string> = new Set();

function LineagePicture({ run, lineage, onSee }: LineageViewProps & { lineage: Lineage }) {
  const [open, setOpen] = useState(NONE);
  const [chosen, setChosen] = useQueryParam("column");
  const [pointed, setPointed] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const picture = useMemo(() => pictured(lineage, open), [lineage, open]);
  const ports = useMemo(
    () =>
      new Set([...picture.sources, ...picture.deliveries].flatMap((card) => card.ports.map((one) => one.id))),
    [picture],
  );
  const known = (id: string | null) => (id !== null && ports.has(id) ? id : null);
  const shown = known(pointed) ?? known(focused) ?? known(chosen);
  const lit = litBy(picture.lines, shown);
  // One stop for the tabulator on the whole picture; arrows move in it.
  const stop = known(chosen) ?? picture.deliveries[0]?.ports[0]?.id ?? null;
  const go = (id: string) => buttons.current.get(id)?.focus();
  const onKey = (event: KeyboardEvent) => {
    const at = (event.target as HTMLElement).dataset.port;
    if (event.key === "Escape" && chosen !== null) setChosen(null);
    else if (at !== undefined) {
      const next = neighbour(picture, at, event.key);
      if (next === null) return;
      go(next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const column = (port: Port, label: string, more?: { word: string; look: string }) => (
    <button
      type="button"
      key={port.id}
      ref={(button) => {
        if (button) buttons.current.set(port.id, button);
        else buttons.current.delete(port.id);
      }}
      className={css.port}
      data-port={port.id}
      data-lit={lit ? lit.ports.has(port.id) : undefined}
      data-own={port.id === shown}
      aria-pressed={port.id === chosen}
      aria-label={label}
      title={port.name}
      tabIndex={port.id === stop ? 0 : -1}
      onClick={() => setChosen(port.id === chosen ? null : port.id)}
      onFocus={() => {
        setFocused(port.id);
        setPointed(null);
      }}
      onBlur={() => setFocused(null)}
      // Not when the picture moves below a pointer that rests, as it does when the focus scrolls it.
      onPointerMove={() => pointed !== port.id && setPointed(port.id)}
      onPointerLeave={() => setPointed(null)}
    >
      <span className="clip">{port.name}</span>
      {more && <em data-look={more.look}>{more.word}</em>}
    </button>
  );
  return (
    <div className={css.lineage}>
      <div className={css.scroller}>
        <div className={css.titles}>
          <h2>Read from</h2>
          <span />
          <h2>{lineage.deliveries[0]?.word === "deliver" ? "Delivered" : "Made"}</h2>
        </div>
        <div className={css.picture} style={{ height: picture.height }} onKeyDown={onKey}>
          <div className={css.side}>
            {picture.sources.map((card) => (
              <SourceCard
                key={card.of.name}
                card={card}
                run={run}
                onRows={() => {
                  const step = run.steps.find((one) => one.name === card.of.name);
                  if (step) onSee(step, null);
                }}
                onRest={() =>
                  setOpen(
                    card.rest?.shown
                      ? new Set([...open].filter((name) => name !== card.of.name))
                      : new Set([...open, card.of.name]),
                  )
                }
              >
                {card.ports.map((port) => column(port, `${card.of.name}: ${port.name}`))}
              </SourceCard>
            ))}
          </div>
          <svg
            className={css.lines}
            viewBox={`0 0 100 ${picture.height}`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {picture.lines.map((line) => (
              <path
                key={line.id}
                d={`M0,${line.y1} C50,${line.y1} 50,${line.y2} 100,${line.y2}`}
                data-kind={line.kind}
                data-lit={lit ? lit.lines.has(line.id) : undefined}
                style={{ stroke: seriesColour(line.tint) }}
              />
            ))}
          </svg>
          <div className={css.side}>
            {picture.deliveries.map((card) => (
              <section
                key={card.of.name}
                className={css.card}
                style={{ top: card.top, height: card.height }}
                aria-label={`Delivered by ${card.of.name}`}
              >
                <header>
                  <strong className="clip" title={card.of.name}>
                    {card.of.name}
                  </strong>
                  <small className="clip" title={card.of.what}>
                    {counted(card.of.rows, "row")} · {card.of.what}
                  </small>
                  {card.of.verdict !== "ok" && <VerdictChip verdict={card.of.verdict} />}
                </header>
                {card.ports.map((port) => {
                  const own = card.of.columns.find((one) => `${card.of.name}.${one.name}` === port.id);
                  return column(
                    port,
                    spoken(port, own),
                    own?.unknown ? { word: "unsure", look: "doubt" } : undefined,
                  );
                })}
              </section>
            ))}
          </div>
        </div>
      </div>
      <LineageDetail lineage={lineage} run={run} port={shown} onGo={go} onSee={onSee} />
    </div>
  );
}

/** A delivered column as it is read out, with what it comes from. */
function spoken(port: Port, own: Lineage["deliveries"][number]["columns"][number] | undefined): string {
  if (!own) return `${port.name}`;
  const uses = own.uses.map((use) => `${use.source} ${use.column}, ${KIND_WORDS[use.kind]}`).join("; ");
  return `${own.name}, ${uses ? `from ${uses}` : "from no column of a source"}${own.unknown ? "; not wholly known" : ""}`;
}

function SourceCard({
  card,
  run,
  onRows,
  onRest,
  children,
}: {
  card: Card<LineageSource>;
  run: FlowRunState;
  onRows: () => void;
  onRest: () => void;
  children: React.ReactNode;
}) {
  const age = ageWords(card.of, run.began);
  const words = [age?.words ?? "not read", card.of.pages ? counted(card.of.pages, "page") : ""]
    .filter(Boolean)
    .join(" · ");
  return (
    <section
      className={css.card}
      style={{ top: card.top, height: card.height, "--tint": seriesColour(card.tint) } as React.CSSProperties}
      data-source
      aria-label={`Read by ${card.of.name}`}
    >
      <header>
        <button type="button" onClick={onRows} title={`The rows of ${card.of.name}: ${card.of.what}`}>
          <strong className="clip">{card.of.name}</strong>
        </button>
        <small className="clip" data-doubtful={age?.chip != null} title={words}>
          {words}
        </small>
        {age?.chip && <VerdictChip verdict="suspicious">{age.chip}</VerdictChip>}
      </header>
      {children}
      {card.rest && (
        <button type="button" className={css.rest} aria-expanded={card.rest.shown} onClick={onRest}>
          {card.rest.shown ? "only those that are used" : `${card.rest.count} more, not delivered`}
        </button>
      )}
    </section>
  );
}
