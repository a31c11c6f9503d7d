// One script: at the left the live browser, at the right what is done in it, below the data that comes of it.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { ApiError, api, path } from "../../api/client";
import { queryClient } from "../../api/queries";
import {
  begin,
  end,
  type LiveState,
  type Plain,
  type Preview,
  pointAt,
  type ScriptState,
  type ScriptStep,
  useRecordings,
  useScript,
} from "../../api/recordings";
import type { LessonState, PageInfo, Rows } from "../../api/types";
import { Busy, Button, Complaint, Hint, IconButton, TextField, VerdictChip } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { Menu } from "../../design/Menu";
import { Workbench } from "../../frame/Workbench";
import { DataGrid } from "../../grid/DataGrid";
import { useRowStore } from "../../grid/rows";
import { useHistory } from "../../state/history";
import { useKeys } from "../../state/keys";
import { useCellParam } from "../../state/useQueryParam";
import screens from "../screens.module.css";
import { type Edits, useEdits } from "./edits";
import { INSERTS, type Inserted, InsertForm } from "./InsertForm";
import { LiveView } from "./LiveView";
import { type Live, type Picture, useLive } from "./live";
import css from "./record.module.css";
import { StepList } from "./StepList";
import { after, flat } from "./steps";

export function ScriptScreen({ name }: { name: string }) {
  const script = useScript(name);
  const recordings = useRecordings();
  if (script.error)
    return (
      <div className={screens.empty}>
        <Complaint>{script.error.message}</Complaint>
      </div>
    );
  if (!script.data || recordings.isPending) return <Busy>Opening the script …</Busy>;
  const live = recordings.data?.find((one) => one.script === name)?.id ?? null;
  return <OpenScript script={script.data} id={live} />;
}

const SIZES = [
  { width: 1280, height: 800, label: "Window of a laptop" },
  { width: 1600, height: 1000, label: "Window of a desktop" },
  { width: 390, height: 844, label: "Window of a phone" },
];

interface Pointing {
  words: string;
  done: (target: Plain, words: string) => void;
}

