// A review: two records side by side with the evidence marked, one key for each answer, and what the answers taught.
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { ApiError, api, path } from "../../api/client";
import { queryClient } from "../../api/queries";
import { type Answer, type ReviewState, reviewKey, useReview } from "../../api/reviews";
import { Busy, Button, Complaint, IconButton, Kbd } from "../../design/controls";
import { Fold, Workbench } from "../../frame/Workbench";
import { useHistory } from "../../state/history";
import { useKeys } from "../../state/keys";
import screens from "../screens.module.css";
import { LineOfChance } from "./LineOfChance";
import { timeWords } from "./marked";
import css from "./match.module.css";
import { PairView } from "./PairView";

export function ReviewScreen({ flow, step }: { flow: string; step: string }) {
  const review = useReview(flow, step);
  const [, go] = useLocation();
  if (review.error && !review.data)
    return (
      <div className={css.list}>
        <Complaint actions={<Button onClick={() => go("/match")}>All reviews</Button>}>
          {review.error.message}
        </Complaint>
      </div>
    );
  if (!review.data) return <Busy>Opening the review …</Busy>;
  return <OpenReview flow={flow} step={step} state={review.data} />;
}

/** Sends one change at a time: a key that is pressed before the next pair is there was not meant for it. */
function useChanges(flow: string, step: string) {
  const [problem, setProblem] = useState<ApiError | null>(null);
  const busy = useRef(false);
  const send = async (what: string, body: unknown, version?: string) => {
    if (busy.current) return;
    busy.current = true;
    try {
      const options = version ? { body: body ?? {}, version } : { body: body ?? {} };
      const next = await api<ReviewState>(`${path`/reviews/${flow}/${step}`}/${what}`, options);
      queryClient.setQueryData(reviewKey(flow, step), next);
      setProblem(null);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
      if (reason.code === "conflict")
        await queryClient.invalidateQueries({ queryKey: reviewKey(flow, step) });
    } finally {
      busy.current = false;
    }
  };
  return { problem, send };
}

