// The finite-state machine of a template: each state once, in reading order, with the moves between them as arcs.
import type { Machine } from "../../api/types";
import { Busy, Complaint } from "../../design/controls";
import css from "./induce.module.css";
import { useMachine } from "./wrapper";

const ROW = 30;
const LEFT = 84; // room for the arcs
const INDENT = 14;

const COLOURS: Record<Machine["states"][number]["kind"], string> = {
  start: "var(--ink-3)",
  end: "var(--ink-3)",
  text: "var(--data-quiet)",
  field: "var(--data-3)",
  set: "var(--data-2)",
  row: "var(--data-5)",
  group: "var(--data-1)",
};

export function MachineView({ name, version }: { name: string; version: string }) {
  const machine = useMachine(name, version, true);
  if (machine.error) return <Complaint>{machine.error.message}</Complaint>;
  if (!machine.data) return <Busy>Drawing the machine …</Busy>;
  const { states, moves } = machine.data;
  const place = new Map(states.map((state, at) => [state.id, at]));
  const deepest = Math.max(...states.map((state) => state.level), 0);
  return (
    <>
      <p className={css.note}>
        Reading goes from state to state, downwards. An arc at the left skips or repeats; its share is how
        often the pages did so.
      </p>
      <svg
        className={css.machine}
        width={LEFT + deepest * INDENT + 320}
        height={states.length * ROW + 8}
        role="img"
        aria-label={`A machine of ${states.length} states`}
      >
        {moves.map((move) => {
          const from = place.get(move.from);
          const to = place.get(move.to);
          if (from === undefined || to === undefined) return null;
          return (
            <Arc
              key={`${move.from} ${move.to}`}
              from={from}
              to={to}
              share={move.share}
              words={move.words}
              states={states}
            />
          );
        })}
        {states.map((state, at) => (
          <g key={state.id} transform={`translate(${LEFT + state.level * INDENT} ${at * ROW + ROW / 2})`}>
            <circle r={5} fill={COLOURS[state.kind]} />
            <text x={12} y={4}>
              {state.label}
            </text>
          </g>
        ))}
      </svg>
    </>
  );
}

interface ArcProps {
  from: number;
  to: number;
  share: number | null;
  words: string;
  states: Machine["states"];
}

function Arc({ from, to, share, words, states }: ArcProps) {
  const x = (at: number) => LEFT + states[at]!.level * INDENT - 6;
  const y = (at: number) => at * ROW + ROW / 2;
  const reach = Math.min(12 + Math.abs(to - from) * 5, LEFT - 12);
  const bend = Math.min(x(from), x(to)) - reach;
  const d =
    from === to
      ? `M${x(from)} ${y(from) - 4} C${x(from) - 22} ${y(from) - 16} ${x(from) - 22} ${y(from) + 16} ${x(from)} ${y(from) + 4}`
      : to === from + 1
        ? `M${x(from) + 6} ${y(from) + 6} L${x(to) + 6} ${y(to) - 6}`
        : `M${x(from)} ${y(from)} C${bend} ${y(from)} ${bend} ${y(to)} ${x(to)} ${y(to)}`;
  const opacity = share === null ? 0.6 : 0.15 + 0.85 * share;
  return (
    <path d={d} style={{ opacity }} data-back={to <= from}>
      <title>
        {words}
        {share !== null && ` (${Math.round(share * 100)} %)`}
      </title>
    </path>
  );
}
