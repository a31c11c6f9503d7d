// The script in words: steps are edited where they stand, dragged to another place, and put into blocks.
import { type CSSProperties, type DragEvent, useEffect, useRef, useState } from "react";
import { useWrappers } from "../../api/queries";
import type { Plain, ReplayState, ScriptState, ScriptStep } from "../../api/recordings";
import { Button, IconButton, Select, TextField } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { Menu, type MenuItem } from "../../design/Menu";
import type { Edits } from "./edits";
import css from "./record.module.css";
import { asText, beside, fromText, isBlock, isSecret, moved, range } from "./steps";

interface StepListProps {
  script: ScriptState;
  edits: Edits;
  replay: ReplayState | null;
  chosen: string[];
  onChoose: (places: string[]) => void;
  onHover: (place: string | null) => void;
  /** Point at the element of a step in the live view; missing without one. */
  onPoint: ((step: ScriptStep) => void) | null;
  onRunTo: ((place: string) => void) | null;
  /** What there is to say and to do at a step that the replay waits at. */
  waiting: (step: ScriptStep) => React.ReactNode;
}

export function StepList(props: StepListProps) {
  const { script, edits } = props;
  const [dragged, setDragged] = useState<string | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const [editing, setEditing] = useState<string | null>(null);
  const shared: Shared = {
    ...props,
    dragged,
    target,
    editing,
    onEditing: setEditing,
    onDrag: setDragged,
    onTarget: setTarget,
    onDrop: () => {
      if (dragged && target) edits.send({ action: "move", place: dragged, to: target });
      setDragged(null);
      setTarget(null);
    },
  };
  const list = useRef<HTMLOListElement>(null);
  const count = script.steps.length;
  const before = useRef(count);
  // A step that was just recorded, and the one that is replayed, come into view.
  useEffect(() => {
    if (count > before.current) list.current?.lastElementChild?.scrollIntoView({ block: "nearest" });
    before.current = count;
  }, [count]);
  const here = props.replay?.state === "ended" ? null : props.replay?.place;
  useEffect(() => {
    if (here) list.current?.querySelector("[aria-current=step]")?.scrollIntoView({ block: "nearest" });
  }, [here]);
  return (
    <ol className={css.steps} aria-label="Steps" ref={list}>
      {script.steps.map((step) => (
        <Step key={step.place} step={step} depth={0} {...shared} />
      ))}
      <End place="end" {...shared} />
    </ol>
  );
}

interface Shared extends StepListProps {
  dragged: string | null;
  target: string | null;
  editing: string | null;
  onEditing: (place: string | null) => void;
  onDrag: (place: string | null) => void;
  onTarget: (place: string | null) => void;
  onDrop: () => void;
}

const inside = (place: string, other: string) => place === other || place.startsWith(`${other}.`);

/** The room behind the last step of a block, where something can be dropped. */
function End({ place, dragged, target, onTarget, onDrop }: Shared & { place: string }) {
  return (
    <li
      className={css.end}
      data-active={dragged !== null}
      data-target={target === place}
      aria-hidden="true"
      onDragOver={(event) => {
        if (!dragged || inside(place, dragged)) return;
        event.preventDefault();
        event.stopPropagation();
        onTarget(place);
      }}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onDrop();
      }}
    />
  );
}

