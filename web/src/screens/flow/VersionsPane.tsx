// Earlier versions of a flow, and what differs from one: on the canvas by step, here by key and by line.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, path } from "../../api/client";
import { type FlowDiff, type FlowEdit, type FlowNode, type FlowState, useVersions } from "../../api/flows";
import { Busy, Button, Complaint } from "../../design/controls";
import { Fold } from "../../frame/Workbench";
import { when } from "../../state/when";
import css from "./flow.module.css";
import type { StepData } from "./StepNode";
import { joined } from "./values";

export interface DrawnDiff {
  steps: FlowNode[];
  changes: Record<string, StepData["change"]>;
  diff: FlowDiff;
}

/** The difference to an older version as a flow that can be drawn: steps that are gone stand where they were. */
export function useVersionDiff(flow: FlowState, version: string | null): DrawnDiff | null {
  const { data } = useQuery({
    queryKey: ["flow diff", flow.name, version, flow.version],
    queryFn: () => api<FlowDiff>(path`/flows/${flow.name}/versions/${version!}/diff/${flow.version}`),
    enabled: version !== null,
  });
  return useMemo(() => {
    if (!data || version === null) return null;
    const gone = data.steps
      .filter((step) => step.change === "removed" && step.before)
      .map((step) => step.before!);
    return {
      steps: [...flow.steps, ...gone],
      changes: Object.fromEntries(data.steps.map((step) => [step.name, step.change])),
      diff: data,
    };
  }, [data, flow.steps, version]);
}

interface VersionsPaneProps {
  flow: FlowState;
  compared: string | null;
  onCompare: (version: string | null) => void;
  diff: DrawnDiff | null;
  onEdit: (edit: FlowEdit) => void;
}

export function VersionsPane({ flow, compared, onCompare, diff, onEdit }: VersionsPaneProps) {
  const versions = useVersions(flow.name, true);
  if (versions.error) return <Complaint>{versions.error.message}</Complaint>;
  if (!versions.data) return <Busy>Looking for versions …</Busy>;
  return (
    <div className={css.versions}>
      {compared && diff && (
        <>
          <div className={css.row}>
            <Button icon="undo" onClick={() => onEdit({ action: "restore", version: compared })}>
              Go back to this version
            </Button>
          </div>
          <Fold title="Steps that differ">
            {diff.diff.steps.filter((step) => step.change !== "same").length === 0 && (
              <p className={css.note}>No step differs.</p>
            )}
            {diff.diff.steps
              .filter((step) => step.change !== "same")
              .map((step) => (
                <div key={step.name} className={css.changed} data-change={step.change}>
                  <strong>{step.name}</strong> <em>{step.change}</em>
                  {step.keys.map((one) => (
                    <p key={one.key}>
                      <span>{one.key}</span>
                      {one.before !== null && <del>{joined(one.before)}</del>}
                      {one.after !== null && <ins>{joined(one.after)}</ins>}
                    </p>
                  ))}
                </div>
              ))}
          </Fold>
          <Fold title="Lines that differ">
            <pre className={css.lines}>
              {near(diff.diff.lines).map((line) => (
                <span key={`${line.before} ${line.after}`} data-kind={line.kind}>
                  {line.kind === "added" ? "+ " : line.kind === "removed" ? "− " : "  "}
                  {line.text}
                  {"\n"}
                </span>
              ))}
            </pre>
          </Fold>
        </>
      )}
      <ol>
        {versions.data.map((one) => (
          <li key={`${one.version} ${one.saved}`}>
            <button
              type="button"
              aria-pressed={compared === one.version}
              disabled={one.current}
              onClick={() => onCompare(compared === one.version ? null : one.version)}
            >
              <span className="clip">{one.words || "saved"}</span>
              <time>{one.current ? "now" : when(one.saved)}</time>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

const AROUND = 2;

/** The lines that differ, with a few around them. */
function near(lines: FlowDiff["lines"]): FlowDiff["lines"] {
  const kept = new Set<number>();
  lines.forEach((line, at) => {
    if (line.kind === "same") return;
    for (let place = at - AROUND; place <= at + AROUND; place += 1) kept.add(place);
  });
  return lines.filter((_, at) => kept.has(at));
}
