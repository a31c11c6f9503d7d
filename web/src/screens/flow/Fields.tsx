// The editors of the inspector: one for each form that a value of a step can have.
import { type ReactNode, useId, useRef, useState } from "react";
import { ApiError } from "../../api/client";
import { type FieldForm, type Json, type KeyInfo, uploadFile } from "../../api/flows";
import { Button, IconButton, Select, Switch, TextField } from "../../design/controls";
import css from "./flow.module.css";
import { fromSecrets, joined, names, shown, withSecrets, words } from "./values";

/** What the editors offer to choose from. */
export interface Choices {
  columns: string[];
  columnsOf: (step: string) => string[];
  inputs: string[];
  steps: string[];
  files: string[];
  wrappers: string[];
  scripts: string[];
  secrets: string[];
  proposed: Record<string, Record<string, string>> | null;
}

interface FieldProps {
  info: KeyInfo;
  value: Json | undefined;
  problem: string | null;
  choices: Choices;
  onChange: (value: Json) => void;
}

const STACKED = new Set(["long text", "union columns", "normal columns", "map", "changes", "options"]);

export function Field(props: FieldProps) {
  const { info, problem, value } = props;
  const stacked = STACKED.has(info.form.kind);
  return (
    <div className={css.field} data-key={info.key} data-stacked={stacked} data-problem={problem !== null}>
      <span className={css.fieldName} title={info.about}>
        {info.label}
        {info.required && value === undefined && <em> needed</em>}
      </span>
      <Editor {...props} />
      {problem !== null && (
        <p className={css.fieldProblem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Editor({ info, value, choices, onChange }: FieldProps) {
  const { form, label } = info;
  switch (form.kind) {
    case "flag":
      return (
        <Switch checked={value === true} onChange={(on) => onChange(on ? true : null)}>
          {value === true ? "yes" : "no"}
        </Switch>
      );
    case "choice":
      return (
        <Select
          label={label}
          value={shown(value ?? info.default)}
          options={[
            ...(info.required
              ? []
              : [{ value: "", label: shown(info.default) ? `${shown(info.default)} (as usual)` : "—" }]),
            ...(form.options ?? [])
              .filter((one) => one !== info.default || info.required)
              .map((one) => ({ value: one, label: one })),
          ]}
          onChange={(chosen) => onChange(chosen && chosen !== info.default ? chosen : null)}
        />
      );
    case "step":
      return (
        <Select
          label={label}
          value={shown(value)}
          options={["", ...choices.steps].map((one) => ({ value: one, label: one || "choose a step" }))}
          onChange={(chosen) => onChange(chosen || null)}
        />
      );
    case "number":
      return (
        <Line
          label={label}
          value={shown(value)}
          hint={shown(info.default)}
          onChange={(text) => onChange(asNumber(text))}
        />
      );
    case "share":
      return (
        <Line
          label={label}
          value={shown(value)}
          hint={shown(info.default) || "such as 30 %"}
          onChange={(text) => onChange(asShare(text))}
        />
      );
    case "duration":
      return (
        <Line
          label={label}
          value={shown(value)}
          hint={shown(info.default) || "such as 3 days"}
          offers={DURATIONS}
          onChange={(text) => onChange(text || null)}
        />
      );
    case "long text":
      return <LongText label={label} value={shown(value)} onChange={(text) => onChange(text || null)} />;
    case "file":
      return (
        <FileField
          label={label}
          value={joined(value)}
          hint={shown(info.default)}
          offers={offersOf(form, choices)}
          suffixes={form.suffixes ?? []}
          onChange={(text) => onChange(form.many ? listOrOne(text, false) : text || null)}
        />
      );
    case "words":
    case "steps":
      return (
        <Line
          label={label}
          value={joined(value)}
          hint={shown(info.default)}
          offers={form.kind === "steps" ? choices.steps : offersOf(form, choices)}
          onChange={(text) => onChange(listOrOne(text, form.kind === "steps"))}
        />
      );
    case "names":
      return (
        <Line
          label={label}
          value={joined(value)}
          hint="column, other column"
          offers={choices.columns}
          onChange={(text) => onChange(text ? names(text) : null)}
        />
      );
    case "map":
    case "options":
      return (
        <MapEditor
          label={label}
          value={asMap(value)}
          onChange={(map) => onChange(Object.keys(map).length ? map : null)}
        />
      );
    case "secret or text":
      return (
        <SecretOrText label={label} value={value} secrets={choices.secrets} form={form} onChange={onChange} />
      );
    case "union columns":
      return <UnionColumns value={value} choices={choices} onChange={onChange} />;
    case "normal columns":
      return <NormalColumns info={info} value={value} choices={choices} onChange={onChange} />;
    case "changes":
      return (
        <LongText
          label={label}
          value={lines(value)}
          onChange={(text) => onChange(text ? fromLines(text) : null)}
        />
      );
    default:
      return (
        <Line
          label={label}
          value={shown(value)}
          hint={shown(info.default)}
          offers={offersOf(form, choices)}
          onChange={(text) => onChange(text || null)}
        />
      );
  }
}

const DURATIONS = ["6 hours", "1 day", "3 days", "1 week"];

function offersOf(form: FieldForm, choices: Choices): string[] {
  const suffixes = form.suffixes ?? [];
  if (suffixes.some((one) => one.includes("wrapper"))) return choices.wrappers;
  if (suffixes.some((one) => one.includes("nav"))) return choices.scripts;
  if (form.kind === "file")
    return suffixes.length
      ? choices.files.filter((file) => suffixes.some((one) => file.endsWith(one)))
      : choices.files;
  if (form.columns || form.kind.startsWith("column")) return choices.columns;
  return [];
}

const asNumber = (text: string): Json =>
  text === "" ? null : Number.isFinite(Number(text)) ? Number(text) : text;
const asShare = (text: string): Json => (/^\d*\.?\d+$/.test(text) ? Number(text) : text || null);
const asMap = (value: Json | undefined): Record<string, Json> =>
  value && typeof value === "object" && !Array.isArray(value) ? value : {};

function listOrOne(text: string, always: boolean): Json {
  const parts = words(text);
  return parts.length === 0 ? null : parts.length === 1 && !always ? parts[0]! : parts;
}

const lines = (value: Json | undefined): string =>
  Array.isArray(value)
    ? value.map((one) => (typeof one === "object" && one ? joined(one) : shown(one))).join("\n")
    : joined(value);

function fromLines(text: string): Json {
  const all = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const read = all.map((line): Json => {
    const [, key, rest] = /^([^:]+):\s*(.+)$/.exec(line) ?? [];
    return key && rest ? { [key]: asNumberOrText(rest) } : line;
  });
  return read.length === 1 ? read[0]! : read;
}

const asNumberOrText = (text: string): Json => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

interface LineProps {
  label: string;
  value: string;
  hint?: string;
  offers?: string[];
  onChange: (text: string) => void;
}

/** A line of text that counts when it is left, or with Enter. */
export function Line({ label, value, hint, offers, onChange }: LineProps) {
  const list = useId();
  const commit = (text: string) => text.trim() !== value && onChange(text.trim());
  return (
    <>
      <TextField
        key={value}
        label={label}
        defaultValue={value}
        placeholder={hint}
        title={value}
        list={offers?.length ? list : undefined}
        onBlur={(event) => commit(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit(event.currentTarget.value);
          else if (event.key === "Escape") event.currentTarget.value = value;
          else return;
          event.stopPropagation();
        }}
      />
      {offers && offers.length > 0 && (
        <datalist id={list}>
          {offers.map((offer) => (
            <option key={offer} value={offer} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** The name of a file of the project, or an address; a file of this machine is brought into the project. */
function FileField({ suffixes, ...line }: LineProps & { suffixes: string[] }) {
  const chooser = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const bring = async (file: File | undefined) => {
    if (!file) return;
    try {
      line.onChange(await uploadFile(file));
      setProblem(null);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason.message);
    }
  };
  return (
    <div className={css.pair}>
      <Line {...line} />
      <IconButton
        icon="upload"
        label={`Bring a file for ${line.label}`}
        onClick={() => chooser.current?.click()}
      />
      <input
        ref={chooser}
        type="file"
        hidden
        accept={suffixes.join(",")}
        aria-label={`File for ${line.label}`}
        onChange={(event) => bring(event.target.files?.[0])}
      />
      {problem && <p className={css.fieldProblem}>{problem}</p>}
    </div>
  );
}

export function LongText({ label, value, onChange }: LineProps) {
  return (
    <textarea
      key={value}
      className={css.longText}
      aria-label={label}
      defaultValue={value}
      spellCheck={false}
      rows={Math.min(14, Math.max(3, value.split("\n").length + 1))}
      onBlur={(event) =>
        event.target.value.trim() !== value.trim() && onChange(event.target.value.replace(/\s+$/, ""))
      }
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.blur();
      }}
    />
  );
}

export function MapEditor({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Record<string, Json>;
  onChange: (value: Record<string, Json>) => void;
}) {
  const entries = Object.entries(value);
  const [adding, setAdding] = useState(false);
  const set = (place: number, name: string, text: Json) =>
    onChange(Object.fromEntries(entries.map((entry, at) => (at === place ? [name, text] : entry))));
  return (
    <div className={css.map}>
      {entries.map(([name, text], place) => (
        <div key={name} className={css.pair}>
          <Line label={`Name in ${label}`} value={name} onChange={(next) => next && set(place, next, text)} />
          <Line
            label={`${label} of ${name}`}
            value={shown(text)}
            onChange={(next) => set(place, name, asNumberOrText(next))}
          />
          <IconButton
            icon="cross"
            label={`Remove ${name}`}
            onClick={() => onChange(Object.fromEntries(entries.filter((_, at) => at !== place)))}
          />
        </div>
      ))}
      {adding ? (
        <div className={css.pair}>
          <Line
            label={`New name in ${label}`}
            value=""
            hint="name"
            onChange={(name) => {
              setAdding(false);
              if (name && !(name in value)) onChange({ ...value, [name]: "" });
            }}
          />
        </div>
      ) : (
        <Button look="ghost" icon="plus" onClick={() => setAdding(true)}>
          Add
        </Button>
      )}
    </div>
  );
}

export function SecretOrText({
  label,
  value,
  secrets,
  form,
  hint,
  onChange,
}: {
  label: string;
  value: Json | undefined;
  secrets: string[];
  form: Pick<FieldForm, "many" | "suffixes">;
  hint?: string;
  onChange: (value: Json) => void;
}) {
  const secret = value && typeof value === "object" && !Array.isArray(value) ? shown(value.secret) : null;
  if (secret !== null)
    return (
      <Select
        label={`${label}: the secret`}
        value={secret}
        options={[...new Set([secret, ...secrets])]
          .map((one) => ({ value: one, label: `secret ${one}` }))
          .concat({ value: "", label: "a text instead" })}
        onChange={(chosen) => onChange(chosen ? { secret: chosen } : null)}
      />
    );
  return (
    <Line
      label={label}
      value={withSecrets(value)}
      hint={hint ?? (form.suffixes?.length ? "prices.duckdb#offers" : "")}
      offers={secrets.map((one) => `secret: ${one}`)}
      onChange={(text) => onChange(fromSecrets(text, form.many === true))}
    />
  );
}

/** Which column of each step becomes which column of all. */
function UnionColumns({
  value,
  choices,
  onChange,
}: {
  value: Json | undefined;
  choices: Choices;
  onChange: (value: Json) => void;
}) {
  const map = asMap(value) as Record<string, Record<string, string>>;
  const rows = Object.entries(map);
  const [adding, setAdding] = useState(false);
  const set = (column: string, step: string, from: string) => {
    const { [step]: _old, ...others } = map[column] ?? {};
    onChange({ ...map, [column]: from ? { ...others, [step]: from } : others });
  };
  const rename = (column: string, to: string) =>
    onChange(Object.fromEntries(rows.map(([name, from]) => [name === column ? to : name, from])));
  return (
    <div className={css.unionBox}>
      {rows.length > 0 && (
        <table className={css.union}>
          <thead>
            <tr>
              <th scope="col">column</th>
              {choices.inputs.map((step) => (
                <th key={step} scope="col">
                  {step}
                </th>
              ))}
              <th aria-label="Remove" />
            </tr>
          </thead>
          <tbody>
            {rows.map(([column, from]) => (
              <tr key={column}>
                <td>
                  <Line
                    label={`Name of ${column}`}
                    value={column}
                    onChange={(to) => to && rename(column, to)}
                  />
                </td>
                {choices.inputs.map((step) => (
                  <td key={step}>
                    <Line
                      label={`${column} in ${step}`}
                      value={from[step] ?? ""}
                      hint="—"
                      offers={choices.columnsOf(step)}
                      onChange={(text) => set(column, step, text)}
                    />
                  </td>
                ))}
                <td>
                  <IconButton
                    icon="cross"
                    label={`Remove ${column}`}
                    onClick={() => onChange(Object.fromEntries(rows.filter(([name]) => name !== column)))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={css.row}>
        {adding ? (
          <Line
            label="New column"
            value=""
            hint="name"
            onChange={(name) => {
              setAdding(false);
              if (name && !(name in map)) onChange({ ...map, [name]: {} });
            }}
          />
        ) : (
          <Button look="ghost" icon="plus" onClick={() => setAdding(true)}>
            Column
          </Button>
        )}
        {choices.proposed && (
          <Button
            icon="induce"
            onClick={() => onChange(choices.proposed!)}
            title="From names, types and values of the samples"
          >
            Propose {Object.keys(choices.proposed).length} columns
          </Button>
        )}
      </div>
      {rows.length === 0 && !choices.proposed && (
        <p className={css.note}>Without columns, those of the same name come together.</p>
      )}
    </div>
  );
}

/** The columns that are brought to one form, each with what is done to it. */
function NormalColumns({
  info,
  value,
  choices,
  onChange,
}: {
  info: KeyInfo;
  value: Json | undefined;
  choices: Choices;
  onChange: (value: Json) => void;
}) {
  const kinds = info.form.kinds ?? [];
  const items = (Array.isArray(value) ? value : []).map(asMap);
  const put = (place: number, item: Record<string, Json> | null) =>
    onChange(
      item ? items.map((one, at) => (at === place ? item : one)) : items.filter((_, at) => at !== place),
    );
  return (
    <div className={css.normals}>
      {items.map((item, place) => {
        const kind = kinds.find((one) => one.word in item);
        if (!kind) return null;
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the order counts, and names may come twice
            key={place}
            className={css.normal}
            role="group"
            aria-label={`${kind.word} of ${shown(item[kind.word])}`}
          >
            <div className={css.pair}>
              <span className={css.word}>{kind.word}</span>
              <Line
                label={`Column for ${kind.word}`}
                value={shown(item[kind.word])}
                hint="column"
                offers={choices.columns}
                onChange={(column) => put(place, { ...item, [kind.word]: column })}
              />
              <IconButton
                icon="cross"
                label={`Remove ${kind.word} of ${shown(item[kind.word])}`}
                onClick={() => put(place, null)}
              />
            </div>
            <Extras
              keys={kind.keys.filter((one) => one.key !== kind.word)}
              item={item}
              choices={choices}
              onChange={(key, next) => {
                const { [key]: _old, ...others } = item;
                put(place, next === null ? others : { ...item, [key]: next });
              }}
            />
          </div>
        );
      })}
      <Select
        label="Add a column to bring to one form"
        value=""
        options={[
          { value: "", label: "+ a column …" },
          ...kinds.map((one) => ({ value: one.word, label: `${one.word}: ${one.about}` })),
        ]}
        onChange={(kind) => kind && onChange([...items, { [kind]: likelyColumn(kind, choices.columns) }])}
      />
    </div>
  );
}

const MEANT: Record<string, RegExp> = {
  money: /price|preis|prix|amount|betrag|cost|fee/i,
  "remove tax": /price|preis|prix|amount|betrag/i,
  date: /date|datum|day|when/i,
  unit: /weight|gewicht|size|length|width|height|volume/i,
  country: /country|land|region/i,
  text: /name|title|titel|bezeichnung/i,
};

/** The column that a kind of value is probably in, by its name. */
export function likelyColumn(kind: string, columns: string[]): string {
  return columns.find((name) => MEANT[kind]?.test(name)) ?? columns[0] ?? "column";
}

/** The keys of a column that are set, and a list of the others to add. */
function Extras({
  keys,
  item,
  choices,
  onChange,
}: {
  keys: KeyInfo[];
  item: Record<string, Json>;
  choices: Choices;
  onChange: (key: string, value: Json) => void;
}) {
  const [asked, setAsked] = useState<string[]>([]);
  const set = keys.filter((one) => one.key in item || one.required || asked.includes(one.key));
  const others = keys.filter((one) => !set.includes(one));
  return (
    <>
      {set.map((one) => (
        <Field
          key={one.key}
          info={one}
          value={item[one.key]}
          problem={null}
          choices={choices}
          onChange={(next) => onChange(one.key, next)}
        />
      ))}
      {others.length > 0 && (
        <Select
          label="Another setting"
          value=""
          options={[
            { value: "", label: "more …" },
            ...others.map((one) => ({ value: one.key, label: one.label })),
          ]}
          onChange={(key) => key && setAsked([...asked, key])}
        />
      )}
    </>
  );
}

export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={css.field}>
      <span className={css.fieldName}>{label}</span>
      {children}
    </div>
  );
}
