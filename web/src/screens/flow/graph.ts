// A flow as a graph: who takes whose rows, where each step stands, and which wires may be drawn.
import { Graph, layout } from "@dagrejs/dagre";
import type { FlowNode, Json, StepKind } from "../../api/flows";
import { counted } from "../../design/counted";

export interface Place {
  x: number;
  y: number;
}

export const NODE_WIDTH = 200;
export const NODE_HEIGHT = 68;

/** Where rows flow to: to the right, or down. */
export type Direction = "LR" | "TB";
const MARGIN = 24;
const BETWEEN = { LR: { ranksep: 84, nodesep: 20 }, TB: { ranksep: 46, nodesep: 24 } } as const;

/** Whether the rows of `from` come to `to`, by whatever detour. */
export function reaches(steps: FlowNode[], from: string, to: string): boolean {
  const takers = new Map<string, string[]>();
  for (const step of steps)
    for (const input of step.inputs) takers.set(input.step, [...(takers.get(input.step) ?? []), step.name]);
  const seen = new Set<string>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...(takers.get(at) ?? []));
  }
  return false;
}

/** What the samples show will go wrong in a step itself; what it only waits for, or what another step causes, is not. */
export function foreseen(problem: string | null | undefined): string | null {
  return problem && !/after the first run|^`\w+` failed$/.test(problem) ? problem : null;
}

/** Why a wire cannot be drawn, or null if it can. */
export function refusal(
  steps: FlowNode[],
  kinds: StepKind[],
  from: string,
  to: string,
  port: string,
): string | null {
  const target = steps.find((step) => step.name === to);
  const kind = kinds.find((one) => one.word === target?.word);
  if (from === to) return "A step cannot take its own rows.";
  if (!kind?.ports.some((one) => one.key === port)) return `${to} takes no rows.`;
  if (reaches(steps, to, from)) return `The rows would go round in a circle: ${from} takes those of ${to}.`;
  if (target?.inputs.some((input) => input.step === from && input.port === port))
    return `${to} takes the rows of ${from} already.`;
  return null;
}

export interface Arranged {
  places: Record<string, Place>;
  width: number;
  height: number;
}

/** Each step behind those whose rows it takes, with as few crossings as can be found quickly. */
export function arranged(steps: FlowNode[], direction: Direction): Arranged {
  const graph = new Graph();
  graph.setGraph({ rankdir: direction, ...BETWEEN[direction], marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(steps.map((step) => step.name));
  for (const step of steps) graph.setNode(step.name, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const step of steps)
    for (const input of step.inputs) if (known.has(input.step)) graph.setEdge(input.step, step.name);
  layout(graph);
  const places = Object.fromEntries(
    steps.map((step) => {
      const { x, y } = graph.node(step.name) as unknown as Place;
      return [step.name, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 }];
    }),
  );
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { places, width, height };
}

/** The direction in which the whole flow can be shown larger in a room of this size. */
export function bestArranged(
  steps: FlowNode[],
  room: { width: number; height: number },
): Arranged & { direction: Direction } {
  const [across, down] = (["LR", "TB"] as const).map((direction) => ({
    direction,
    ...arranged(steps, direction),
  }));
  const zoom = (one: Arranged) => Math.min(room.width / one.width, room.height / one.height);
  return zoom(down!) > zoom(across!) ? down! : across!;
}

const short = (value: Json | undefined): string => {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(short).join(", ");
  if (typeof value === "object") return Object.keys(value).join(", ");
  return String(value).replace(/\s+/g, " ");
};

/** What a step is about, beside its kind: where it reads, what it changes, where it delivers. */
export function summary(node: FlowNode): string {
  const { values, word } = node;
  const size = (key: string) => {
    const value = values[key];
    return Array.isArray(value)
      ? value.length
      : value && typeof value === "object"
        ? Object.keys(value).length
        : 0;
  };
  if (node.group === "source") return short(values[word]);
  if (word === "sql") return short(values.sql);
  if (word === "deliver" || word === "notify") return short(values.to);
  if (word === "normalise" || word === "union") return counted(size("columns"), "column");
  if (word === "match") return `to ${short(values.to)}`;
  if (word === "check")
    return [
      size("rules") ? counted(size("rules"), "rule") : "",
      short(values.need) ? `need ${short(values.need)}` : "",
      short(values.unique) ? `unique ${short(values.unique)}` : "",
    ]
      .filter(Boolean)
      .join(", ");
  return short(values.by ?? values.on ?? values.column);
}

/** What a source does if it can't be read, in a word or two each. */
export function allowances({ group, values }: FlowNode): string[] {
  if (group !== "source") return [];
  const kept = short(values.keep_last);
  return [...(values.optional === true ? ["optional"] : []), ...(kept ? [`keeps ${kept}`] : [])];
}
