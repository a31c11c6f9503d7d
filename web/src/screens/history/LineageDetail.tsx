// What one column comes from or goes into, in words, with the way to the page where its values were seen.
import type { FlowRunState, Lineage, StepOfRun } from "../../api/history";
import { Button } from "../../design/controls";
import { ageWords } from "./ages";
import { idOf, KIND_WORDS, type LineKind, partsOf } from "./lineage";
import css from "./lineage.module.css";

interface LineageDetailProps {
  lineage: Lineage;
  run: FlowRunState;
  /** The column that is lit. */
  port: string | null;
  onGo: (port: string) => void;
  onSee: (step: StepOfRun, seen: { column: string; row: number } | null) => void;
}

interface Row {
  id: string;
  words: string;
  why: string;
  source: string;
  column: string;
}

export function LineageDetail({ lineage, run, port, onGo, onSee }: LineageDetailProps) {
  const found = port === null ? null : told(lineage, port);
  return (
    <aside className={css.detail} aria-label="What the chosen column comes from" aria-live="polite">
      <header>
        {found ? (
          <h3>{found.title}</h3>
        ) : (
          <p className="quiet">Point at a column to see what it comes from or goes into; a click keeps it.</p>
        )}
        <Legend />
      </header>
      {found && (
        <>
          {found.unknown && <p data-doubtful="true">Not wholly known: {found.unknown}.</p>}
          <ul>
            {found.rows.map((row) => (
              <li key={`${row.id} ${row.why}`}>
                <button type="button" className="clip" onClick={() => onGo(row.id)} title={row.words}>
                  {row.words}
                </button>
                <em>{row.why}</em>
                <Seen lineage={lineage} run={run} source={row.source} column={row.column} onSee={onSee} />
              </li>
            ))}
          </ul>
        </>
      )}
    </aside>
  );
}

/** The way to the page where a value of a source's column was seen. */
function Seen({
  lineage,
  run,
  source,
  column,
  onSee,
}: { source: string; column: string } & Pick<LineageDetailProps, "lineage" | "run" | "onSee">) {
  const of = lineage.sources.find((one) => one.name === source);
  const step = run.steps.find((one) => one.name === source);
  const seen = of?.columns.find((one) => one.name === column)?.seen;
  if (!of || !step) return null;
  return (
    <>
      <span className="quiet clip">{ageWords(of, run.began)?.words}</span>
      {seen ? (
        <Button look="ghost" icon="eye" onClick={() => onSee(step, { column, row: seen.row })}>
          See it on its page
        </Button>
      ) : (
        <Button look="ghost" icon="table" onClick={() => onSee(step, null)}>
          Its rows
        </Button>
      )}
    </>
  );
}

/** What is said of a column: of a delivered one what it comes from, of one of a source what it goes into. */
function told(lineage: Lineage, port: string): { title: string; unknown: string; rows: Row[] } {
  const { step, column } = partsOf(port);
  const delivery = lineage.deliveries.find((one) => one.name === step);
  if (!delivery)
    return {
      title: `${column} of ${step} ${goes(lineage, step, column)}`,
      unknown: "",
      rows: into(lineage, step, column ?? ""),
    };
  if (column === null)
    return {
      title: `Which rows ${step} delivers is decided by`,
      unknown: "",
      rows: decided(delivery.deciding),
    };
  const own = delivery.columns.find((one) => one.name === column);
  const uses = own?.uses ?? [];
  const from = uses.length ? "comes from" : own?.unknown ? "" : "comes from no column of a source";
  return {
    title: `${column} ${from}`.trim(),
    unknown: (own?.unknown ?? "").replace(/\.$/, ""),
    rows: uses.map((use) => ({
      id: idOf(use.source, use.column),
      words: `${use.source} › ${use.column}`,
      why: KIND_WORDS[use.kind],
      source: use.source,
      column: use.column,
    })),
  };
}

const HOW: Record<string, string> = {
  join: "rows are joined by it",
  filter: "rows are held back by it",
  group_by: "rows are grouped by it",
  "": "the query asks for it",
};

function decided(deciding: Lineage["deliveries"][number]["deciding"]): Row[] {
  return deciding.map((one) => ({
    id: idOf(one.source, one.column),
    words: `${one.source} › ${one.column}`,
    why: HOW[one.how] ?? "",
    source: one.source,
    column: one.column,
  }));
}

const goes = (lineage: Lineage, step: string, column: string | null) =>
  into(lineage, step, column ?? "").length ? "goes into" : "is not delivered";

function into(lineage: Lineage, source: string, column: string): Row[] {
  const found = lineage.deliveries.flatMap((delivery) => [
    ...delivery.columns.flatMap((one) =>
      one.uses
        .filter((use) => use.source === source && use.column === column)
        .map((use) => ({
          to: one.name as string | null,
          kind: use.kind as LineKind,
          delivery: delivery.name,
        })),
    ),
    ...(delivery.deciding.some((one) => one.source === source && one.column === column)
      ? [{ to: null, kind: "decides" as LineKind, delivery: delivery.name }]
      : []),
  ]);
  return found.map(({ to, kind, delivery }) => ({
    id: to === null ? delivery : idOf(delivery, to),
    words: to === null ? `the rows of ${delivery}` : `${delivery} › ${to}`,
    why: KIND_WORDS[kind],
    source,
    column,
  }));
}

function Legend() {
  const kinds: LineKind[] = ["identity", "transformation", "aggregation"];
  return (
    <ul className={css.legend} aria-label="What the lines mean">
      {kinds.map((kind) => (
        <li key={kind}>
          <svg viewBox="0 0 22 2" aria-hidden="true">
            <path d="M0,1H22" data-kind={kind} />
          </svg>
          {KIND_WORDS[kind]}
        </li>
      ))}
    </ul>
  );
}