function Step({ step, depth, ...shared }: Shared & { step: ScriptStep; depth: number }) {
  const { replay, chosen, dragged, target, editing, waiting } = shared;
  const outcome = replay?.outcomes[step.place];
  const isHere = replay !== null && replay.state !== "ended" && replay.place === step.place;
  const state = isHere ? replay.state : outcome?.state;
  const over = (event: DragEvent) => {
    if (!dragged || inside(step.place, dragged)) return;
    event.preventDefault();
    event.stopPropagation();
    shared.onTarget(step.place);
  };
  return (
    <li
      className={css.step}
      data-place={step.place}
      data-state={state}
      data-chosen={chosen.includes(step.place)}
      data-target={target === step.place}
      data-dragged={dragged === step.place}
      style={{ "--depth": depth } as CSSProperties}
      aria-current={isHere ? "step" : undefined}
      onDragOver={over}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        shared.onDrop();
      }}
      onDragEnd={() => {
        shared.onDrag(null);
        shared.onTarget(null);
      }}
    >
      <Line step={step} {...shared} />
      {step.doubts.map((doubt) => (
        <p key={doubt} className={css.doubt}>
          <Icon name="warn" size={14} /> {doubt[0]?.toUpperCase() + doubt.slice(1)}
        </p>
      ))}
      {editing === step.place && <StepEditor step={step} {...shared} />}
      {isHere && waiting(step)}
      {outcome?.state === "failed" && !isHere && (
        <p className={css.failed}>
          <Icon name="cross" size={14} /> {outcome.why}
        </p>
      )}
      {isBlock(step) && (
        <ol className={css.inner}>
          {step.steps.map((one) => (
            <Step key={one.place} step={one} depth={depth + 1} {...shared} />
          ))}
          <End place={`${step.place}.end`} {...shared} />
        </ol>
      )}
      {!!step.otherwise?.length && (
        <>
          <p className={css.otherwise}>Otherwise</p>
          <ol className={css.inner}>
            {step.otherwise.map((one) => (
              <Step key={one.place} step={one} depth={depth + 1} {...shared} />
            ))}
            <End place={`${step.place}.else.end`} {...shared} />
          </ol>
        </>
      )}
    </li>
  );
}

function Line({ step, ...shared }: Shared & { step: ScriptStep }) {
  const { script, edits, chosen, editing, onChoose, onHover, onPoint, onRunTo, onEditing, onDrag } = shared;
  const { place } = step;
  const editable = Object.keys(step.keys).length > 0;
  const count = beside(script.steps, place).length;
  const shift = (by: 1 | -1) => {
    const to = moved(place, by, count);
    if (to) edits.send({ action: "move", place, to });
  };
  const items: (MenuItem | "line")[] = [
    ...(step.target && onPoint
      ? [{ label: "Point at it", icon: "teach" as const, onSelect: () => onPoint(step) }]
      : []),
    ...(onRunTo
      ? [{ label: "Replay up to here", icon: "play" as const, onSelect: () => onRunTo(place) }]
      : []),
    { label: "Move up", disabled: !moved(place, -1, count), onSelect: () => shift(-1) },
    { label: "Move down", disabled: !moved(place, 1, count), onSelect: () => shift(1) },
    ...(isBlock(step)
      ? [
          {
            label: "Take its steps out",
            icon: "left" as const,
            onSelect: () => edits.send({ action: "unwrap", place }),
          },
        ]
      : []),
    "line",
    {
      label: "Remove",
      icon: "trash",
      danger: true,
      onSelect: () => edits.send({ action: "remove", place }),
    },
  ];
  return (
    // Moves, not entering: where a form has just gone from under the pointer, nothing says that it entered a step.
    <div className={css.line} onMouseMove={() => onHover(place)} onMouseLeave={() => onHover(null)}>
      <span
        className={css.handle}
        draggable
        title="Drag to another place"
        aria-hidden="true"
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = "move";
          event.dataTransfer.setData("text/plain", place);
          onDrag(place);
        }}
      >
        <Icon name="grip" />
      </span>
      <span className={css.number}>{place.replaceAll("else.", "")}</span>
      <button
        type="button"
        className={css.words}
        aria-pressed={chosen.includes(place)}
        title={step.words}
        onFocus={() => onHover(place)}
        onBlur={() => onHover(null)}
        onClick={(event) => {
          const last = chosen.at(-1);
          if (event.shiftKey && last) onChoose(range(last, place));
          else onChoose(chosen.length === 1 && chosen[0] === place ? [] : [place]);
        }}
        onDoubleClick={() => editable && onEditing(place)}
        onKeyDown={(event) => {
          if (event.altKey && event.key === "ArrowUp") shift(-1);
          else if (event.altKey && event.key === "ArrowDown") shift(1);
          else if (event.key === "Delete") edits.send({ action: "remove", place });
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        {step.words}
      </button>
      {editable && (
        <IconButton
          icon="rename"
          label={`Edit step ${place}`}
          pressed={editing === place}
          onClick={() => onEditing(editing === place ? null : place)}
        />
      )}
      <Menu label={`More about step ${place}`} icon="dots" items={items} />
    </div>
  );
}

