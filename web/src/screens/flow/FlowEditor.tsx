// The editor of one flow: the drawing at the left, the chosen step at the right, its rows below.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError, api, path } from "../../api/client";
import {
  type FlowEdit,
  type FlowPlan,
  type FlowState,
  type StepKind,
  type StepState,
  uploadFile,
  useFiles,
  useStepKinds,
} from "../../api/flows";
import { useRunOfFlow } from "../../api/history";
import { useWrappers } from "../../api/queries";
import { Busy, Button, Complaint, Hint, IconButton, VerdictChip } from "../../design/controls";
import { counted } from "../../design/counted";
import { Menu } from "../../design/Menu";
import { Workbench } from "../../frame/Workbench";
import { useHistory } from "../../state/history";
import { useKeys } from "../../state/keys";
import { useQueryParam } from "../../state/useQueryParam";
import { inShort, worst } from "./backfill";
import { FlowCanvas, type Selection } from "./FlowCanvas";
import { FlowSettings } from "./FlowSettings";
import css from "./flow.module.css";
import { foreseen } from "./graph";
import { Inspector } from "./Inspector";
import { OtherDays } from "./OtherDays";
import { SamplePane } from "./SamplePane";
import { StepPalette } from "./StepPalette";
import { type LiveRun, type Refused, useFlow, useLiveRun, usePlan } from "./useFlow";
import { useVersionDiff, VersionsPane } from "./VersionsPane";
import { YamlPane } from "./YamlPane";

type Pane = "step" | "add" | "settings" | "versions" | "yaml" | "days";

export function FlowEditor({ name }: { name: string }) {
  const { flow, error, edit, refused, forgive } = useFlow(name);
  const kinds = useStepKinds();
  if (error) return <Complaint>{error.message}</Complaint>;
  if (!flow || !kinds.data) return <Busy>Opening the flow …</Busy>;
  return <OpenFlow flow={flow} kinds={kinds.data} edit={edit} refused={refused} forgive={forgive} />;
}

interface OpenFlowProps {
  flow: FlowState;
  kinds: StepKind[];
  edit: (edit: FlowEdit) => Promise<FlowState | null>;
  refused: Refused | null;
  forgive: () => void;
}

