// The flows that have runs to look at.
import { Link, useLocation } from "wouter";
import { useFlows } from "../../api/flows";
import { Busy, Button, Complaint, VerdictChip } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { when } from "../../state/when";
import screens from "../screens.module.css";
import lists from "../teach/teach.module.css";

export function HistoryStart() {
  const [, go] = useLocation();
  const flows = useFlows();
  if (flows.error) return <Complaint>{flows.error.message}</Complaint>;
  if (!flows.data) return <Busy>Looking for runs …</Busy>;
  if (!flows.data.length)
    return (
      <div className={screens.empty}>
        <h1>Nothing has run yet.</h1>
        <p>Make a flow and run it: its rows, verdicts and changes are kept here, run by run.</p>
        <div className={screens.actions}>
          <Button look="primary" icon="flow" onClick={() => go("/flows")}>
            Make a flow
          </Button>
        </div>
      </div>
    );
  return (
    <div className={lists.list}>
      <h1>What the runs gave</h1>
      <ul className={lists.rows}>
        {flows.data.map((flow) => (
          <li key={flow.name}>
            <Link href={`/history/${encodeURIComponent(flow.name)}`} className={lists.rowLink}>
              <Icon name="history" />
              <strong className="clip">{flow.name}</strong>
              <span className="clip">
                {flow.last
                  ? `${when(flow.last.began)} · ${flow.last.rows.toLocaleString("en")} rows${flow.last.held ? ` · ${flow.last.held} held back` : ""}`
                  : "not run yet"}
              </span>
              {flow.last?.verdict && <VerdictChip verdict={flow.last.verdict} />}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
