// The flows of the project, and how to begin another.
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError, api } from "../../api/client";
import { type FlowState, useFlows } from "../../api/flows";
import { follow } from "../../api/jobs";
import { queryClient } from "../../api/queries";
import type { Job } from "../../api/types";
import { Busy, Button, Complaint, TextField, VerdictChip } from "../../design/controls";
import { counted } from "../../design/counted";
import { Icon } from "../../design/Icon";
import { when } from "../../state/when";
import lists from "../teach/teach.module.css";

export function FlowStart() {
  const [, go] = useLocation();
  const flows = useFlows();
  const [name, setName] = useState("");
  const [busy, setBusy] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const doing = async (what: string, work: () => Promise<string>) => {
    setBusy(what);
    setProblem(null);
    try {
      const made = await work();
      await queryClient.invalidateQueries({ queryKey: ["flows"] });
      go(`/flows/${encodeURIComponent(made)}`);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason.message);
    } finally {
      setBusy("");
    }
  };
  const begin = () =>
    doing("Beginning", async () => (await api<FlowState>("/flows", { body: { name: name.trim() } })).name);
  const example = () =>
    doing("Bringing the example", async () => {
      await follow(await api<Job>("/examples/prices", { method: "POST" }));
      return "prices";
    });
  return (
    <div className={lists.list}>
      <h1>Bring data from pages to a table, every day</h1>
      <p className="quiet">
        A flow reads pages and files, brings values to one form, finds them in your catalogue, checks them,
        and delivers what can be trusted. It is a file that you can also write by hand.
      </p>
      <section>
        <form
          className={lists.begin}
          onSubmit={(event) => {
            event.preventDefault();
            begin();
          }}
        >
          <TextField
            label="Name of the new flow"
            placeholder="Name, such as prices"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button look="primary" icon="plus" type="submit" disabled={!name.trim() || busy !== ""}>
            New flow
          </Button>
          <Button icon="flow" disabled={busy !== ""} onClick={example}>
            Try the price watch
          </Button>
        </form>
        {busy && <Busy>{busy} …</Busy>}
        {problem && <Complaint>{problem}</Complaint>}
        {flows.error && <Complaint>{flows.error.message}</Complaint>}
      </section>
      {!!flows.data?.length && (
        <section>
          <h2>Flows of this project</h2>
          <ul className={lists.rows}>
            {flows.data.map((flow) => (
              <li key={flow.name}>
                <Link href={`/flows/${encodeURIComponent(flow.name)}`} className={lists.rowLink}>
                  <Icon name="flow" />
                  <strong className="clip">{flow.name}</strong>
                  <span className="clip">
                    {flow.due && `due ${when(flow.due)} · `}
                    {flow.about || `${flow.steps} steps`}
                  </span>
                  {flow.running ? (
                    <VerdictChip verdict="notice">running</VerdictChip>
                  ) : flow.problems > 0 ? (
                    <VerdictChip verdict="suspicious">{counted(flow.problems, "problem")}</VerdictChip>
                  ) : flow.last?.verdict ? (
                    <VerdictChip verdict={flow.last.verdict} title={`Last run ${when(flow.last.began)}`} />
                  ) : (
                    <VerdictChip verdict="notice">not run yet</VerdictChip>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
