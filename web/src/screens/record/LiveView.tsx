// The live browser: its newest picture on a canvas, with what the person does on it, and what waits for their answer.
import { type CSSProperties, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { path } from "../../api/client";
import type { LiveState } from "../../api/recordings";
import type { Box } from "../../api/types";
import { Button, Kbd, TextField } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { key, mouse, pointOf, wheel } from "./input";
import type { Outgoing } from "./live";
import css from "./record.module.css";

const TWICE = 700; // milliseconds between two presses of Escape that leave the view
const PROBE = 50; // milliseconds between two questions what is under the pointer

interface LiveViewProps {
  state: LiveState;
  canvas: RefObject<HTMLCanvasElement | null>;
  layer: RefObject<HTMLDivElement | null>;
  send: (message: Outgoing) => void;
  /** Boxes on the page that light up, by an id of theirs. */
  lit: { id: string; box: Box; look: "step" | "current" }[];
  /** The target of the step that was just done, in the window. */
  done: Box | null;
  under: Box | null;
  pointing: ((x: number, y: number) => void) | null;
  onLeave: () => void;
}

export function LiveView(props: LiveViewProps) {
  const { state, canvas, layer, send, lit, done, under, pointing, onLeave } = props;
  const desk = useRef<HTMLDivElement>(null);
  const keys = useRef<HTMLTextAreaElement>(null);
  const [scale, setScale] = useState(0.6);
  const [focused, setFocused] = useState(false);
  const escaped = useRef(0);
  const moved = useRef<Outgoing | null>(null);
  const turned = useRef<Outgoing | null>(null);
  const probed = useRef(0);
  const drives = state.mode !== "replaying" || state.replay?.state !== "running";

  useEffect(() => {
    const here = desk.current!;
    const fit = () => {
      const room = here.getBoundingClientRect();
      setScale(Math.min(1, (room.width - 2) / state.width, (room.height - 2) / state.height));
    };
    const watcher = new ResizeObserver(fit);
    watcher.observe(here);
    return () => watcher.disconnect();
  }, [state.width, state.height]);

  // Pointers say where they are to the fraction of a pixel, the events of the mouse that follow them do not.
  const exact = useRef<{ clientX: number; clientY: number } | null>(null);
  const at = (event: { clientX: number; clientY: number }) => {
    const known = exact.current;
    const close =
      known &&
      Math.abs(known.clientX - event.clientX) < 1.01 &&
      Math.abs(known.clientY - event.clientY) < 1.01;
    return pointOf(close ? known : event, canvas.current!.getBoundingClientRect(), state);
  };
  const note = (event: { clientX: number; clientY: number }) => {
    exact.current = { clientX: event.clientX, clientY: event.clientY };
  };
  /** Moves and turns of the wheel are sent once for each picture of the screen. */
  const later = (slot: RefObject<Outgoing | null>, message: Outgoing) => {
    const waits = slot.current !== null;
    slot.current = message;
    if (waits) return;
    requestAnimationFrame(() => {
      const last = slot.current;
      slot.current = null;
      if (last) send(last);
    });
  };
  const flush = () => {
    if (moved.current) send(moved.current);
    moved.current = null;
  };

  const onWheel = useRef<(event: WheelEvent) => void>(() => undefined);
  onWheel.current = (event) => {
    event.preventDefault();
    const turn = wheel(event, at(event));
    const waiting = turned.current;
    if (waiting) {
      turn.by_x = (turn.by_x as number) + (waiting.by_x as number);
      turn.by_y = (turn.by_y as number) + (waiting.by_y as number);
    }
    later(turned, turn);
  };
  useEffect(() => {
    const here = canvas.current!;
    // React listens passively, and then the Studio itself would scroll.
    const heed = (event: WheelEvent) => onWheel.current(event);
    here.addEventListener("wheel", heed, { passive: false });
    return () => here.removeEventListener("wheel", heed);
  }, [canvas]);

  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>, down: boolean) => {
    if (event.key === "Escape" && down) {
      if (event.timeStamp - escaped.current < TWICE) {
        event.preventDefault();
        event.stopPropagation();
        keys.current?.blur();
        onLeave();
        return;
      }
      escaped.current = event.timeStamp;
    }
    const message = key(down, {
      key: event.key,
      code: event.code,
      keyCode: event.keyCode,
      repeat: event.repeat,
      isComposing: event.nativeEvent.isComposing,
      altKey: event.altKey,
      ctrlKey: event.ctrlKey,
      metaKey: event.metaKey,
      shiftKey: event.shiftKey,
    });
    if (!message) return;
    event.preventDefault();
    event.stopPropagation();
    send(message);
  };
  const type = (text: string) => {
    if (text) send({ kind: "text", text });
    if (keys.current) keys.current.value = "";
  };

  return (
    <div className={css.desk} ref={desk}>
      <div
        className={css.window}
        data-focused={focused}
        data-pointing={pointing !== null}
        data-mode={state.mode}
        style={
          { width: state.width * scale, height: state.height * scale, "--scale": scale } as CSSProperties
        }
      >
        <canvas
          ref={canvas}
          data-testid="live"
          width={state.width}
          height={state.height}
          aria-hidden="true"
          onPointerMove={note}
          onPointerUp={note}
          onPointerDown={(event) => {
            note(event);
            event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onMouseMove={(event) => {
            if (pointing) {
              if (event.timeStamp - probed.current < PROBE) return;
              probed.current = event.timeStamp;
              send({ kind: "probe", ...at(event) });
            } else later(moved, mouse("move", event, at(event)));
          }}
          onMouseDown={(event) => {
            event.preventDefault();
            if (pointing) return;
            keys.current?.focus({ preventScroll: true });
            flush();
            send(mouse("down", event, at(event)));
          }}
          onMouseUp={(event) => {
            if (pointing) {
              const { x, y } = at(event);
              pointing(x, y);
              return;
            }
            flush();
            send(mouse("up", event, at(event)));
          }}
          onContextMenu={(event) => event.preventDefault()}
        />
        <div className={css.layer} ref={layer} aria-hidden="true">
          {lit.map(({ id, box, look }) => (
            <Frame key={id} box={box} look={look} name={id} />
          ))}
        </div>
        <div className={css.layer} aria-hidden="true">
          {done && <Frame box={done} look="current" name="done" />}
          {pointing && under && <Frame box={under} look="under" name="under" />}
        </div>
        <textarea
          ref={keys}
          className={css.keys}
          aria-label="Page of the live browser: what you type goes to it. Press Escape twice to leave."
          spellCheck={false}
          autoComplete="off"
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onKeyDown={(event) => onKey(event, true)}
          onKeyUp={(event) => onKey(event, false)}
          onPaste={(event) => {
            event.preventDefault();
            type(event.clipboardData.getData("text"));
          }}
          onCompositionEnd={(event) => type(event.data)}
          onInput={(event) =>
            !(event.nativeEvent as InputEvent).isComposing && type(event.currentTarget.value)
          }
        />
        {state.choice && drives && (
          <Choices choice={state.choice} scale={scale} height={state.height} send={send} />
        )}
        {state.dialog && <DialogBar dialog={state.dialog} send={send} />}
        {state.chooser && !state.dialog && (
          <ChooserBar id={state.id} several={state.chooser.several} send={send} />
        )}
        {state.busy && (
          <div className={css.veil} role="status">
            {state.busy} …
          </div>
        )}
      </div>
      <p className={css.hint} data-shown={focused}>
        Keys go to the page. <Kbd>Esc</Kbd> twice leaves it.
      </p>
    </div>
  );
}

function Frame({ box, look, name }: { box: Box; look: string; name: string }) {
  const [x0, y0, x1, y1] = box;
  return (
    <div
      className={css.box}
      data-look={look}
      data-box={name}
      style={
        {
          left: `calc(${x0}px * var(--scale))`,
          top: `calc(${y0}px * var(--scale))`,
          width: `calc(${x1 - x0}px * var(--scale))`,
          height: `calc(${y1 - y0}px * var(--scale))`,
        } as CSSProperties
      }
    />
  );
}

/** A box of options, which the browser would draw in a window of its own. */
function Choices({
  choice,
  scale,
  height,
  send,
}: {
  choice: NonNullable<LiveState["choice"]>;
  scale: number;
  height: number;
  send: (message: Outgoing) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>("[aria-selected=true]:not(:disabled)");
    (chosen ?? list.current?.querySelector<HTMLElement>("button:not(:disabled)"))?.focus();
  }, []);
  const [x0, y0, x1, y1] = choice.box;
  const below = y1 < height * 0.6;
  const place = below ? { top: y1 * scale } : { bottom: (height - y0) * scale };
  return (
    <div
      ref={list}
      className={css.choices}
      role="listbox"
      tabIndex={-1}
      aria-label="Options"
      style={{ left: x0 * scale, minWidth: (x1 - x0) * scale, ...place }}
      onKeyDown={(event) => {
        const all = [...(list.current?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [])];
        const now = all.indexOf(document.activeElement as HTMLElement);
        if (event.key === "Escape") send({ kind: "choose", option: null });
        else if (event.key === "ArrowDown") all[(now + 1) % all.length]?.focus();
        else if (event.key === "ArrowUp") all[(now - 1 + all.length) % all.length]?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {choice.options.map((option, number) => (
        <button
          type="button"
          role="option"
          aria-selected={option.chosen}
          disabled={option.disabled}
          // biome-ignore lint/suspicious/noArrayIndexKey: two options may have the same text
          key={number}
          onClick={() => send({ kind: "choose", option: option.label })}
        >
          {option.label || " "}
        </button>
      ))}
    </div>
  );
}

function DialogBar({
  dialog,
  send,
}: {
  dialog: NonNullable<LiveState["dialog"]>;
  send: (message: Outgoing) => void;
}) {
  const [text, setText] = useState(dialog.suggested);
  const answer = (accept: boolean) =>
    send({ kind: "dialog", accept, ...(accept && dialog.kind === "prompt" ? { text } : {}) });
  const words =
    dialog.kind === "beforeunload" ? "Leave this page? What you typed may be lost." : dialog.message;
  return (
    <form
      className={css.bar}
      aria-label="Dialog of the page"
      onSubmit={(event) => {
        event.preventDefault();
        answer(true);
      }}
    >
      <Icon name="question" />
      <span className={css.barText}>The page says: “{words}”</span>
      {dialog.kind === "prompt" && (
        <TextField label="Answer" autoFocus value={text} onChange={(event) => setText(event.target.value)} />
      )}
      <Button type="submit" look="primary" autoFocus={dialog.kind !== "prompt"}>
        OK
      </Button>
      {dialog.kind !== "alert" && <Button onClick={() => answer(false)}>Cancel</Button>}
    </form>
  );
}

/** A page that wants files gets those that somebody chooses here, and no others. */
function ChooserBar({
  id,
  several,
  send,
}: {
  id: string;
  several: boolean;
  send: (message: Outgoing) => void;
}) {
  const chooser = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState("");
  const give = async (files: File[]) => {
    try {
      const names = await Promise.all(
        files.map(async (file) => {
          const where = path`/recordings/${id}/files?name=${file.name}`;
          const answer = await fetch(`/api${where}`, {
            method: "POST",
            body: file,
            credentials: "same-origin",
          });
          const body = (await answer.json()) as { name?: string; detail?: string };
          if (!answer.ok) throw new Error(body.detail ?? "The file could not be uploaded.");
          return body.name!;
        }),
      );
      send({ kind: "files", names });
    } catch (reason) {
      setProblem((reason as Error).message);
    }
  };
  return (
    <div className={css.bar} role="group" aria-label="The page asks for a file">
      <Icon name="upload" />
      <span className={css.barText}>{problem || "The page asks for a file."}</span>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple={several}
        aria-label="File for the page"
        onChange={(event) => give([...(event.target.files ?? [])])}
      />
      <Button look="primary" onClick={() => chooser.current?.click()}>
        Choose a file
      </Button>
      <Button onClick={() => send({ kind: "files", names: [] })}>Cancel</Button>
    </div>
  );
}
