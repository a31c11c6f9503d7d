// The shapes of the REST API. docs/studio.md describes them; the server's tests hold them.

/** x0, y0, x1, y1 in CSS pixels of the whole page. */
export type Box = [number, number, number, number];
export type Verdict = "ok" | "suspicious" | "failed";

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  version?: string;
  /** The page of a wall, which is kept so that people can look at it. */
  page?: string;
}

export interface About {
  version: string;
  project: { name: string; folder: string };
  formats: { suffix: string; name: string; available: boolean }[];
  browser: { available: boolean; words: string };
  /** The optional parts of Sightline, and the command that installs each. */
  parts: { name: string; enables: string; installed: boolean; command: string }[];
  limits: { upload_bytes: number; upload_files: number };
}

export interface ExampleInfo {
  name: string;
  title: string;
  about: string;
  kind: "page" | "pdf" | "pages" | "lab";
  pages: number;
}

export interface PageInfo {
  id: string;
  title: string;
  url: string;
  source: string;
  kind: "rendered" | "static" | "pdf";
  opened: string;
  width: number;
  height: number;
  nodes: number;
  sheets: { number: number; box: Box }[];
  pictures: { index: number; box: Box }[];
  notes: string[];
  wall: string | null;
}

export interface Geometry {
  nodes: number[];
  /** Places in `nodes`, or -1. */
  parents: number[];
  /** Four numbers a node. */
  boxes: number[];
  tags: string[];
  tag: number[];
  texts: (string | null)[];
}

export interface TypeInfo {
  kind: string;
  words: string;
}

export interface ColumnInfo {
  name: string;
  type: TypeInfo;
  filled: number;
  misfits: string[];
  ambiguous: string | null;
}

export interface ColumnData extends ColumnInfo {
  texts: (string | null)[];
  values: (string | null)[];
  boxes: (Box | null)[];
  nodes: (number[] | null)[];
  pages?: (string | null)[];
}

export interface Rows {
  offset: number;
  total: number;
  columns: ColumnData[];
  row_boxes: (Box | null)[];
}

export interface History {
  steps: string[];
  at: number;
}

export type ResultKind = "table" | "list" | "top" | "content";

export interface ResultInfo {
  key: string;
  kind: ResultKind;
  caption: string | null;
  score: number;
  box: Box | null;
  parts: Box[];
  sheet: number;
  rows: number;
  columns: ColumnInfo[];
  verdict: Verdict;
  reasons: string[];
  navigation: boolean;
  reading_of: string | null;
}

export interface Results {
  summary: string;
  results: ResultInfo[];
  seconds: number;
}

export interface ResultState {
  info: ResultInfo;
  rows: Rows;
  history: History;
  version: string;
  dropped: string[];
}

export type ResultEdit =
  | { action: "rename"; column: string; to: string }
  | { action: "type"; column: string; kind: string }
  | { action: "drop" | "restore"; column: string }
  | { action: "headers"; count: number }
  | { action: "undo" | "redo" };

export interface Paging {
  next: string | null;
  pages: string[];
  way: string | null;
  total: number | null;
}

export type JobState = "waiting" | "running" | "done" | "failed" | "cancelled";

export interface Job<Result = unknown> {
  id: string;
  kind: string;
  title: string;
  state: JobState;
  progress: { done: number; total: number | null; what: string };
  result: Result | null;
  problem: Problem | null;
  began: string;
}

export interface Condition {
  way: string;
  test: string;
  value: string;
  not: boolean;
  words?: string;
}

export interface RuleInfo {
  words: string;
  pick: string;
  conditions: Condition[];
}

export interface MatchBox {
  node: number;
  box: Box | null;
  text: string;
  record?: number | null;
}

export interface LessonExample {
  page: string;
  node: number | null;
  text: string;
  wanted: boolean;
  box: Box | null;
}

export interface LessonField {
  name: string;
  path: string;
  parent: string | null;
  is_set: boolean;
  many: boolean;
  words: string;
  rules: RuleInfo[];
  take: string;
  cut: string | null;
  edited: boolean;
  marks: string[];
  error: string | null;
  examples: LessonExample[];
  matches: MatchBox[];
  values: number;
}

export interface PageProblem {
  what: string;
  box: Box | null;
  field: string | null;
}

export interface LessonState {
  name: string;
  version: string;
  page: string;
  pages: {
    id: string;
    title: string;
    verdict: Verdict | null;
    problems: PageProblem[];
    records: number;
    examples: number;
  }[];
  fields: LessonField[];
  rows: Rows;
  question: {
    field: string;
    page: string;
    node: number;
    box: Box | null;
    text: string;
    share: number;
    words: string;
  } | null;
  notes: string[];
  history: History;
  saved_as: string | null;
}

