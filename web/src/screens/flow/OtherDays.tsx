// Runs for other days than today: one, or all of a span, with what became of each.
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { type BackfillDay, type FlowState, useDueDates } from "../../api/flows";
import { Button, Hint, Switch, TextField, VerdictChip } from "../../design/controls";
import { counted } from "../../design/counted";
import { dueWords } from "../../state/when";
import { dayFrom, ended, summary } from "./backfill";
import { Labelled } from "./Fields";
import css from "./flow.module.css";
import type { LiveRun, RunOptions, Span } from "./useFlow";

const A_WEEK_AGO = -7;

interface OtherDaysProps {
  flow: FlowState;
  live: LiveRun | null;
  isRunning: boolean;
  /** Begin a run or a backfill; each returns why it was refused, or null. */
  onRun: (options: RunOptions) => Promise<string | null>;
  onFill: (span: Span) => Promise<string | null>;
  onStop: () => void;
}

export function OtherDays({ flow, live, isRunning, onRun, onFill, onStop }: OtherDaysProps) {
  const cannot = !flow.readable || flow.problems.length > 0 || flow.steps.length === 0;
  if (cannot)
    return (
      <p className={css.note}>Fix the problems of the flow first; then it can be run for other days, too.</p>
    );
  return (
    <div className={css.inspector}>
      {live?.kind === "backfill" && !live.seen ? (
        <Progress flow={flow.name} live={live} isRunning={isRunning} onStop={onStop} />
      ) : null}
      <OneDay isRunning={isRunning} onRun={onRun} />
      <ManyDays flow={flow} isRunning={isRunning} onFill={onFill} />
    </div>
  );
}

const Problem = ({ children }: { children: ReactNode }) => (
  <p className={css.fieldProblem} role="alert">
    {children}
  </p>
);

/** A run for one day, or for one time of it. */
function OneDay({ isRunning, onRun }: Pick<OtherDaysProps, "isRunning" | "onRun">) {
  const [day, setDay] = useState(dayFrom(new Date(), -1));
  const [time, setTime] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const run = async () => setProblem(await onRun({ date: time ? `${day}T${time}` : day }));
  return (
    <section className={css.days} aria-labelledby="one-day">
      <h3 id="one-day">One day</h3>
      <Labelled label="Day">
        <TextField
          type="date"
          label="The day of the run"
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
      </Labelled>
      <Labelled label="Time">
        <span className={css.pair}>
          <TextField
            type="time"
            label="The time, if the day has several"
            value={time}
            onChange={(event) => setTime(event.target.value)}
          />
          <small>only if the day has several</small>
        </span>
      </Labelled>
      {problem && <Problem>{problem}</Problem>}
      <div className={css.row}>
        <Button icon="play" disabled={isRunning || !day} onClick={run}>
          Run for this day
        </Button>
      </div>
    </section>
  );
}

/** Every due date from one day to another; beforehand it says how many there are. */
function ManyDays({ flow, isRunning, onFill }: Pick<OtherDaysProps, "flow" | "isRunning" | "onFill">) {
  const [from, setFrom] = useState(dayFrom(new Date(), A_WEEK_AGO));
  const [to, setTo] = useState(dayFrom(new Date(), 0));
  const [missing, setMissing] = useState(true);
  const [problem, setProblem] = useState<string | null>(null);
  const dues = useDueDates(flow.name, flow.version, from, to);
  const count = dues.data && (missing ? dues.data.left : dues.data.total);
  const fill = async () => setProblem(await onFill({ from, to, missing }));
  const change = (set: (day: string) => void) => (event: React.ChangeEvent<HTMLInputElement>) => {
    set(event.target.value);
    setProblem(null);
  };
  const refused = problem ?? dues.error?.message ?? null;
  return (
    <section className={css.days} aria-labelledby="many-days">
      <h3 id="many-days">Fill in days</h3>
      <Labelled label="From">
        <TextField type="date" label="The first day" value={from} onChange={change(setFrom)} />
      </Labelled>
      <Labelled label="To">
        <TextField type="date" label="The last day" value={to} onChange={change(setTo)} />
      </Labelled>
      <Labelled label="Only missing">
        <Switch checked={missing} onChange={setMissing}>
          {missing ? "those without a complete run" : "all of them, once more"}
        </Switch>
      </Labelled>
      {refused !== null ? (
        <Problem>{refused}</Problem>
      ) : (
        dues.data && <Found dues={dues.data} missing={missing} />
      )}
      <div className={css.row}>
        <Button icon="play" disabled={isRunning || !count} onClick={fill}>
          {count ? `Run ${counted(count, "due date")}` : "Run them"}
        </Button>
      </div>
      <p className={css.note}>
        Files and databases are read as they are now. Pages are read as they were captured on the day; a day
        without a capture is refused. What a date delivered before is replaced.
      </p>
    </section>
  );
}

