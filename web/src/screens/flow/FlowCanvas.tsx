// The canvas: steps as nodes, rows as wires between them, laid out from left to right.
import {
  applyNodeChanges,
  type Connection,
  type EdgeChange,
  type NodeChange,
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { type DragEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { FlowEvent, FlowNode, FlowPlan, StepKind, StepState } from "../../api/flows";
import { IconButton } from "../../design/controls";
import css from "./flow.module.css";
import { bestArranged, foreseen, NODE_HEIGHT, NODE_WIDTH, type Place, refusal } from "./graph";
import { RowsEdge, type Wire } from "./RowsEdge";
import { type StepData, StepNode, type StepOnCanvas } from "./StepNode";

export type Selection =
  | { kind: "step"; name: string }
  | { kind: "wire"; from: string; to: string; port: string }
  | null;

interface FlowCanvasProps {
  name: string;
  steps: FlowNode[];
  kinds: StepKind[];
  plan: FlowPlan | null;
  live: Record<string, FlowEvent>;
  last: Record<string, StepState>;
  changes?: Record<string, StepData["change"]>;
  selected: Selection;
  onSelect: (selected: Selection) => void;
  onConnect?: (from: string, to: string, port: string) => void;
  onRefuse?: (why: string) => void;
  onRemove?: (steps: string[], wires: { from: string; to: string; port: string }[]) => void;
  onDropKind?: (word: string) => void;
  onDropFiles?: (files: File[]) => void;
}

const FAR = 0.5; // zoom below which small print cannot be read, and is left out
const FIT = { padding: 0.06, maxZoom: 1 };
const NODE_TYPES = { step: StepNode };
const EDGE_TYPES = { rows: RowsEdge };
const WIRE = "\u0000"; // between the parts of a wire's id; no name of a step has it

export const wireId = (from: string, to: string, port: string) => [from, to, port].join(WIRE);

export function FlowCanvas(props: FlowCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({
  name,
  steps,
  kinds,
  plan,
  live,
  last,
  changes,
  selected,
  onSelect,
  onConnect,
  onRefuse,
  onRemove,
  onDropKind,
  onDropFiles,
}: FlowCanvasProps) {
  const { fitView } = useReactFlow();
  const stage = useRef<HTMLElement>(null);
  const room = useRoom(stage);
  const { places, direction, move, arrange, isMoved } = usePlaces(name, steps, room);
  const isFar = useStore((state) => state.transform[2] < FAR);
  const drawing = useStore((state) => (state.connection.inProgress ? state.connection.fromNode.id : null));
  const byWord = useMemo(() => new Map(kinds.map((kind) => [kind.word, kind])), [kinds]);
  const data = useStepData(steps, byWord, live, last, changes, drawing, kinds, plan);
  const wanted = useMemo<StepOnCanvas[]>(
    () =>
      steps.map((step) => ({
        id: step.name,
        type: "step",
        position: places[step.name] ?? { x: 0, y: 0 },
        data: data.get(step.name)!,
        selected: selected?.kind === "step" && selected.name === step.name,
        width: NODE_WIDTH,
        height: NODE_HEIGHT,
        // Without it, a step that changes would lose the places of its ports, and its wires with them.
        measured: { width: NODE_WIDTH, height: NODE_HEIGHT },
        sourcePosition: direction === "TB" ? Position.Bottom : Position.Right,
        targetPosition: direction === "TB" ? Position.Top : Position.Left,
        ariaLabel: `${step.name}, ${step.word}${step.problems[0] ? `: ${step.problems[0].message}` : ""}`,
      })),
    [steps, places, direction, data, selected],
  );
  // While a node is dragged, its place is known here alone; afterwards it is remembered.
  const [dragged, setDragged] = useState<StepOnCanvas[] | null>(null);
  const nodes = dragged ?? wanted;
  const edges = useMemo(
    () => wiresOf(steps, plan, live, last, selected),
    [steps, plan, live, last, selected],
  );

  const onNodesChange = (all: NodeChange<StepOnCanvas>[]) => {
    const moves = all.filter((change) => change.type === "position");
    if (moves.length) {
      const next = applyNodeChanges(moves, nodes);
      if (moves.some((change) => change.dragging)) setDragged(next);
      else {
        setDragged(null);
        move(Object.fromEntries(next.map((node) => [node.id, node.position])));
      }
    }
    for (const change of all)
      if (change.type === "select" && change.selected) onSelect({ kind: "step", name: change.id });
  };
  const onEdgesChange = (all: EdgeChange<Wire>[]) => {
    for (const change of all)
      if (change.type === "select" && change.selected) onSelect({ kind: "wire", ...wireOf(change.id) });
  };
  const allowed = (one: Connection | Wire) =>
    refusal(steps, kinds, one.source, one.target, one.targetHandle ?? "") === null;

  // The whole flow comes into view when it is opened, and when steps come that are out of sight.
  const count = steps.length;
  const seen = useRef(0);
  useEffect(() => {
    if (!count) return;
    const first = seen.current === 0;
    if (first || count > seen.current) {
      const soon = requestAnimationFrame(() => fitView({ ...FIT, duration: first ? 0 : 120 }));
      seen.current = count;
      return () => cancelAnimationFrame(soon);
    }
    seen.current = count;
  }, [count, fitView]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another layout is another picture
  useEffect(() => {
    const soon = requestAnimationFrame(() => fitView(FIT));
    return () => cancelAnimationFrame(soon);
  }, [direction, fitView, Math.round(room.width / 40), Math.round(room.height / 40)]);

  return (
    <section
      className={css.canvas}
      ref={stage}
      data-far={isFar}
      aria-label="The flow"
      onDragOver={(event: DragEvent) => {
        const { types } = event.dataTransfer;
        if (types.includes(STEP_TYPE) || (onDropFiles && types.includes("Files"))) event.preventDefault();
      }}
      onDrop={(event: DragEvent) => {
        const word = event.dataTransfer.getData(STEP_TYPE);
        const files = [...event.dataTransfer.files];
        if (word) onDropKind?.(word);
        else if (files.length && onDropFiles) {
          event.preventDefault();
          onDropFiles(files);
        }
      }}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        // While it moves, the picture is moved as it is, and drawn sharply again when it rests.
        onMoveStart={() => stage.current?.setAttribute("data-moving", "true")}
        onMoveEnd={() => stage.current?.removeAttribute("data-moving")}
        onPaneClick={() => onSelect(null)}
        isValidConnection={allowed}
        onConnect={(one) => onConnect?.(one.source, one.target, one.targetHandle ?? "")}
        onConnectEnd={(_, state) => {
          if (!state.isValid && state.toNode && state.fromNode && onRefuse) {
            const port =
              state.toHandle?.id ?? byWord.get(dataWord(steps, state.toNode.id))?.ports[0]?.key ?? "";
            const why = refusal(steps, kinds, state.fromNode.id, state.toNode.id, port);
            if (why) onRefuse(why);
            else onConnect?.(state.fromNode.id, state.toNode.id, port); // dropped on the step, not on its port
          }
        }}
        onBeforeDelete={async ({ nodes: gone, edges: cut }) => {
          onRemove?.(
            gone.map((node) => node.id),
            cut.map((edge) => wireOf(edge.id)),
          );
          return false; // the server has the last word
        }}
        deleteKeyCode={onRemove ? ["Delete", "Backspace"] : null}
        nodesConnectable={onConnect !== undefined}
        connectionRadius={28}
        minZoom={0.1}
        maxZoom={1.6}
        zoomOnDoubleClick={false}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        proOptions={{ hideAttribution: false }}
      >
        <Panel position="top-left" className={css.tools ?? ""}>
          <IconButton icon="fit" label="Show the whole flow" onClick={() => fitView(FIT)} />
          {isMoved && (
            <IconButton
              icon="induce"
              label="Arrange the steps again"
              onClick={() => {
                arrange();
                requestAnimationFrame(() => fitView(FIT));
              }}
            />
          )}
          <Zoom />
        </Panel>
      </ReactFlow>
    </section>
  );
}

function Zoom() {
  const zoom = useStore((state) => Math.round(state.transform[2] * 100));
  return <span className={css.zoom}>{zoom} %</span>;
}

/** What a dragged kind of step is called in a drag and drop. */
export const STEP_TYPE = "application/x-sightline-step";

const dataWord = (steps: FlowNode[], name: string) => steps.find((step) => step.name === name)?.word ?? "";

function wireOf(id: string) {
  const [from, to, port] = id.split(WIRE) as [string, string, string];
  return { from, to, port };
}

function useStepData(
  steps: FlowNode[],
  byWord: Map<string, StepKind>,
  live: Record<string, FlowEvent>,
  last: Record<string, StepState>,
  changes: Record<string, StepData["change"]> | undefined,
  drawing: string | null,
  kinds: StepKind[],
  plan: FlowPlan | null,
): Map<string, StepData> {
  const kept = useRef(new Map<string, StepData>());
  return useMemo(() => {
    const next = new Map<string, StepData>();
    for (const node of steps) {
      const kind = byWord.get(node.word);
      const port = kind?.ports[0]?.key;
      const wanted: StepData = {
        node,
        kind,
        live: live[node.name],
        foreseen: foreseen(plan?.steps[node.name]?.problem),
        last: last[node.name],
        change: changes?.[node.name] ?? null,
        closed:
          drawing && drawing !== node.name ? refusal(steps, kinds, drawing, node.name, port ?? "") : null,
      };
      // The same object for the same data, so that a node is drawn again only if something about it changed.
      const before = kept.current.get(node.name);
      next.set(node.name, before && isSame(before, wanted) ? before : wanted);
    }
    kept.current = next;
    return next;
  }, [steps, byWord, live, last, changes, drawing, kinds, plan]);
}

const isSame = (one: StepData, other: StepData) =>
  (Object.keys(other) as (keyof StepData)[]).every((key) => one[key] === other[key]);

function wiresOf(
  steps: FlowNode[],
  plan: FlowPlan | null,
  live: Record<string, FlowEvent>,
  last: Record<string, StepState>,
  selected: Selection,
): Wire[] {
  const known = new Set(steps.map((step) => step.name));
  return steps.flatMap((step) =>
    step.inputs
      .filter((input) => known.has(input.step))
      .map((input): Wire => {
        const id = wireId(input.step, step.name, input.port);
        const event = live[input.step];
        const rows =
          event && event.kind !== "begun" && event.kind !== "skipped" ? event.rows : last[input.step]?.rows;
        return {
          id,
          source: input.step,
          target: step.name,
          targetHandle: input.port,
          type: "rows",
          selected: selected?.kind === "wire" && id === wireId(selected.from, selected.to, selected.port),
          data: {
            rows: rows ?? null,
            moving: live[step.name]?.kind === "progress" || live[step.name]?.kind === "begun",
            planned: plan?.steps[input.step],
          },
        };
      }),
  );
}

/** The room that there is to draw in, in steps that are worth another layout. */
function useRoom(stage: RefObject<HTMLElement | null>) {
  const [room, setRoom] = useState({ width: 800, height: 700 });
  useLayoutEffect(() => {
    const element = stage.current!;
    const measure = () => setRoom({ width: element.clientWidth || 800, height: element.clientHeight || 700 });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [stage]);
  return room;
}

/** Where the steps stand: arranged by themselves, until somebody moves one; that is remembered in this browser. */
function usePlaces(name: string, steps: FlowNode[], room: { width: number; height: number }) {
  const key = `flow places ${name}`;
  const [moved, setMoved] = useState<Record<string, Place>>(() => stored(key));
  // The layout depends on the wires and on the shape of the room, and is made again only when these change.
  const shape = steps
    .map((step) => `${step.name}<${step.inputs.map((input) => input.step).join()}`)
    .join(";");
  const aspect = Math.round((room.width / room.height) * 4);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` and `aspect` are what matters
  const own = useMemo(() => bestArranged(steps, room), [shape, aspect]);
  const places = useMemo(() => ({ ...own.places, ...moved }), [own, moved]);
  const keep = (next: Record<string, Place>) => {
    setMoved(next);
    localStorage.setItem(key, JSON.stringify(next));
  };
  const move = (next: Record<string, Place>) =>
    keep({
      ...moved,
      ...Object.fromEntries(
        Object.entries(next).filter(
          ([step, place]) => place.x !== places[step]?.x || place.y !== places[step]?.y,
        ),
      ),
    });
  const isMoved = steps.some((step) => moved[step.name]);
  return { places, direction: own.direction, move, arrange: () => keep({}), isMoved };
}

function stored(key: string): Record<string, Place> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, Place>;
  } catch {
    return {};
  }
}
