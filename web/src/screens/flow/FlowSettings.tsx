// What concerns the whole flow: what it is for, when it runs, its variables and where its secrets are kept.
import { type ReactNode, useState } from "react";
import { api } from "../../api/client";
import type { FlowEdit, FlowState } from "../../api/flows";
import type { Schemas } from "../../api/types";
import { Fold } from "../../frame/Workbench";
import { when } from "../../state/when";
import { Labelled, Line, LongText, MapEditor, SecretOrText } from "./Fields";
import { FilesFold } from "./FilesFold";
import css from "./flow.module.css";
import { shown } from "./values";

const EXAMPLES = [
  "every day at 6:30 Europe/Vienna",
  "every weekday at 7:00",
  "every hour",
  "every 15 minutes",
];

const WITHIN = ["30 minutes", "1 hour", "2 hours", "12 hours"];

const TELLING = [
  { key: "on_failure", label: "If it fails" },
  { key: "on_suspicious", label: "If it is suspicious" },
  { key: "on_success", label: "If all is well" },
] as const;

/** A key above the steps; what is wrong with it stands below its field. */
function Setting({
  flow,
  name,
  label,
  children,
}: {
  flow: FlowState;
  name: keyof FlowState["settings"];
  label: string;
  children: ReactNode;
}) {
  const problem = flow.problems.find((one) => one.step === null && one.key === name);
  return (
    <div className={css.field} data-key={name} data-problem={problem !== undefined}>
      <span className={css.fieldName}>{label}</span>
      {children}
      {problem && (
        <p className={css.fieldProblem} role="alert">
          {problem.message}
        </p>
      )}
    </div>
  );
}

export function FlowSettings({ flow, onEdit }: { flow: FlowState; onEdit: (edit: FlowEdit) => void }) {
  const [seen, setSeen] = useState<Schemas["ScheduleResponse"] | null>(null);
  const preview = async (text: string) => {
    const found = await api<Schemas["ScheduleResponse"]>("/schedule/preview", {
      body: { text },
    });
    setSeen(found);
    if (!found.problem || !text) onEdit({ action: "schedule", text });
  };
  const schedule = seen?.problem ? seen : flow.schedule;
  return (
    <div className={css.inspector}>
      <Labelled label="About">
        <LongText
          label="What the flow is for"
          value={flow.about}
          onChange={(text) => onEdit({ action: "about", text })}
        />
      </Labelled>
      <Labelled label="Schedule">
        <Line
          label="When it runs"
          value={flow.schedule.text}
          hint="by hand only"
          offers={EXAMPLES}
          onChange={preview}
        />
      </Labelled>
      {schedule.problem ? (
        <p className={css.fieldProblem} role="alert">
          {schedule.problem}
        </p>
      ) : (
        schedule.next.length > 0 && (
          <p className={css.note}>
            Next: {schedule.next.map((moment) => when(moment)).join(", ")}. It runs while the Studio is open,
            or with <code>sightline schedule</code>.
          </p>
        )
      )}
      <Setting flow={flow} name="resume_within" label="Resume within">
        <Line
          label="How long an interrupted run may be taken up"
          value={shown(flow.settings.resume_within)}
          hint="1 hour"
          offers={WITHIN}
          onChange={(text) => onEdit({ action: "setting", key: "resume_within", value: text || null })}
        />
      </Setting>
      <Fold title="Who is told" open={TELLING.some(({ key }) => flow.settings[key] !== null)}>
        <p className={css.note}>
          However a run ends, also if it could not begin: an address such as <code>mailto://…</code> or{" "}
          <code>slack://…</code>, or a secret that holds one.
        </p>
        {TELLING.map(({ key, label }) => (
          <Setting key={key} flow={flow} name={key} label={label}>
            <SecretOrText
              label={`Who is told ${label.toLowerCase()}`}
              value={flow.settings[key] ?? undefined}
              secrets={Object.keys(flow.secrets)}
              form={{ many: true }}
              hint="nobody"
              onChange={(value) => onEdit({ action: "setting", key, value })}
            />
          </Setting>
        ))}
      </Fold>
      <Fold title={`Variables (${Object.keys(flow.variables).length})`}>
        <p className={css.note}>What may differ from run to run; steps use them as {"{name}"}.</p>
        <MapEditor
          label="variable"
          value={flow.variables}
          onChange={(values) =>
            onEdit({
              action: "variables",
              values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(value)])),
            })
          }
        />
      </Fold>
      <FilesFold />
      <Fold
        title={`Secrets (${Object.keys(flow.secrets).length})`}
        open={Object.keys(flow.secrets).length > 0}
      >
        <p className={css.note}>
          Only where each is kept, such as the name of an environment variable; never the secret itself.
        </p>
        <MapEditor
          label="environment variable"
          value={Object.fromEntries(
            Object.entries(flow.secrets).map(([name, place]) => [name, place.environment ?? ""]),
          )}
          onChange={(values) =>
            onEdit({
              action: "secrets",
              values: Object.fromEntries(
                Object.entries(values).map(([name, value]) => [name, { environment: shown(value) }]),
              ),
            })
          }
        />
      </Fold>
    </div>
  );
}