export interface LessonInfo {
  name: string;
  title: string;
  pages: number;
  fields: number;
  changed: string;
}

export type LessonStep =
  | { action: "want" | "reject"; field: string; page: string; node?: number; text?: string; link?: boolean }
  | { action: "absent" | "only"; field: string; page: string }
  | { action: "add page" | "remove page"; page: string }
  | { action: "rename"; field: string; to: string }
  | { action: "drop"; field: string }
  | { action: "group"; fields: string[]; into: string }
  | { action: "rule"; field: string; rules: { if: Condition[]; pick: string }[] }
  | { action: "answer"; yes: boolean }
  | { action: "undo" | "redo" };

export interface Completion {
  condition: Condition;
  words: string;
  matches: number;
  keeps_examples: boolean;
}

export interface SchemaNode {
  name: string;
  path: string;
  node: "field" | "set" | "tuple" | "option" | "alternatives";
  type: TypeInfo | null;
  optional: boolean;
  dropped: boolean;
  aside: boolean;
  examples: { page: string | null; text: string; box: Box | null }[];
  children: SchemaNode[];
}

export interface WrapperInfo {
  name: string;
  version: string;
  learned: string;
  fields: string[];
  pages: number;
  needs: string;
  changed: string;
  verdict: Verdict;
}

export interface WrapperState {
  name: string;
  version: string;
  learned: string;
  words: string;
  schema: SchemaNode[];
  records_of: string | null;
  sets: string[];
  templates: number;
  needs: string;
  language: string | null;
  training: { pages: number; needed: number; complying: number; left_out: string[] };
  pages: { id: string | null; name: string; verdict: Verdict; found: number; known: number }[];
  history: History;
}

export type WrapperEdit =
  | { action: "rename"; field: string; to: string }
  | { action: "drop" | "restore" | "split"; field: string }
  | { action: "merge"; fields: string[]; into?: string }
  | { action: "records"; of: string | null }
  | { action: "undo" | "redo" };

export interface Reading {
  verdict: Verdict;
  problems: (PageProblem & { xpath: string })[];
  found: number;
  filled: number;
  known: number;
  rows: Rows;
}

export interface Machine {
  states: {
    id: string;
    label: string;
    kind: "start" | "end" | "text" | "field" | "set" | "row" | "group";
    level: number;
    seen: number;
    parent: string | null;
  }[];
  moves: { from: string; to: string; share: number | null; words: string }[];
}

export interface Repair {
  wrapper: string;
  old_page: string | null;
  new_page: string;
  old: Rows | null;
  pages: string[];
  confidence: number;
  verdict: Verdict;
  changes: {
    field: string;
    status: "kept" | "found again" | "unsure" | "missing";
    confidence: number;
    before: string;
    after: string;
    old: string[];
    new: string[];
    why: string;
    box_new: Box | null;
    page: string | null;
  }[];
  new: Rows;
}

export interface RunInfo {
  id: string;
  name: string;
  verdict: Verdict;
  began: string;
  sources: number;
  rows: number;
}

export interface RunState extends RunInfo {
  pages: {
    id: string | null;
    source: string;
    title: string;
    verdict: Verdict;
    records: number;
    issues: number;
  }[];
  issues: {
    check: string;
    severity: "notice" | "suspicious" | "failed";
    field: string | null;
    source: string | null;
    page: string | null;
    reason: string;
    boxes: Box[];
  }[];
  fill: { field: string; filled: number; of: number }[];
  outliers: {
    scores: { page: string; box: Box | null; text: string; score: number }[];
    cut: number;
  } | null;
}

export interface RunDiff {
  key: string | null;
  same: number;
  added: number;
  removed: number;
  changed: number;
  rows: {
    key: string;
    kind: "added" | "removed" | "changed";
    before: Record<string, string | null> | null;
    after: Record<string, string | null> | null;
    fields: string[];
  }[];
}

export interface LabMethod {
  name: string;
  title: string;
  paper: string | null;
  kind: string;
  about: string;
  counts: boolean;
  rules: { name: string; words: string }[];
  settings: {
    name: string;
    kind: string;
    default: unknown;
    help: string;
    minimum?: number;
    maximum?: number;
    choices?: string[];
  }[];
}

export interface LabStep {
  name: string;
  about: string;
  rows: Record<string, unknown>[];
  columns: string[];
  boxes: Box[];
  cut: number | null;
}

export interface LabTry {
  method: string;
  found: {
    key: string;
    kind: ResultKind;
    caption: string | null;
    score: number;
    box: Box | null;
    items: { title: string; box: Box | null }[];
  }[];
  rows: Rows | null;
  steps: LabStep[];
  seconds: number;
}
