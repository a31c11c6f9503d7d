// A step on the canvas: its kind, its name, what it is about, and how it went.
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import type { FlowEvent, FlowGroup, FlowNode, StepKind, StepState } from "../../api/flows";
import { Icon, type IconName } from "../../design/Icon";
import css from "./flow.module.css";
import { allowances, summary } from "./graph";

export interface StepData extends Record<string, unknown> {
  node: FlowNode;
  kind: StepKind | undefined;
  live: FlowEvent | undefined;
  /** What would go wrong, as the samples show. */
  foreseen: string | null;
  last: StepState | undefined;
  change: "added" | "removed" | "changed" | "renamed" | "same" | null;
  /** Whether a wire is being drawn that cannot end here, and why. */
  closed: string | null;
}

export type StepOnCanvas = Node<StepData, "step">;

export const GROUP_ICONS: Record<FlowGroup, IconName> = {
  source: "page",
  combine: "merge",
  clean: "rename",
  match: "match",
  check: "check",
  deliver: "upload",
};

export const StepNode = memo(function StepNode({
  data,
  selected,
  sourcePosition = Position.Right,
  targetPosition = Position.Left,
}: NodeProps<StepOnCanvas>) {
  const { node, kind, live, last, foreseen, change, closed } = data;
  const ports = kind?.ports ?? [];
  const across = targetPosition === Position.Top ? "left" : "top";
  const told = status(live, last);
  const [first, second] = allowances(node);
  const problem =
    node.problems[0]?.message ?? (live?.kind === "failed" ? live.detail : live ? null : foreseen);
  return (
    <div
      className={css.node}
      data-group={node.group}
      data-selected={selected}
      data-state={live?.kind ?? "idle"}
      data-direction={targetPosition}
      data-problem={problem !== null}
      data-change={change ?? undefined}
      data-closed={closed !== null}
      title={closed ?? problem ?? node.what}
    >
      {ports.map((port, place) => (
        <Handle
          key={port.key}
          id={port.key}
          type="target"
          position={targetPosition}
          className={css.port ?? ""}
          style={{ [across]: `${((place + 1) * 100) / (ports.length + 1)}%` }}
          title={`${port.label}: the rows it takes`}
        >
          {ports.length > 1 && <span className={css.portName}>{port.label}</span>}
        </Handle>
      ))}
      <header>
        <Icon name={GROUP_ICONS[node.group]} size={14} />
        <strong className="clip">{node.name}</strong>
        {change && change !== "same" && <em>{change}</em>}
        {first && !change && <em data-quiet="true">{first}</em>}
        {problem !== null && <Icon name="warn" size={14} />}
      </header>
      <p className="clip">
        <span className={css.word}>{node.word}</span> {summary(node)}
      </p>
      <footer data-verdict={told.verdict}>
        <span className="clip">{problem ?? told.words}</span>
        {second && !change && <em data-quiet="true">{second}</em>}
      </footer>
      {live?.kind === "progress" && <span className={css.progress} />}
      <Handle
        type="source"
        position={sourcePosition}
        className={css.port ?? ""}
        title="Its rows: drag to a step that takes them"
      />
    </div>
  );
});

const number = (count: number) => count.toLocaleString("en");

function status(
  live: FlowEvent | undefined,
  last: StepState | undefined,
): { words: string; verdict: string } {
  if (live?.kind === "begun") return { words: "begins …", verdict: "going" };
  if (live?.kind === "progress") {
    const rows = live.rows ? `${number(live.rows)} rows` : live.detail || "working";
    const pace = live.pace ? ` · ${number(Math.round(live.pace))} a second` : "";
    return { words: `${rows}${pace} …`, verdict: "going" };
  }
  if (live?.kind === "skipped") return { words: `not done: ${live.detail}`, verdict: "notice" };
  const state = live?.state ?? last;
  if (!state) return { words: "", verdict: "none" };
  if (state.state === "failed") return { words: state.reasons[0] ?? "failed", verdict: "failed" };
  if (state.missing) return { words: "missing: could not be read", verdict: state.verdict };
  if (state.stands_in) return { words: `${number(state.rows)} older rows stand in`, verdict: state.verdict };
  const held = state.held ? ` · ${number(state.held)} held` : "";
  const reused = live?.kind === "reused" ? " · as before" : "";
  const seconds = state.seconds >= 0.1 ? ` · ${state.seconds.toFixed(1)} s` : "";
  return { words: `${number(state.rows)} rows${held}${seconds}${reused}`, verdict: state.verdict };
}
