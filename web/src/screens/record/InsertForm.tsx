// Inserting what nobody can record: extract here, for each, if missing, next pages, wait for.
import { useEffect, useState } from "react";
import { ApiError } from "../../api/client";
import { type Plain, type Preview, previewRows } from "../../api/recordings";
import { Button, Complaint, TextField } from "../../design/controls";
import type { Edits } from "./edits";
import css from "./record.module.css";
import { SourceChooser } from "./StepList";
import { flat, perRecord } from "./steps";

export type Inserted =
  | "extract"
  | "for each"
  | "if missing"
  | "if present"
  | "repeat while"
  | "next pages"
  | "wait for";

export const INSERTS: { word: Inserted; label: string }[] = [
  { word: "extract", label: "Extract here" },
  { word: "for each", label: "For each record" },
  { word: "if missing", label: "If something is missing" },
  { word: "if present", label: "If something is there" },
  { word: "repeat while", label: "Repeat while something is there" },
  { word: "next pages", label: "On the next pages as well" },
  { word: "wait for", label: "Wait for something" },
];

/** The step inside of a block, under the key that the file has for it. */
const block = (key: string, step: Plain): Record<string, Plain> => Object.fromEntries([[key, [step]]]);

interface InsertFormProps {
  word: Inserted;
  /** Where it goes: before the step that is there. */
  place: string;
  /** The steps that are put into it; none for a block of its own. */
  chosen: string[];
  live: string | null;
  edits: Edits;
  onPreview: (preview: Preview | null) => void;
  /** Asks the person to point at something on the page. */
  onPoint: ((done: (target: Plain, words: string) => void) => void) | null;
  onClose: () => void;
}

export function InsertForm({
  word,
  place,
  chosen,
  live,
  edits,
  onPreview,
  onPoint,
  onClose,
}: InsertFormProps) {
  const [source, setSource] = useState<Plain>("lists");
  const [text, setText] = useState("");
  const [target, setTarget] = useState<{ plain: Plain; words: string } | null>(null);
  const [most, setMost] = useState("10");
  const [problem, setProblem] = useState("");
  const [rows, setRows] = useState<number | null>(null);
  const [columns, setColumns] = useState<{ name: string; texts: (string | null)[] }[]>([]);
  const reads = word === "extract" || word === "for each";
  const wraps = chosen.length > 0 && word !== "extract" && word !== "wait for";

  useEffect(() => {
    if (!reads || live === null) return;
    let over = false;
    setRows(null);
    previewRows(live, source)
      .then((found) => {
        if (over) return;
        setProblem("");
        setRows(found.rows.total);
        setColumns(found.rows.columns);
        onPreview(found);
      })
      .catch((reason: unknown) => {
        if (over || !(reason instanceof ApiError)) return;
        setProblem(reason.message);
        onPreview(null);
      });
    return () => {
      over = true;
    };
  }, [reads, live, source, onPreview]);
  useEffect(() => () => onPreview(null), [onPreview]);

  const condition: Plain = target ? target.plain : { text };
  const heads: Record<Inserted, Plain> = {
    extract: { extract: source },
    "for each": { "for each": source },
    "if missing": { "if missing": condition },
    "if present": { "if present": condition },
    "repeat while": { "repeat while": condition },
    "next pages": { "next pages": Math.max(1, Number(most) || 1) },
    "wait for": { "wait for": condition },
  };
  // A block needs a step inside: the most likely one, to be changed or dragged out again.
  const inner: Partial<Record<Inserted, Record<string, Plain>>> = {
    "for each": block("steps", { set: { page: { address: true } } }),
    "if missing": block("then", { stop: `${target?.words ?? text} is missing` }),
    "if present": block("then", { click: condition }),
    "repeat while": block("steps", { click: condition }),
    "next pages": block("steps", { extract: "lists" }),
  };
  const insert = async () => {
    const head = heads[word] as Record<string, Plain>;
    const made = wraps
      ? await edits.send({ action: "wrap", places: chosen, step: head })
      : await edits.send({ action: "insert", place, step: { ...head, ...inner[word] } });
    if (!made) return;
    // What was recorded with one record is done with each: "click Arden R50" becomes "click {title}".
    if (wraps && word === "for each")
      for (const change of perRecord(flat(made.steps), columns)) await edits.send(change);
    onClose();
  };
  const needs = !reads && word !== "next pages" && !target && !text.trim();
  const label = INSERTS.find((one) => one.word === word)!.label;
  return (
    <form
      className={css.insert}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        if (!needs) insert();
      }}
    >
      <strong>{label}</strong>
      {reads && (
        <div className={css.inline}>
          <SourceChooser value={source} onChange={setSource} recordsOnly={word === "for each"} />
          <span className="quiet">{rows === null ? "" : rows === 1 ? "1 row" : `${rows} rows`}</span>
        </div>
      )}
      {!reads && word !== "next pages" && (
        <div className={css.inline}>
          {target ? (
            <span className={css.pointed}>{target.words}</span>
          ) : (
            <TextField
              label="Text on the page"
              placeholder="A text on the page"
              autoFocus
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
          {onPoint && (
            <Button icon="teach" onClick={() => onPoint((plain, words) => setTarget({ plain, words }))}>
              Point at it
            </Button>
          )}
        </div>
      )}
      {word === "next pages" && (
        <div className={css.inline}>
          <span>Pages at most</span>
          <TextField
            label="Pages at most"
            inputMode="numeric"
            value={most}
            onChange={(event) => setMost(event.target.value)}
          />
        </div>
      )}
      {problem && <Complaint>{problem}</Complaint>}
      <div className={css.inline}>
        <Button type="submit" look="primary" disabled={needs}>
          {wraps ? `Put ${chosen.length === 1 ? "1 step" : `${chosen.length} steps`} into it` : "Insert"}
        </Button>
        <Button look="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