function OpenFlow({ flow, kinds, edit, refused, forgive }: OpenFlowProps) {
  const [, go] = useLocation();
  const [stepParam, setStep] = useQueryParam("step");
  const [paneParam, setPane] = useQueryParam("pane");
  const [wire, setWire] = useState<Extract<Selection, { kind: "wire" }> | null>(null);
  const [compared, setCompared] = useState<string | null>(null);
  const [closed, setClosed] = useState<string | null>(null);
  const { plan, planning, planProblem, isPlanned } = usePlan(
    flow.name,
    flow.readable ? flow.version : undefined,
  );
  const { live, isRunning, start, run, fill, stop, dismiss } = useLiveRun(flow.name, flow.running);
  const last = useLastStates(flow.name, live);
  const node = flow.steps.find((step) => step.name === stepParam) ?? null;
  const pane = (paneParam as Pane | null) ?? (node ? "step" : flow.steps.length ? "settings" : "add");
  const diff = useVersionDiff(flow, pane === "versions" ? compared : null);
  const files = useFiles().data?.map((file) => file.name) ?? NONE;
  const wrappers = useWrappers().data?.map((one) => `wrappers/${one.name}.wrapper.json`) ?? NONE;
  const scripts = useScripts();

  const select = (selected: Selection) => {
    setClosed(null);
    setWire(selected?.kind === "wire" ? selected : null);
    setStep(selected?.kind === "step" ? selected.name : null);
    if (selected?.kind === "step") setPane(null);
  };
  const add = async (word: string) => {
    const kind = kinds.find((one) => one.word === word);
    const port = kind?.ports[0];
    const from = node?.name ?? wire?.from;
    const values = port && from && word !== "sql" ? { [port.key]: port.many ? [from] : from } : {};
    const after = from ? { after: from } : {};
    const sql = word === "sql" && from ? { sql: `SELECT * FROM ${from}` } : {};
    const state = await edit({ action: "add", word, values: { ...values, ...sql }, ...after });
    if (state?.added) select({ kind: "step", name: state.added });
  };
  const bring = async (dropped: File[]) => {
    for (const file of dropped) {
      try {
        const kept = await uploadFile(file);
        const word = /\.(pdf|html?|mhtml|warc|wacz)(\.gz)?$/i.test(kept) ? "extract" : "read";
        const state = await edit({ action: "add", word, values: { [word]: kept }, name: nameOf(kept) });
        if (state?.added) select({ kind: "step", name: state.added });
      } catch (reason) {
        if (!(reason instanceof ApiError)) throw reason;
        setClosed(reason.message);
      }
    }
  };
  const rename = async (from: string, to: string) => {
    if (await edit({ action: "rename", step: from, name: to })) select({ kind: "step", name: to });
  };
  const remove = (steps: string[], wires: { from: string; to: string; port: string }[]) => {
    if (steps.length) edit({ action: "remove", steps });
    else for (const one of wires) edit({ action: "disconnect", ...one });
    select(null);
  };
  useHistory(
    flow.history,
    () => edit({ action: "undo" }),
    () => edit({ action: "redo" }),
  );
  const walk = (by: number) => {
    const at = flow.steps.findIndex((step) => step.name === stepParam);
    const next = flow.steps[(at + by + flow.steps.length) % flow.steps.length];
    if (next) select({ kind: "step", name: next.name });
  };
  useKeys("Flow", [
    { keys: "a", label: "Add a step", run: () => setPane("add") },
    { keys: "j", label: "Next step", run: () => walk(1) },
    { keys: "k", label: "Previous step", run: () => walk(-1) },
    { keys: "r", label: isRunning ? "Stop the run" : "Run", run: () => (isRunning ? stop() : start()) },
    { keys: "y", label: "The file as text", run: () => setPane("yaml") },
    { keys: "o", label: "Run for other days", run: () => setPane("days") },
  ]);

  const shownStep = wire?.from ?? node?.name ?? null;
  const steps = diff ? diff.steps : flow.steps;
  return (
    <Workbench
      name="flow"
      panelShare={0.62}
      bar={
        <>
          <h1 title={flow.about}>{flow.name}</h1>
          <FlowVerdict
            flow={flow}
            plan={isPlanned && !planProblem ? plan : null}
            problem={isPlanned ? planProblem : null}
            onChoose={(step) => select({ kind: "step", name: step })}
          />
          {live?.ended && (
            <Link href={`/history/${encodeURIComponent(flow.name)}/${encodeURIComponent(live.ended.run)}`}>
              <VerdictChip verdict={live.ended.verdict}>last run {live.ended.verdict}</VerdictChip>
            </Link>
          )}
          {live?.kind === "backfill" && !live.seen && !isRunning && (
            <VerdictChip verdict={live.problem ? "notice" : worst(live.days)} onClick={() => setPane("days")}>
              {live.problem ? "stopped" : inShort(live.days)}
            </VerdictChip>
          )}
          <span className={css.spread} />
          <Button icon="plus" keys="a" onClick={() => setPane("add")}>
            Step
          </Button>
          {isRunning ? (
            <Button look="danger" icon="stop" onClick={stop}>
              Stop
            </Button>
          ) : (
            <Button
              look="primary"
              icon="play"
              disabled={!flow.readable || flow.problems.length > 0 || flow.steps.length === 0}
              title={flow.problems.length ? "Fix the problems first" : "Run the whole flow"}
              onClick={() => start()}
            >
              Run
            </Button>
          )}
          <Menu
            label="More"
            icon="dots"
            items={[
              {
                label: "Run anew, from the first step",
                icon: "play",
                disabled: isRunning,
                onSelect: () => start({ fresh: true }),
              },
              { label: "Run for another day …", icon: "reload", onSelect: () => setPane("days") },
              { label: "Fill in days …", icon: "table", onSelect: () => setPane("days") },
              "line",
              {
                label: "Its runs",
                icon: "history",
                onSelect: () => go(`/history/${encodeURIComponent(flow.name)}`),
              },
              { label: "Versions", icon: "clock", onSelect: () => setPane("versions") },
              { label: "The file as text", icon: "content", onSelect: () => setPane("yaml") },
              {
                label: "Download the file",
                icon: "download",
                onSelect: () => window.location.assign(path`/api/flows/${flow.name}/download`),
              },
            ]}
          />
        </>
      }
      canvas={
        <div className={css.stage}>
          <FlowCanvas
            name={flow.name}
            steps={steps}
            kinds={kinds}
            plan={plan}
            live={live?.events ?? EMPTY}
            last={last}
            {...(diff ? { changes: diff.changes } : {})}
            selected={wire ?? (node ? { kind: "step", name: node.name } : null)}
            onSelect={select}
            {...(diff
              ? {}
              : {
                  onConnect: (from: string, to: string, port: string) =>
                    edit({ action: "connect", from, to, port }),
                  onRefuse: setClosed,
                  onRemove: remove,
                  onDropKind: add,
                  onDropFiles: bring,
                })}
          />
          <div className={css.said}>
            {closed && <Hint actions={<Button onClick={() => setClosed(null)}>OK</Button>}>{closed}</Hint>}
            {refused && <RefusedChange refused={refused} onAgain={edit} onForget={forgive} />}
            {live?.problem && !live.seen && live.kind === "flow" && (
              <Complaint actions={<Button onClick={dismiss}>OK</Button>}>{live.problem}</Complaint>
            )}
            {live?.ended && !live.seen && live.ended.verdict !== "ok" && (
              <Hint icon="warn" actions={<Button onClick={dismiss}>OK</Button>}>
                {live.ended.reasons.slice(0, 3).join(" · ") || `The run is ${live.ended.verdict}.`}
              </Hint>
            )}
            {!flow.readable && (
              <Complaint actions={<Button onClick={() => setPane("yaml")}>Open the text</Button>}>
                {flow.problems[0]?.message ?? "The file cannot be read."}
              </Complaint>
            )}
            {flow.steps.length === 0 && flow.readable && (
              <div className={css.empty}>
                <h2>Nothing flows yet.</h2>
                <p>
                  Drop a file here, or add where rows come from: pages, a list over many pages, a recorded
                  journey.
                </p>
              </div>
            )}
          </div>
        </div>
      }
      panelBar={
        <>
          <h2>{titleOf(pane, node?.name)}</h2>
          <span className={css.spread} />
          {node && pane !== "step" && (
            <IconButton icon="left" label={`Back to ${node.name}`} onClick={() => setPane(null)} />
          )}
          <IconButton
            icon="plus"
            label="Add a step"
            keys="a"
            pressed={pane === "add"}
            onClick={() => setPane("add")}
          />
          <IconButton
            icon="reload"
            label="Run for other days"
            keys="o"
            pressed={pane === "days"}
            onClick={() => setPane("days")}
          />
          <IconButton
            icon="clock"
            label="Versions"
            pressed={pane === "versions"}
            onClick={() => setPane("versions")}
          />
          <IconButton
            icon="content"
            label="The file as text"
            keys="y"
            pressed={pane === "yaml"}
            onClick={() => setPane("yaml")}
          />
          <IconButton
            icon="info"
            label="About the flow, its schedule and variables"
            pressed={pane === "settings"}
            onClick={() => setPane("settings")}
          />
        </>
      }
      panel={
        pane === "add" ? (
          <StepPalette kinds={kinds} after={node?.name ?? wire?.from ?? null} onAdd={add} />
        ) : pane === "versions" ? (
          <VersionsPane flow={flow} compared={compared} onCompare={setCompared} diff={diff} onEdit={edit} />
        ) : pane === "yaml" ? (
          <YamlPane flow={flow} line={node?.line ?? null} onEdit={edit} />
        ) : pane === "days" ? (
          <OtherDays flow={flow} live={live} isRunning={isRunning} onRun={run} onFill={fill} onStop={stop} />
        ) : pane === "step" && node ? (
          <Inspector
            key={node.name}
            flow={flow}
            node={node}
            kind={kinds.find((one) => one.word === node.word)}
            plan={plan}
            files={files}
            wrappers={wrappers}
            scripts={scripts}
            onEdit={(change) => {
              edit(change);
              if (change.action === "remove") select(null);
            }}
            onRename={(to) => rename(node.name, to)}
          />
        ) : (
          <FlowSettings flow={flow} onEdit={edit} />
        )
      }
      data={
        pane !== "days" && (
          <SamplePane
            step={shownStep}
            planned={shownStep ? plan?.steps[shownStep] : undefined}
            planning={planning}
            last={shownStep ? last[shownStep] : undefined}
            problem={planProblem}
          />
        )
      }
    />
  );
}

