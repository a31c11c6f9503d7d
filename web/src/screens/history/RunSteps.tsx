// The steps of a run with their verdicts; each source says when it was read, and what stands in for its rows.
import type { FlowRunState, StepOfRun } from "../../api/history";
import { VerdictChip } from "../../design/controls";
import { ageWords } from "./ages";
import css from "./history.module.css";

export function RunSteps({
  run,
  chosen,
  onChoose,
}: {
  run: FlowRunState;
  chosen: string | undefined;
  onChoose: (step: string) => void;
}) {
  return (
    <ol className={css.steps}>
      {run.steps.map((step) => (
        <li key={step.name}>
          <button type="button" aria-pressed={step.name === chosen} onClick={() => onChoose(step.name)}>
            <strong className="clip" title={step.name}>
              {step.name}
            </strong>
            <span className="clip" title={step.what}>
              {step.what}
            </span>
            <b>{step.rows.toLocaleString("en")}</b>
            <StepChip step={step} run={run} />
            {step.source && <SourceLine step={step} run={run} />}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** How old the rows of a source are, and what the flow does if they can't be read. */
function SourceLine({ step, run }: { step: StepOfRun; run: FlowRunState }) {
  const age = ageWords(step, run.began);
  const allowed = [step.optional && "optional", step.keeps_last && `keeps last rows for ${step.keeps_last}`];
  const words = [age?.words, ...(age?.chip ? [] : allowed)].filter(Boolean).join(" · ");
  if (!words) return null;
  return (
    <small
      data-doubtful={age?.chip != null}
      title={[age?.words, ...allowed, step.at].filter(Boolean).join("\n")}
    >
      {words}
    </small>
  );
}

/** How a step went, in a word or two. */
function StepChip({ step, run }: { step: StepOfRun; run: FlowRunState }) {
  if (step.state === "skipped" || step.state === "waiting")
    return <VerdictChip verdict="notice">{step.state === "skipped" ? "not done" : "waiting"}</VerdictChip>;
  const verdict = step.state === "failed" ? "failed" : step.verdict;
  const age = step.source ? ageWords(step, run.began) : null;
  return (
    <VerdictChip verdict={verdict}>{age?.chip ?? (step.state === "held" ? "stopped" : verdict)}</VerdictChip>
  );
}