function OpenReview({ flow, step, state }: { flow: string; step: string; state: ReviewState }) {
  const [, go] = useLocation();
  const { problem, send } = useChanges(flow, step);
  const [looked, setLooked] = useState<string | null>(null);
  const slider = useRef<SVGSVGElement>(null);
  const record = state.pairs[0]?.record;
  const candidates = state.pairs.filter((pair) => pair.record === record);
  const pair = candidates.find((one) => one.id === looked) ?? candidates[0];
  const answer = (said: Answer) => pair && send("decisions", { id: pair.id, answer: said });
  const undo = () => send("undo", null, state.version);
  const redo = () => send("redo", null, state.version);
  const look = (by: number) => {
    const at = candidates.findIndex((one) => one.id === pair?.id);
    const next = candidates[at + by];
    if (next) setLooked(next.id);
  };
  useHistory(state.history, undo, redo);
  useKeys("Review", [
    { keys: "Enter", label: "The same", run: (event) => pressedButton(event) || answer("same") },
    { keys: "y", label: "The same", run: () => answer("same") },
    { keys: "x", label: "Different", run: () => answer("different") },
    { keys: "n", label: "New: none of the candidates", run: () => answer("new") },
    { keys: "s", label: "Skip for now", run: () => answer("skip") },
    { keys: "u", label: "Take the last answer back", run: undo },
    { keys: "j", label: "Next candidate", run: () => look(1) },
    { keys: "k", label: "Previous candidate", run: () => look(-1) },
    { keys: "b", label: "To the line for many at once", run: () => slider.current?.focus() },
  ]);
  const { progress } = state;
  return (
    <Workbench
      name="review"
      bar={
        <>
          <IconButton icon="left" label="All reviews" onClick={() => go("/match")} />
          <h1>
            {flow} · {step}
          </h1>
          <span style={{ flex: 1 }} />
          <progress
            className={css.progress}
            value={progress.decided}
            max={Math.max(progress.pairs, 1)}
            aria-label="Decided pairs"
          />
          <span className={css.count} data-testid="progress">
            {progress.decided.toLocaleString("en")} of {progress.pairs.toLocaleString("en")} pairs
            {progress.left !== null && progress.waiting > 0 && ` · about ${timeWords(progress.left)} left`}
          </span>
        </>
      }
      canvas={
        <>
          <div className={css.desk}>
            {problem && <Complaint>{problem.message}</Complaint>}
            {pair ? (
              <PairView pair={pair} candidates={candidates} onLook={setLooked} />
            ) : (
              <Done state={state} />
            )}
          </div>
          <footer className={css.answers} aria-label="Answers">
            <Button
              look="primary"
              icon="tick"
              keys="↵"
              disabled={!pair}
              onClick={() => answer("same")}
              title="Enter or y"
            >
              The same
            </Button>
            <Button icon="cross" keys="x" disabled={!pair} onClick={() => answer("different")}>
              Different
            </Button>
            <Button icon="plus" keys="n" disabled={!pair} onClick={() => answer("new")}>
              New record
            </Button>
            <Button icon="right" keys="s" disabled={!pair} onClick={() => answer("skip")}>
              Skip
            </Button>
            <span style={{ flex: 1 }} />
            <Button look="ghost" icon="undo" keys="u" disabled={state.history.at === 0} onClick={undo}>
              Undo
            </Button>
          </footer>
        </>
      }
      panelBar={
        <>
          <h2>What is left</h2>
          <span style={{ flex: 1 }} />
          <span className="quiet">
            {progress.records.toLocaleString("en")} {progress.records === 1 ? "record" : "records"}
            {progress.skipped > 0 &&
              ` · ${progress.skipped} ${progress.skipped === 1 ? "pair" : "pairs"} skipped`}
          </span>
        </>
      }
      panel={
        <>
          <Fold title="How likely the best candidates are">
            <LineOfChance
              ref={slider}
              counts={state.histogram.counts}
              matched={state.line}
              score={pair?.score ?? null}
              onAccept={(above) => send("bulk", { above }, state.version)}
            />
          </Fold>
          <Fold title="What was learned">
            <p className={css.learned} aria-live="polite" data-testid="learned">
              {state.learned || (state.history.at > 0 ? "The last answer changed no other pair." : "")}
            </p>
            {state.lessons.length > 0 && (
              <>
                <p className={css.lead}>All your answers together:</p>
                <ul className={css.lessons}>
                  {state.lessons.map((lesson) => (
                    <li key={lesson}>{lesson}</li>
                  ))}
                </ul>
              </>
            )}
            {state.history.at === 0 && state.lessons.length === 0 && (
              <p className={css.lead}>
                Nothing yet. After each answer it says here what changed for the others.
              </p>
            )}
          </Fold>
          <Fold title="Your answers">
            {state.history.at === 0 ? (
              <p className={css.lead}>
                None yet. <Kbd>↵</Kbd> the same, <Kbd>x</Kbd> different, <Kbd>n</Kbd> new, <Kbd>s</Kbd> skip.
              </p>
            ) : (
              <ol className={css.said}>
                {state.history.steps
                  .slice(0, state.history.at)
                  .reverse()
                  .slice(0, 12)
                  .map((words, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: an answer is its place
                    <li key={at}>{words}</li>
                  ))}
              </ol>
            )}
          </Fold>
        </>
      }
    />
  );
}

/** Enter on a button that was reached by the keyboard presses that button, and means nothing else. */
function pressedButton(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement) || !target.matches("button:focus-visible, a:focus-visible"))
    return false;
  target.click();
  return true;
}

function Done({ state }: { state: ReviewState }) {
  const [, go] = useLocation();
  return (
    <div className={screens.empty}>
      <h2>{state.progress.pairs === 0 ? "The last run left nothing to review" : "All pairs are decided"}</h2>
      <p>The next run of the flow uses your answers.</p>
      <div className={screens.actions}>
        <Button look="primary" icon="play" onClick={() => go(`/flows/${encodeURIComponent(state.flow)}`)}>
          Open the flow
        </Button>
      </div>
    </div>
  );
}
