// The picture of a lineage: where each column stands, which lines go between them, and what is lit with what.
import type { Lineage, LineageDelivery, LineageSource } from "../../api/history";

export type LineKind = "identity" | "transformation" | "aggregation" | "decides";

export const KIND_WORDS: Record<LineKind, string> = {
  identity: "as it is",
  transformation: "computed",
  aggregation: "one of many",
  decides: "decides which rows",
};

/** Heights in pixels; the style sheet draws the cards with the same ones. */
export const HEAD = 46;
export const ROW = 24;
export const FOOT = 6;
const GAP = 14;

export interface Port {
  id: string;
  name: string;
  /** The middle of its row, from the top of the picture. */
  y: number;
}

export interface Card<Of> {
  of: Of;
  /** Which colour it has, counted from the first source of the flow. */
  tint: number;
  top: number;
  height: number;
  ports: Port[];
  /** Columns that are not shown, since nothing comes from them; null if there are none such. */
  rest: { count: number; shown: boolean } | null;
}

export interface Line {
  id: string;
  from: string;
  to: string;
  kind: LineKind;
  tint: number;
  y1: number;
  y2: number;
}

export interface Picture {
  sources: Card<LineageSource>[];
  deliveries: Card<LineageDelivery>[];
  lines: Line[];
  height: number;
}

/** A column by its step, whose name has no point in it. */
export const idOf = (step: string, column: string) => `${step}.${column}`;

/** The step of a column, and its name; without one, it is "which rows there are" of a delivery. */
export function partsOf(id: string): { step: string; column: string | null } {
  const at = id.indexOf(".");
  return at < 0 ? { step: id, column: null } : { step: id.slice(0, at), column: id.slice(at + 1) };
}

/** Where everything stands; the sources of which `open` names show the columns that go nowhere as well. */
export function pictured({ sources, deliveries }: Lineage, open: ReadonlySet<string>): Picture {
  let top = 0;
  const right = deliveries.map((of): Card<LineageDelivery> => {
    const names = of.columns.map((column) => ({ id: idOf(of.name, column.name), name: column.name }));
    if (of.deciding.length) names.push({ id: of.name, name: "which rows there are" });
    const card = stacked(of, 0, top, names, null);
    top += card.height + GAP;
    return card;
  });
  const ends = new Map(right.flatMap((card) => card.ports.map((port) => [port.id, port.y])));
  const wanted = wires(deliveries);
  const pull = (source: LineageSource) =>
    mean(wanted.filter((wire) => wire.source === source.name).map((wire) => ends.get(wire.to) ?? 0));
  // Beside what they go into, so that few lines cross; those that go nowhere come last.
  const order = sources
    .map((of, tint) => ({ of, tint, pull: pull(of) }))
    .sort((one, other) => one.pull - other.pull || one.tint - other.tint);
  const used = new Set(wanted.map((wire) => wire.from));
  let at = 0;
  const left = order.map(({ of, tint }) => {
    const shown = open.has(of.name);
    const names = of.columns.map((column) => ({ id: idOf(of.name, column.name), name: column.name }));
    const goers = names.filter((port) => used.has(port.id));
    const count = names.length - goers.length;
    const card = stacked(of, tint, at, shown ? names : goers, count ? { count, shown } : null);
    at += card.height + GAP;
    return card;
  });
  const starts = new Map(
    left.flatMap((card) => card.ports.map((port) => [port.id, { y: port.y, tint: card.tint }])),
  );
  const lines = wanted.flatMap(({ from, to, kind }): Line[] => {
    const start = starts.get(from);
    const end = ends.get(to);
    if (!start || end === undefined) return [];
    return [{ id: `${from} → ${to} ${kind}`, from, to, kind, tint: start.tint, y1: start.y, y2: end }];
  });
  return { sources: left, deliveries: right, lines, height: Math.max(top, at, GAP) - GAP };
}

function stacked<Of>(
  of: Of,
  tint: number,
  top: number,
  names: { id: string; name: string }[],
  rest: Card<Of>["rest"],
): Card<Of> {
  const ports = names.map((port, place) => ({ ...port, y: top + HEAD + ROW * (place + 0.5) }));
  return { of, tint, top, height: HEAD + ROW * (names.length + (rest ? 1 : 0)) + FOOT, ports, rest };
}

const wires = (deliveries: LineageDelivery[]) =>
  deliveries.flatMap((delivery) => [
    ...delivery.columns.flatMap((column) =>
      column.uses.map((use) => ({
        source: use.source,
        from: idOf(use.source, use.column),
        to: idOf(delivery.name, column.name),
        kind: use.kind as LineKind,
      })),
    ),
    ...[...new Map(delivery.deciding.map((one) => [idOf(one.source, one.column), one.source]))].map(
      ([from, source]) => ({ source, from, to: delivery.name, kind: "decides" as LineKind }),
    ),
  ]);

const mean = (values: number[]) =>
  values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : Number.POSITIVE_INFINITY;

/** The columns and lines that belong to a column: itself, and what it comes from or goes into. */
export function litBy(lines: Line[], port: string | null): { ports: Set<string>; lines: Set<string> } | null {
  if (port === null) return null;
  const own = lines.filter((line) => line.from === port || line.to === port);
  return {
    ports: new Set([port, ...own.flatMap((line) => [line.from, line.to])]),
    lines: new Set(own.map((line) => line.id)),
  };
}

/** Where an arrow key leads from a column: up and down on its side, and across to what it is connected with. */
export function neighbour(picture: Picture, port: string, key: string): string | null {
  const sides = [picture.sources, picture.deliveries].map((cards) => cards.flatMap((card) => card.ports));
  const own = sides.findIndex((ports) => ports.some((one) => one.id === port));
  const ports = sides[own] ?? [];
  const at = ports.findIndex((one) => one.id === port);
  if (key === "ArrowDown") return ports[at + 1]?.id ?? null;
  if (key === "ArrowUp") return ports[at - 1]?.id ?? null;
  if (key === "Home") return ports[0]?.id ?? null;
  if (key === "End") return ports.at(-1)?.id ?? null;
  if (key === "ArrowLeft" && own === 1) return picture.lines.find((line) => line.to === port)?.from ?? null;
  if (key === "ArrowRight" && own === 0) return picture.lines.find((line) => line.from === port)?.to ?? null;
  return null;
}