/** The name of a step that reads a file: letters, digits and `_` of the file's own name. */
const nameOf = (file: string) =>
  file.replace(/\..*$/, "").replace(/\W+/g, "_").replace(/^(\d)/, "_$1") || "rows";

const NONE: string[] = [];
const EMPTY = {};

const titleOf = (pane: Pane, step: string | undefined) =>
  ({
    step: step ?? "",
    add: "Add a step",
    settings: "The flow",
    versions: "Versions",
    yaml: "The file",
    days: "Other days",
  })[pane];

/** What became of each step in the last run. */
function useLastStates(flow: string, live: LiveRun | null): Record<string, StepState> {
  const { data } = useRunOfFlow(flow, live?.ended?.run ?? "last");
  return useMemo(
    () =>
      Object.fromEntries(
        (data?.steps ?? []).flatMap((step) => {
          const { state } = step;
          return state === "skipped" || state === "waiting" ? [] : [[step.name, { ...step, state }]];
        }),
      ),
    [data],
  );
}

function useScripts(): string[] {
  const { data } = useQuery({
    queryKey: ["scripts"],
    queryFn: () => api<{ name: string }[]>("/scripts"),
    retry: false,
  });
  return useMemo(() => data?.map((one) => `${one.name}.nav.yaml`) ?? NONE, [data]);
}