const LABELS: Record<string, string> = {
  open: "Address",
  with: "Text",
  option: "Options",
  press: "Key",
  seconds: "Seconds",
  as: "Output",
  extract: "What",
  "for each": "Records of",
  take: "Fields",
  "next pages": "Pages at most",
  "at most": "Times at most",
  files: "Files",
  by: "Pixels",
  back: "Pages",
  tab: "Tab",
  stop: "Why",
  dialog: "Answer",
  text: "Text for prompts",
  scroll: "To",
  set: "Variable",
};

/** The values of a step, each in a line; Enter saves it. */
function StepEditor({ step, edits, onEditing }: Shared & { step: ScriptStep }) {
  const shown = Object.entries(step.keys).filter(
    ([, value]) => typeof value !== "object" || value === null || Array.isArray(value) || isSecret(value),
  );
  const change = async (key: string, value: Plain) => {
    if (await edits.send({ action: "change", place: step.place, key, value })) onEditing(null);
  };
  return (
    <div className={css.editor}>
      {shown.map(([key, value]) => (
        <div key={key} className={css.key}>
          <span>{LABELS[key] ?? key}</span>
          {isSecret(value) ? (
            <span className="quiet">the secret “{value.secret}”: what it is stays out of the script</span>
          ) : (key === "extract" || key === "for each") && step.main === key ? (
            <SourceChooser value={value} onChange={(source) => change(key, source)} />
          ) : key === "dialog" ? (
            <Select
              label="Answer"
              value={asText(value)}
              options={[
                { value: "accept", label: "OK" },
                { value: "dismiss", label: "Cancel" },
              ]}
              onChange={(answer) => change(key, answer)}
            />
          ) : (
            <form
              className={css.inline}
              onSubmit={(event) => {
                event.preventDefault();
                const typed = new FormData(event.currentTarget).get("value");
                change(key, fromText(String(typed ?? ""), value));
              }}
            >
              <TextField
                label={`${LABELS[key] ?? key} of step ${step.place}`}
                name="value"
                defaultValue={asText(value)}
              />
              <Button type="submit">Save</Button>
            </form>
          )}
        </div>
      ))}
      {shown.length === 0 && <p className="quiet">Its values are edited in the text of the script.</p>}
    </div>
  );
}

const SOURCES = [
  { value: "lists", label: "The list" },
  { value: "tables", label: "The table" },
  { value: "top", label: "The list that the title promises" },
  { value: "content", label: "The main text" },
];

/** What is extracted: something found on the page, or what a wrapper of the project finds. */
export function SourceChooser({
  value,
  onChange,
  recordsOnly = false,
}: {
  value: Plain;
  onChange: (source: Plain) => void;
  recordsOnly?: boolean;
}) {
  const wrappers = useWrappers().data ?? [];
  const file = (name: string) => `wrappers/${name}.wrapper.json`;
  const now =
    typeof value === "string" ? value : ((value as { wrapper?: string } | null)?.wrapper ?? "lists");
  const options = [
    ...SOURCES.filter((source) => !recordsOnly || source.value !== "content"),
    ...wrappers.map((wrapper) => ({ value: file(wrapper.name), label: `Wrapper ${wrapper.name}` })),
  ];
  return (
    <Select
      label="What is extracted"
      value={now}
      options={
        options.some((option) => option.value === now) ? options : [...options, { value: now, label: now }]
      }
      onChange={(chosen) => onChange(chosen.includes("/") ? { wrapper: chosen } : chosen)}
    />
  );
}
