// What concerns the whole flow: what it is for, when it runs, its variables and where its secrets are kept.
import { useState } from "react";
import { api } from "../../api/client";
import type { FlowEdit, FlowState } from "../../api/flows";
import type { Schemas } from "../../api/types";
import { Fold } from "../../frame/Workbench";
import { when } from "../../state/when";
import { Labelled, Line, LongText, MapEditor } from "./Fields";
import { FilesFold } from "./FilesFold";
import css from "./flow.module.css";
import { shown } from "./values";

const EXAMPLES = [
  "every day at 6:30 Europe/Vienna",
  "every weekday at 7:00",
  "every hour",
  "every 15 minutes",
];

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