function FlowVerdict({
  flow,
  plan,
  problem,
  onChoose,
}: {
  flow: FlowState;
  /** What a run would do with this very version; none while it is being worked out. */
  plan: FlowPlan | null;
  problem: string | null;
  onChoose: (step: string) => void;
}) {
  const [at, setAt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: begin anew with each version
  useEffect(() => setAt(0), [flow.version]);
  if (flow.readable && !flow.steps.length) return null;
  const doubtful = flow.steps.find((step) => foreseen(plan?.steps[step.name]?.problem));
  if (!flow.problems.length && doubtful)
    return (
      <VerdictChip
        verdict="suspicious"
        title={plan?.steps[doubtful.name]?.problem ?? ""}
        onClick={() => onChoose(doubtful.name)}
      >
        would fail at {doubtful.name}
      </VerdictChip>
    );
  if (!flow.problems.length && problem)
    return (
      <VerdictChip verdict="suspicious" title={problem}>
        could not be checked
      </VerdictChip>
    );
  if (!flow.problems.length && !plan) return <VerdictChip verdict="notice">checking…</VerdictChip>;
  if (!flow.problems.length) return <VerdictChip verdict="ok">ready to run</VerdictChip>;
  const next = flow.problems.filter((problem) => problem.step !== null);
  return (
    <VerdictChip
      verdict="suspicious"
      title={flow.problems.map((problem) => problem.message).join("\n")}
      onClick={() => {
        const step = next[at % Math.max(next.length, 1)]?.step;
        if (step) onChoose(step);
        setAt(at + 1);
      }}
    >
      {counted(flow.problems.length, "problem")}
    </VerdictChip>
  );
}

function RefusedChange({
  refused,
  onAgain,
  onForget,
}: {
  refused: Refused;
  onAgain: (edit: FlowEdit) => void;
  onForget: () => void;
}) {
  const { edit, conflict, message } = refused;
  return (
    <Complaint
      actions={
        <>
          {conflict && edit && edit.action !== "text" && (
            <Button look="primary" onClick={() => onAgain(edit)}>
              Make the change here
            </Button>
          )}
          <Button onClick={onForget}>Dismiss</Button>
        </>
      }
    >
      {conflict
        ? `Somebody else has changed this flow meanwhile. You see their version now; your last change was not made${
            edit?.action === "text" ? ", and your text is still in the editor." : "."
          }`
        : message}
    </Complaint>
  );
}
