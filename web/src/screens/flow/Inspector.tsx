// The settings of the chosen step, in the words of the file; what is wrong stands at its key.
import { useState } from "react";
import type { FlowEdit, FlowNode, FlowPlan, FlowState, KeyInfo, StepKind } from "../../api/flows";
import { Button, Complaint, Select } from "../../design/controls";
import { type Choices, Field, Labelled, Line } from "./Fields";
import css from "./flow.module.css";

interface InspectorProps {
  flow: FlowState;
  node: FlowNode;
  kind: StepKind | undefined;
  plan: FlowPlan | null;
  files: string[];
  wrappers: string[];
  scripts: string[];
  onEdit: (edit: FlowEdit) => void;
  onRename: (to: string) => void;
}

/** A sentence of the reference, with what stands in the file set as such. */
function Prose({ children }: { children: string }) {
  return children.split("`").map((part, place) => (place % 2 ? <code key={part}>{part}</code> : part));
}

export function Inspector({
  flow,
  node,
  kind,
  plan,
  files,
  wrappers,
  scripts,
  onEdit,
  onRename,
}: InspectorProps) {
  const [asked, setAsked] = useState<string[]>([]);
  const columnsOf = (step: string) => Object.keys(plan?.steps[step]?.columns ?? {});
  const inputs = node.inputs.map((input) => input.step);
  const choices: Choices = {
    columns: inputs.flatMap(columnsOf),
    columnsOf,
    inputs,
    steps: flow.steps.map((step) => step.name).filter((step) => step !== node.name),
    files,
    wrappers,
    scripts,
    secrets: Object.keys(flow.secrets),
    proposed: plan?.mappings[node.name] ?? null,
  };
  const keys = kind?.keys ?? [];
  const problems = new Map(node.problems.map((problem) => [problem.key, problem.message]));
  const isShown = (info: KeyInfo) =>
    info.required ||
    info.key in node.values ||
    problems.has(info.key) ||
    asked.includes(info.key) ||
    info.key === node.word;
  const rest = keys.filter((info) => !isShown(info));
  const general = node.problems.filter((problem) => !keys.some((info) => info.key === problem.key));
  return (
    <div className={css.inspector}>
      <p className={css.about}>{kind && <Prose>{kind.about}</Prose>}</p>
      {general.map((problem) => (
        <Complaint key={problem.message}>{problem.message}</Complaint>
      ))}
      <Labelled label="Name">
        <Line label="Name of the step" value={node.name} onChange={(name) => name && onRename(name)} />
      </Labelled>
      {keys.filter(isShown).map((info) => (
        <Field
          key={info.key}
          info={info}
          value={node.values[info.key]}
          problem={problems.get(info.key) ?? null}
          choices={choices}
          onChange={(value) => onEdit({ action: "set", step: node.name, key: info.key, value })}
        />
      ))}
      <div className={css.row}>
        {rest.length > 0 && (
          <Select
            label="Another setting"
            value=""
            options={[
              { value: "", label: "Another setting …" },
              ...rest.map((info) => ({ value: info.key, label: info.label })),
            ]}
            onChange={(key) => key && setAsked([...asked, key])}
          />
        )}
        <span className={css.spread} />
        <Button look="danger" icon="trash" onClick={() => onEdit({ action: "remove", steps: [node.name] })}>
          Remove
        </Button>
      </div>
    </div>
  );
}
