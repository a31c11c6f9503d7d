// The status bar: work that goes on, what can be undone, and where the data is kept.
import { cancelJob, useJobs } from "../api/jobs";
import type { Job } from "../api/types";
import { Button, IconButton, Kbd } from "../design/controls";
import { Menu } from "../design/Menu";
import { useUndo } from "../state/history";
import { keyName, useKeys } from "../state/keys";
import css from "./Frame.module.css";

export function StatusBar({ project, onPalette }: { project: string; onPalette: () => void }) {
  const jobs = useJobs((state) => state.jobs);
  const running = Object.values(jobs).filter((job) => job.state === "running" || job.state === "waiting");
  const newest = running.at(-1);
  useKeys(
    "Work",
    newest ? [{ keys: "Escape", label: "Cancel the work that goes on", run: () => stop(newest) }] : [],
  );
  return (
    <footer className={css.status} aria-label="Status">
      <UndoButtons />
      <span className={css.spread} />
      {newest && <JobProgress job={newest} others={running.length - 1} />}
      {project && !newest && (
        <span className="clip" title="The project folder">
          {project}
        </span>
      )}
      <Button look="ghost" onClick={onPalette} aria-label="Find a command, page or wrapper">
        <Kbd>{keyName("mod+k")}</Kbd>
      </Button>
    </footer>
  );
}

function stop(job: Job): void {
  cancelJob(job.id).catch(() => {
    // The job has ended meanwhile; its own message says how.
  });
}

function JobProgress({ job, others }: { job: Job; others: number }) {
  const { done, total, what } = job.progress;
  const counted = total ? ` ${done} of ${total}` : "";
  return (
    <div className={css.job} role="status">
      <span className="clip">
        {job.title}
        {what && ` · ${what}`}
        {counted}
        {others > 0 && ` · ${others} more`}
      </span>
      <progress {...(total ? { value: done, max: total } : {})} aria-label={job.title} />
      <IconButton icon="cross" label={`Cancel ${job.title}`} keys="Esc" onClick={() => stop(job)} />
    </div>
  );
}

function UndoButtons() {
  const current = useUndo((state) => state.current);
  const { steps, at } = current?.history ?? { steps: [], at: 0 };
  const last = steps[at - 1];
  return (
    <>
      <IconButton
        icon="undo"
        label={last ? `Undo: ${last}` : "Nothing to undo"}
        keys={keyName("mod+z")}
        disabled={!last}
        onClick={() => current?.undo()}
      />
      <IconButton
        icon="redo"
        label={steps[at] ? `Redo: ${steps[at]}` : "Nothing to redo"}
        disabled={at >= steps.length}
        onClick={() => current?.redo()}
      />
      {last && (
        <Menu
          label="History"
          align="left"
          items={steps
            .map((step, place) => ({
              label: `${place + 1}. ${step}`,
              checked: place === at - 1,
              onSelect: () => jump(place + 1),
            }))
            .reverse()}
        >
          <span className={`clip ${css.step}`}>{last}</span>
        </Menu>
      )}
    </>
  );
}

/** Undo or redo until so many steps are done: one by one, since each is a change of its own. */
async function jump(to: number): Promise<void> {
  for (;;) {
    const current = useUndo.getState().current;
    if (!current || current.history.at === to) return;
    const before = current.history.at;
    if (before > to) current.undo();
    else current.redo();
    await changed(before);
    if (useUndo.getState().current?.history.at === before) return;
  }
}

function changed(before: number): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(done, 5000);
    const stopWatching = useUndo.subscribe(
      (state) => state.current && state.current.history.at !== before && done(),
    );
    function done() {
      clearTimeout(patience);
      stopWatching();
      resolve();
    }
  });
}