function OpenScript({ script, id }: { script: ScriptState; id: string | null }) {
  const [, go] = useLocation();
  const edits = useEdits(script.name);
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const draw = useCallback((picture: Picture) => {
    const here = canvas.current;
    here?.getContext("2d", { alpha: false })?.drawImage(picture.image, 0, 0);
    picture.image.close();
    if (here) here.dataset.picture = String(picture.number);
    layer.current?.style.setProperty("--scroll-x", String(picture.scroll[0]));
    layer.current?.style.setProperty("--scroll-y", String(picture.scroll[1]));
  }, []);
  const live = useLive(id, draw);
  const [chosen, setChosen] = useState<string[]>([]);
  const [hovered, setHovered] = useState<string | null>(null);
  const [inserting, setInserting] = useState<Inserted | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [pointing, setPointing] = useState<Pointing | null>(null);
  const [asking, setAsking] = useState<{ until: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [editsText, setEditsText] = useState(false);

  useHistory(
    script.history,
    () => edits.send({ action: "undo" }),
    () => edits.send({ action: "redo" }),
  );
  const steps = useMemo(() => flat(script.steps), [script.steps]);
  const kept = chosen.filter((place) => steps.some((step) => step.place === place));
  const walk = (by: number) => {
    const at = steps.findIndex((step) => step.place === kept.at(-1));
    const next = steps[at < 0 ? 0 : at + by];
    if (next) setChosen([next.place]);
  };
  useKeys("Script", [
    { keys: "j", label: "Next step", run: () => walk(1) },
    { keys: "k", label: "Previous step", run: () => walk(-1) },
    { keys: "r", label: "Replay", run: () => replay("") },
    ...(pointing
      ? [{ keys: "Escape", label: "Point at nothing", run: () => stopPointing(), always: true }]
      : []),
  ]);

  const { state } = live;
  const missing = Object.entries(script.secrets).filter(([, secret]) => !secret.known);
  const tell = (reason: unknown) => {
    if (!(reason instanceof ApiError)) throw reason;
    setProblem(reason.message);
  };
  /** Keep the page as it is now, and go to teach on it; the browser stays open meanwhile. */
  const teach = async (recording: string) => {
    try {
      const page = await api<PageInfo>(path`/recordings/${recording}/page`, { method: "POST" });
      const lesson = await api<LessonState>("/lessons", { body: { page: page.id } });
      go(`/teach/${encodeURIComponent(lesson.name)}?page=${page.id}`);
    } catch (reason) {
      tell(reason);
    }
  };
  const start = () => begin({ script: script.name }).then(() => setProblem(null), tell);
  const play = async (until: string, secrets: Record<string, string> = {}) => {
    setAsking(null);
    setInserting(null);
    live.send({ kind: "play", until, secrets });
  };
  function replay(until: string) {
    if (!state) return;
    if (state.replay && state.mode === "replaying" && until) live.send({ kind: "continue", until });
    else if (missing.length) setAsking({ until });
    else play(until);
  }
  const stopPointing = () => {
    setPointing(null);
    live.forget();
  };
  const point = (words: string, done: Pointing["done"]) => setPointing({ words, done });
  const pointed = async (x: number, y: number) => {
    if (!pointing || !id) return;
    try {
      const found = await pointAt(id, x, y);
      pointing.done(found.target, found.words);
      stopPointing();
    } catch (reason) {
      tell(reason);
    }
  };
  const repair = (step: ScriptStep) =>
    point(`Click what step ${step.place} means.`, async (target) => {
      const made = await edits.send({ action: "target", place: step.place, value: target });
      if (made && state?.replay?.state === "failed" && state.replay.place === step.place)
        live.send({ kind: "continue", one: false });
    });

  const lit = [hovered, ...kept].flatMap((place) => {
    const box = place ? live.boxes[place] : undefined;
    return place && box ? [{ id: place, box, look: "step" as const }] : [];
  });
  const place = kept.length ? after(kept.at(-1)!) : "end";
  const waiting = (step: ScriptStep) => (
    <Waiting step={step} live={live} onRepair={step.target ? () => repair(step) : null} />
  );

  return (
    <Workbench
      name="record"
      panelShare={0.62}
      bar={<AddressBar live={live} onBack={() => go("/record")} />}
      canvas={
        state && id && !live.closed ? (
          <>
            <Tabs live={live} />
            {pointing && (
              <div className={css.pointBar} role="status">
                <Icon name="teach" /> {pointing.words}
                <Button look="ghost" keys="Esc" onClick={stopPointing}>
                  Cancel
                </Button>
              </div>
            )}
            {(state.problem || state.notice || state.downloads.length > 0) && (
              <div className={css.told}>
                {state.problem ? (
                  <Complaint>{state.problem}</Complaint>
                ) : (
                  <Hint icon={state.notice ? "info" : "download"}>
                    {state.notice || `${state.downloads.at(-1)} is in the folder downloads of the project.`}
                  </Hint>
                )}
              </div>
            )}
            <LiveView
              state={state}
              canvas={canvas}
              layer={layer}
              send={live.send}
              lit={lit}
              done={state.mode === "replaying" ? (state.replay?.box ?? null) : null}
              under={live.under}
              pointing={pointing ? pointed : null}
              onLeave={() => document.querySelector<HTMLElement>("[data-leave]")?.focus()}
            />
          </>
        ) : (
          <div className={screens.empty}>
            <h2>{live.closed ?? (id ? "Connecting to the live browser …" : "The browser is closed")}</h2>
            {!id && (
              <>
                <p>Open it to replay this script, to record more, or to point at what a step means.</p>
                {problem && <Complaint>{problem}</Complaint>}
                <div className={screens.actions}>
                  <Button look="primary" icon="play" onClick={start}>
                    Open the browser
                  </Button>
                </div>
              </>
            )}
          </div>
        )
      }
      panelBar={
        <>
          <h2 className="clip" data-leave tabIndex={-1}>
            {script.name}
          </h2>
          <span style={{ flex: 1 }} />
          <RecordButton live={live} />
          <Button
            icon="play"
            disabled={!state || state.mode === "replaying" || state.busy !== "" || script.problems.length > 0}
            onClick={() => replay("")}
          >
            Replay
          </Button>
          <Menu
            label="More about this script"
            icon="dots"
            items={[
              {
                label: editsText ? "Show the steps" : "Edit its text",
                icon: "content",
                onSelect: () => setEditsText(!editsText),
              },
              ...(state
                ? [
                    {
                      label: "Teach a wrapper on this page",
                      icon: "teach" as const,
                      onSelect: () => void teach(state.id),
                    },
                  ]
                : []),
              {
                label: "Download for the command line",
                icon: "download",
                onSelect: () => window.location.assign(`/api${path`/scripts/${script.name}/download`}`),
              },
              ...(state
                ? ([
                    "line",
                    ...SIZES.map(({ width, height, label }) => ({
                      label,
                      hint: `${width} × ${height}`,
                      checked: state.width === width && state.height === height,
                      onSelect: () => live.send({ kind: "size", width, height }),
                    })),
                    "line",
                  ] as const)
                : []),
              ...(id
                ? [{ label: "Close the browser", icon: "stop" as const, onSelect: () => void end(id) }]
                : []),
              "line",
              {
                label: "Delete the script",
                icon: "trash",
                danger: true,
                onSelect: async () => {
                  if (id) await end(id);
                  await api(path`/scripts/${script.name}`, { method: "DELETE" });
                  await queryClient.invalidateQueries({ queryKey: ["scripts"] });
                  go("/record");
                },
              },
            ]}
          />
        </>
      }
      panel={
        <>
          {state?.replay && <ReplayBar live={live} />}
          {problem && id && <Complaint>{problem}</Complaint>}
          {edits.problem && <Complaint>{edits.problem.message}</Complaint>}
          {script.problems.map((one) => (
            <Complaint key={one} actions={<Button onClick={() => setEditsText(true)}>Mend the text</Button>}>
              {one}
            </Complaint>
          ))}
          {script.notes.map((note) => (
            <Hint key={note}>{note}</Hint>
          ))}
          {asking && (
            <SecretsForm
              names={missing.map(([name]) => name)}
              onPlay={(secrets) => play(asking.until, secrets)}
              onClose={() => setAsking(null)}
            />
          )}
          {inserting ? (
            <InsertForm
              key={inserting}
              word={inserting}
              place={place}
              chosen={kept}
              live={state ? id : null}
              edits={edits}
              onPreview={setPreview}
              onPoint={state ? (done) => point("Click what is meant.", done) : null}
              onClose={() => {
                setInserting(null);
                setChosen([]); // places are others now
              }}
            />
          ) : (
            !editsText && (
              <div className={css.insertBar}>
                <Menu
                  label="Insert a step"
                  icon="plus"
                  look="plain"
                  align="left"
                  items={INSERTS.map((one) => ({
                    label: one.label,
                    onSelect: () => setInserting(one.word),
                  }))}
                >
                  {kept.length ? `Insert after step ${kept.at(-1)}` : "Insert a step"}
                </Menu>
                <span className="quiet">
                  {kept.length > 1 && `or put these ${kept.length} steps into it`}
                </span>
              </div>
            )
          )}
          {editsText ? (
            <TextEditor
              key={script.version}
              script={script}
              edits={edits}
              onClose={() => setEditsText(false)}
            />
          ) : (
            <StepList
              script={script}
              edits={edits}
              replay={state?.replay ?? null}
              chosen={kept}
              onChoose={setChosen}
              onHover={setHovered}
              onPoint={state ? repair : null}
              onRunTo={state ? replay : null}
              waiting={waiting}
            />
          )}
        </>
      }
      data={<Data live={live} id={id} preview={preview} />}
    />
  );
}

/** Where the browser is, with the buttons that every browser has. */
function AddressBar({ live, onBack }: { live: Live; onBack: () => void }) {
  const { state, send } = live;
  const url = state?.url ?? "";
  return (
    <>
      <IconButton icon="left" label="All scripts" onClick={onBack} />
      <Recording state={state} />
      <IconButton
        icon="back"
        label="Back"
        disabled={!state?.can_back}
        onClick={() => send({ kind: "go", steps: -1 })}
      />
      <IconButton
        icon="forward"
        label="Forward"
        disabled={!state?.can_forward}
        onClick={() => send({ kind: "go", steps: 1 })}
      />
      <IconButton
        icon="reload"
        label="Load again"
        disabled={!state}
        onClick={() => send({ kind: "go", steps: 0 })}
      />
      <form
        className={css.address}
        key={url}
        onSubmit={(event) => {
          event.preventDefault();
          const typed = String(new FormData(event.currentTarget).get("url") ?? "").trim();
          if (typed) send({ kind: "goto", url: typed });
        }}
      >
        <TextField label="Address of the page" name="url" defaultValue={url} disabled={!state} />
      </form>
    </>
  );
}

function Recording({ state }: { state: LiveState | null }) {
  if (!state) return null;
  const words = {
    starting: "Starting",
    recording: "Recording",
    paused: "Not recording",
    replaying: "Replaying",
  }[state.mode];
  return (
    <span className={css.mode} data-mode={state.mode} role="status">
      <span aria-hidden="true" /> {words}
    </span>
  );
}

function RecordButton({ live }: { live: Live }) {
  const { state, send } = live;
  if (!state || state.mode === "starting" || state.mode === "replaying") return null;
  return state.mode === "recording" ? (
    <Button icon="stop" onClick={() => send({ kind: "pause" })}>
      Pause
    </Button>
  ) : (
    <Button icon="record" onClick={() => send({ kind: "resume" })}>
      Record from here
    </Button>
  );
}

function Tabs({ live }: { live: Live }) {
  const { state, send } = live;
  if (!state || state.tabs.length < 2) return null;
  return (
    <div className={css.tabs} role="tablist" aria-label="Tabs of the live browser">
      {state.tabs.map((tab, number) => (
        <button
          type="button"
          role="tab"
          // biome-ignore lint/suspicious/noArrayIndexKey: tabs have no name but their number
          key={number}
          aria-selected={number === state.tab}
          title={tab.url}
          onClick={() => send({ kind: "tab", number })}
        >
          <span className="clip">{tab.title || tab.url || "New tab"}</span>
        </button>
      ))}
    </div>
  );
}

function ReplayBar({ live }: { live: Live }) {
  const replay = live.state!.replay!;
  const { send } = live;
  const words = {
    running: `Replaying step ${replay.place} …`,
    waiting: `Waiting at step ${replay.place}`,
    failed: `Step ${replay.place} could not be done`,
    ended: replay.why ? `The replay ended: ${replay.why}` : "The replay is done",
  }[replay.state];
  return (
    <div className={css.replay} data-state={replay.state} role="status">
      {replay.verdict ? <VerdictChip verdict={replay.verdict} /> : <Icon name="play" />}
      <span className={css.barText}>
        {words}
        {replay.doubts.length > 0 && <span className="quiet"> {replay.doubts.join(" · ")}</span>}
      </span>
      {replay.state === "running" && <Button onClick={() => send({ kind: "halt" })}>Hold</Button>}
      {replay.state === "waiting" && (
        <>
          <Button look="primary" onClick={() => send({ kind: "continue" })}>
            Go on
          </Button>
          <Button onClick={() => send({ kind: "continue", one: true })}>One step</Button>
        </>
      )}
      {replay.state !== "ended" && (
        <Button look="ghost" icon="stop" onClick={() => send({ kind: "stop" })}>
          Stop
        </Button>
      )}
    </div>
  );
}

/** What went wrong with the step that the replay is at, and what can be done about it. */
function Waiting({ step, live, onRepair }: { step: ScriptStep; live: Live; onRepair: (() => void) | null }) {
  const replay = live.state?.replay;
  if (replay?.state !== "failed" || replay.place !== step.place) return null;
  const again = (
    <Button
      look={replay.logged_out ? "primary" : "plain"}
      onClick={() => live.send({ kind: "continue", one: false })}
    >
      {replay.logged_out ? "I have logged in, go on" : "Try again"}
    </Button>
  );
  return (
    <Complaint
      actions={
        <>
          {replay.logged_out && again}
          {onRepair && (
            <Button look={replay.logged_out ? "plain" : "primary"} icon="teach" onClick={onRepair}>
              Point at it
            </Button>
          )}
          {!replay.logged_out && again}
        </>
      }
    >
      {replay.why}
    </Complaint>
  );
}

/** Secrets that this server does not have: typed for one replay, and kept nowhere. */
function SecretsForm({
  names,
  onPlay,
  onClose,
}: {
  names: string[];
  onPlay: (secrets: Record<string, string>) => void;
  onClose: () => void;
}) {
  return (
    <form
      className={css.insert}
      aria-label="Secrets for the replay"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget);
        onPlay(Object.fromEntries(names.map((name) => [name, String(typed.get(name) ?? "")])));
      }}
    >
      <strong>The script needs {names.length === 1 ? "a secret" : "secrets"}</strong>
      <span className="quiet">Typed for this replay only. It is kept nowhere.</span>
      {names.map((name, number) => (
        <label key={name} className={css.inline}>
          <span>{name}</span>
          <TextField label={name} name={name} type="password" required autoFocus={number === 0} />
        </label>
      ))}
      <div className={css.inline}>
        <Button type="submit" look="primary" icon="play">
          Replay with it
        </Button>
        <Button look="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function TextEditor({ script, edits, onClose }: { script: ScriptState; edits: Edits; onClose: () => void }) {
  const [text, setText] = useState(script.text);
  return (
    <div className={css.text}>
      <textarea
        aria-label="Text of the script"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={css.inline}>
        <Button
          look="primary"
          onClick={async () =>
            (await edits.send({ action: "text", text }))?.problems.length === 0 && onClose()
          }
        >
          Save
        </Button>
        <Button look="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

/** The rows that the replay has found so far, or those that a step would find. */
function Data({ live, id, preview }: { live: Live; id: string | null; preview: Preview | null }) {
  const outputs = live.state?.replay?.outputs ?? {};
  const names = Object.keys(outputs);
  const [wanted, setWanted] = useState<string | null>(null);
  const output = wanted && names.includes(wanted) ? wanted : (names[0] ?? "");
  const count = outputs[output] ?? 0;
  const found = useQuery({
    queryKey: ["recording data", id, output, count],
    queryFn: () =>
      api<{ rows: Rows }>(`${path`/recordings/${id!}/data`}?output=${encodeURIComponent(output)}&limit=1000`),
    enabled: id !== null && count > 0 && !preview,
    placeholderData: keepPreviousData,
  });
  const shown = preview?.rows ?? (count > 0 ? found.data?.rows : undefined);
  const { rows, loaded } = useRowStore(shown);
  const [cell, setCell] = useCellParam();
  return (
    <section className={css.data} aria-label="Data">
      <header>
        <h3>{preview ? "What it would extract here" : "Data so far"}</h3>
        {!preview &&
          names.length > 1 &&
          names.map((name) => (
            <Button key={name} look="ghost" pressed={name === output} onClick={() => setWanted(name)}>
              {name}
            </Button>
          ))}
        <span className="quiet">{rows ? (rows.total === 1 ? "1 row" : `${rows.total} rows`) : ""}</span>
        {preview?.doubt && <span className={css.doubt}>{preview.doubt}</span>}
      </header>
      {rows && rows.columns.length > 0 ? (
        <DataGrid rows={rows} loaded={loaded} selected={cell} onSelect={setCell} label="Data of the script" />
      ) : (
        <p className={css.none}>
          {live.state?.replay
            ? "The replay has extracted nothing yet."
            : "Insert “Extract here”, then replay: the rows appear here."}
        </p>
      )}
    </section>
  );
}