function Found({
  dues,
  missing,
}: {
  dues: { total: number; left: number; first: string | null; last: string | null };
  missing: boolean;
}) {
  if (!dues.total) return <p className={css.note}>Nothing to do: no due date of these days has come.</p>;
  if (missing && !dues.left)
    return (
      <p className={css.note}>
        Nothing to do: {dues.total === 1 ? "the only due date has" : `all ${dues.total} due dates have`} a
        complete run.
      </p>
    );
  const done = dues.total - dues.left;
  const left = done === 0 ? "none of them has" : done === 1 ? "one of them has" : `${done} of them have`;
  const span =
    dues.first && dues.last && dues.first !== dues.last
      ? `from ${dueWords(dues.first)} to ${dueWords(dues.last)}`
      : dueWords(dues.first ?? "");
  return (
    <p className={css.note}>
      {counted(dues.total, "due date")} {span}; {left} a complete run.
    </p>
  );
}

/** A backfill as it goes on, and what became of it. */
function Progress({
  flow,
  live,
  isRunning,
  onStop,
}: Pick<OtherDaysProps, "isRunning" | "onStop"> & { flow: string; live: LiveRun }) {
  const days = live.filled?.days ?? live.days;
  const done = ended(days).length;
  const total = Math.max(live.total ?? 0, days.length);
  return (
    <section className={css.days} aria-label="The days that are filled in">
      <h3>
        {isRunning
          ? `${done} of ${total || "…"} due dates`
          : live.problem
            ? `Stopped after ${done} of ${total}`
            : "What became of the days"}
        <span className={css.spread} />
        {isRunning && (
          <Button look="danger" icon="stop" onClick={onStop}>
            Stop
          </Button>
        )}
      </h3>
      {isRunning && <progress max={total || 1} value={done} aria-label="Due dates that are done" />}
      {live.filled?.nothing ? (
        <Hint>{live.filled.nothing}</Hint>
      ) : (
        !isRunning && <p className={css.note}>{summary(days)}</p>
      )}
      <ol className={css.dayList}>
        {days.map((day) => (
          <Day key={day.due} flow={flow} day={day} isRunning={isRunning} />
        ))}
      </ol>
    </section>
  );
}

function Day({ flow, day, isRunning }: { flow: string; day: BackfillDay; isRunning: boolean }) {
  const said = day.problem ?? day.reasons[0] ?? "";
  const words = <time dateTime={day.due}>{dueWords(day.due)}</time>;
  return (
    <li>
      {day.run ? (
        <Link href={`/history/${encodeURIComponent(flow)}/${encodeURIComponent(day.run)}`}>{words}</Link>
      ) : (
        words
      )}
      {day.state === "running" ? (
        <VerdictChip verdict="notice">{isRunning ? "running …" : "stopped"}</VerdictChip>
      ) : (
        <VerdictChip verdict={day.verdict ?? "failed"}>{day.verdict ?? "refused"}</VerdictChip>
      )}
      {said && <p title={[day.problem, ...day.reasons].filter(Boolean).join("\n")}>{said}</p>}
    </li>
  );
}
