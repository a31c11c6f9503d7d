// What was understood: every field with its rule in words, and the question that would teach most.
import { useState } from "react";
import type { LessonField, LessonState } from "../../api/types";
import { Button, Complaint, Hint, IconButton, TextField } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { Menu } from "../../design/Menu";
import type { LessonSteps } from "./lesson";
import { RuleEditor } from "./RuleEditor";
import css from "./teach.module.css";

interface FieldListProps {
  state: LessonState;
  active: string | null;
  renaming: string | null;
  tint: (field: string) => string;
  steps: LessonSteps;
  onActive: (field: string | null) => void;
  onRenaming: (field: string | null) => void;
  onAnswer: (yes: boolean) => void;
  /** The fields that are to become records, where they can. */
  marked?: string[];
  onMark?: (name: string) => void;
}

export function FieldList(props: FieldListProps) {
  const { state, active, onActive } = props;
  const tops = state.fields.filter((field) => field.parent === null);
  const loose = tops.filter((field) => !field.is_set);
  const [marked, setMarked] = useState<string[]>([]);
  const grouped = marked.filter((name) => loose.some((field) => field.name === name));
  const mark = (name: string) =>
    setMarked((old) => (old.includes(name) ? old.filter((one) => one !== name) : [...old, name]));
  return (
    <div className={css.fields}>
      <QuestionCard {...props} />
      {state.fields.length === 0 && (
        <Hint icon="teach">
          Click a name, a price, a date: any value on the page. What looks and stands like it lights up at
          once.
        </Hint>
      )}
      {tops.map((field) => (
        <FieldOrRecords
          key={field.name}
          field={field}
          {...props}
          {...(loose.length > 1 ? { marked: grouped, onMark: mark } : {})}
        />
      ))}
      {grouped.length > 1 && <GroupForm fields={grouped} {...props} onDone={() => setMarked([])} />}
      {state.fields.length > 0 && (
        <button
          type="button"
          className={css.add}
          aria-pressed={active === null}
          onClick={() => onActive(null)}
        >
          <Icon name="plus" /> Add a field
          <span className="quiet">then click its value on the page</span>
        </button>
      )}
      {state.notes.map((note) => (
        <Hint key={note}>{note}</Hint>
      ))}
    </div>
  );
}

/** How many values there are, or in how many of the records. */
function coverage(field: LessonField, state: LessonState): string {
  const records = state.fields.find((other) => other.is_set && other.name === field.parent);
  if (records) return `${field.values} of ${records.values}`;
  return field.values === 1 ? "1 value" : `${field.values} values`;
}

function QuestionCard({ state, onAnswer }: FieldListProps) {
  const { question } = state;
  if (!question) return null;
  return (
    <div className={css.question} role="status">
      <Icon name="question" />
      <div>
        <p>{question.words}</p>
        <div className={css.answers}>
          <Button look="primary" keys="↵" onClick={() => onAnswer(true)}>
            Yes
          </Button>
          <Button keys="x" onClick={() => onAnswer(false)}>
            No
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Fields that are marked become the parts of one record. */
function GroupForm({ fields, steps, onDone }: FieldListProps & { fields: string[]; onDone: () => void }) {
  const [into, setInto] = useState("items");
  return (
    <form
      className={css.group}
      onSubmit={async (event) => {
        event.preventDefault();
        if (await steps.send({ action: "group", fields, into: into.trim() })) onDone();
      }}
    >
      <span>Group {fields.length} into</span>
      <TextField label="Name of the records" value={into} onChange={(event) => setInto(event.target.value)} />
      <Button type="submit" disabled={!into.trim()}>
        Group
      </Button>
    </form>
  );
}

function FieldOrRecords({ field, ...props }: FieldListProps & { field: LessonField }) {
  const inside = props.state.fields.filter((other) => other.parent === field.name);
  if (!field.is_set) return <FieldCard field={field} {...props} />;
  return (
    <section className={css.records}>
      <h3>
        <Icon name="list" />
        <span>{field.name}</span>
        <span className="quiet">
          {field.values} {field.values === 1 ? "record" : "records"}
        </span>
      </h3>
      <p className={css.words}>{field.words}</p>
      {inside.map((one) => (
        <FieldOrRecords key={one.name} {...props} field={one} />
      ))}
    </section>
  );
}

function FieldCard({
  field,
  state,
  active,
  renaming,
  tint,
  steps,
  onActive,
  onRenaming,
  marked,
  onMark,
}: FieldListProps & { field: LessonField }) {
  const isActive = active === field.name;
  const example = field.examples.find((one) => one.wanted && one.node !== null && one.page === state.page);
  const rename = async (to: string) => {
    onRenaming(null);
    const wanted = to.trim();
    if (!wanted || wanted === field.name) return;
    // The next click is about the next field; people who mean this one choose it first.
    if (await steps.send({ action: "rename", field: field.name, to: wanted })) onActive(null);
  };
  return (
    <section
      className={css.field}
      data-active={isActive}
      style={{ "--tint": tint(field.name) } as React.CSSProperties}
    >
      <div className={css.fieldHead}>
        <span className={css.swatch} aria-hidden="true" />
        {onMark && field.parent === null && (
          <input
            type="checkbox"
            aria-label={`Mark ${field.name} to group it into records`}
            title="Mark fields that belong together, to group them into records"
            checked={marked?.includes(field.name) ?? false}
            onChange={() => onMark(field.name)}
          />
        )}
        {renaming === field.name ? (
          <TextField
            label={`Name of ${field.name}`}
            autoFocus
            defaultValue={field.name}
            onFocus={(event) => event.target.select()}
            onBlur={(event) => rename(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter") rename(event.currentTarget.value);
              else if (event.key === "Escape") onRenaming(null);
              else return;
              event.preventDefault();
              event.stopPropagation();
            }}
          />
        ) : (
          <button
            type="button"
            className={css.fieldName}
            aria-pressed={isActive}
            title="Click to point at more of it, or to edit its rule; double-click to rename"
            onClick={() => onActive(isActive ? null : field.name)}
            onDoubleClick={() => onRenaming(field.name)}
          >
            {field.name}
          </button>
        )}
        <span className="quiet">{coverage(field, state)}</span>
        {field.edited && <span className={css.tag}>edited</span>}
        <span style={{ flex: 1 }} />
        <IconButton icon="rename" label={`Rename ${field.name}`} onClick={() => onRenaming(field.name)} />
        <Menu
          label={`More about ${field.name}`}
          icon="dots"
          items={[
            ...(example
              ? [
                  {
                    label: "There is only this one on the page",
                    icon: "tick" as const,
                    onSelect: () => steps.send({ action: "only", field: field.name, page: state.page }),
                  },
                  {
                    label: "Take its link as well",
                    icon: "link" as const,
                    onSelect: () =>
                      steps.send({
                        action: "want",
                        field: linkName(state, field.name),
                        page: state.page,
                        node: example.node!,
                        link: true,
                      }),
                  },
                ]
              : []),
            {
              label: "It is not on this page",
              icon: "cross",
              onSelect: () => steps.send({ action: "absent", field: field.name, page: state.page }),
            },
            {
              label: "Remove the field",
              icon: "trash",
              danger: true,
              onSelect: () => steps.send({ action: "drop", field: field.name }),
            },
          ]}
        />
      </div>
      {field.error ? <Complaint>{field.error}</Complaint> : <p className={css.words}>{field.words}</p>}
      {field.marks.map((mark) => (
        <p key={mark} className={css.mark}>
          <Icon name="warn" size={14} /> {mark}
        </p>
      ))}
      {isActive && !field.error && <RuleEditor lesson={state} field={field} steps={steps} />}
    </section>
  );
}

/** The name of the field with the address behind another one. */
function linkName(state: LessonState, of: string): string {
  const taken = new Set(state.fields.map((field) => field.name));
  return ["link", `${of} link`].find((name) => !taken.has(name)) ?? `${of} link ${taken.size}`;
}
