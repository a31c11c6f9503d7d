// One lesson: the page at the left is pointed at, the fields at the right are what was understood.
import { useCallback, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { ApiError, api, path } from "../../api/client";
import { queryClient, useGeometry, usePage, usePages } from "../../api/queries";
import type { LessonField, LessonState, WrapperState } from "../../api/types";
import { nodeAt, type PlacedNode, wider } from "../../canvas/geometry";
import { holds, type Mark } from "../../canvas/marks";
import { type CanvasPoint, PageCanvas } from "../../canvas/PageCanvas";
import { seriesColour } from "../../design/colours";
import { Busy, Button, Complaint, Hint, IconButton, TextField, VerdictChip } from "../../design/controls";
import { Menu } from "../../design/Menu";
import { Filmstrip } from "../../frame/Filmstrip";
import { Workbench } from "../../frame/Workbench";
import { CellDetail } from "../../grid/CellDetail";
import { DataGrid } from "../../grid/DataGrid";
import { useRowStore } from "../../grid/rows";
import { useHistory } from "../../state/history";
import { useKeys } from "../../state/keys";
import { useLink } from "../../state/link";
import { useCellParam, useQueryParam } from "../../state/useQueryParam";
import { FieldList } from "./FieldList";
import { intentOf, type Target } from "./intent";
import { freshName, type Preview, useLesson, useLessonSteps, usePreview } from "./lesson";
import css from "./teach.module.css";

export function LessonScreen({
  name,
  page,
  onPage,
}: {
  name: string;
  page: string | null;
  onPage: (page: string) => void;
}) {
  const lesson = useLesson(name, page);
  if (lesson.error) return <Complaint>{lesson.error.message}</Complaint>;
  if (!lesson.data) return <Busy>Opening the lesson …</Busy>;
  return <OpenLesson state={lesson.data} page={page} onPage={onPage} />;
}

function OpenLesson({
  state,
  page,
  onPage,
}: {
  state: LessonState;
  page: string | null;
  onPage: (page: string) => void;
}) {
  const shown = usePage(state.page).data;
  const geometry = useGeometry(state.page).data;
  const steps = useLessonSteps(state.name, page, state);
  const [chosen, setChosen] = useQueryParam("field");
  const [renaming, setRenaming] = useState<string | null>(null);
  const [under, setUnder] = useState<(PlacedNode & { wide?: boolean }) | null>(null);
  const [cell, setCell] = useCellParam();
  const [preview, ask] = usePreview(state.name, state.page);
  const { rows, loaded } = useRowStore(state.rows);
  const lit = useLink((linked) => linked.cell);

  const values = state.fields.filter((field) => !field.is_set);
  const newName = freshName(values.map((field) => field.name));
  const active = values.find((field) => field.name === chosen) ?? null;
  useHistory(
    state.history,
    () => steps.send({ action: "undo" }),
    () => steps.send({ action: "redo" }),
  );

  /** Which field a click is about: the one that is active, or the one that has taken what is pointed at. */
  const fieldAt = (target: Target) =>
    active ?? values.find((field) => intentOf(field, target, state.page) !== "want") ?? null;
  const widen = (node: PlacedNode) => {
    const around = geometry && wider(geometry, node.node);
    if (!around) return;
    setUnder({ ...around, wide: true });
    ask(active?.name ?? newName, around.node);
  };
  const point = async (target: Target) => {
    const { node } = target;
    ask("", null);
    const field = fieldAt(target);
    if (field) {
      const action = intentOf(field, target, state.page, field === active);
      if (action === "keep") return;
      await steps.send({ action, field: field.name, page: state.page, node });
      return;
    }
    const next = await steps.send({ action: "want", field: newName, page: state.page, node });
    if (next) {
      setChosen(newName);
      setRenaming(newName);
    }
  };
  const answer = (yes: boolean) => steps.send({ action: "answer", yes });
  const step = (by: number) => {
    const at = values.findIndex((field) => field.name === chosen);
    const next = values[at < 0 ? (by > 0 ? 0 : values.length - 1) : at + by];
    if (next) setChosen(next.name);
  };
  useKeys("Lesson", [
    { keys: "f", label: "Add a field", run: () => setChosen(null) },
    { keys: "j", label: "Next field", run: () => step(1) },
    { keys: "k", label: "Previous field", run: () => step(-1) },
    ...(state.question
      ? [
          { keys: "Enter", label: "Yes, it is a value", run: () => answer(true) },
          { keys: "x", label: "No, it is not a value", run: () => answer(false) },
        ]
      : []),
    ...(under && geometry
      ? [
          {
            keys: "w",
            label: "Point at what is around it",
            run: () => widen(under),
          },
        ]
      : []),
    ...(under ? [{ keys: " ", label: "Take what is pointed at", run: () => point(under) }] : []),
  ]);

  /** What a point means: what is under it, or what was widened around it. */
  const targetAt = (at: CanvasPoint): PlacedNode | null => {
    const node = geometry ? nodeAt(geometry, at.x, at.y) : null;
    return under?.wide && holds(under.box, at.x, at.y) ? under : node;
  };
  const hover = (at: CanvasPoint | null) => {
    const node = at && targetAt(at);
    setUnder(node);
    const isNew = node && intentOf(fieldAt(node), node, state.page) === "want";
    ask(active?.name ?? newName, isNew ? node.node : null);
  };
  const click = (at: CanvasPoint) => {
    const node = targetAt(at);
    if (node) point(node);
  };
  const places = values.map((field) => field.name).join("\n");
  const tint = useCallback(
    (field: string) => {
      const place = places.split("\n").indexOf(field);
      return seriesColour(place < 0 ? places.split("\n").length : place);
    },
    [places],
  );
  const marks = useMemo(() => lessonMarks(state, active, tint), [state, active, tint]);
  const litBox = lit && rows ? rows.cell(lit.row, lit.column)?.box : null;
  const cellBox = cell && rows ? rows.cell(cell.row, cell.column)?.box : null;
  const all: Mark[] = [
    ...marks,
    ...previewMarks(preview, tint(preview?.field ?? "")),
    ...(under
      ? [
          hoverMark(
            under,
            intentOf(fieldAt(under), under, state.page, active !== null),
            fieldAt(under),
            preview,
            tint(fieldAt(under)?.name ?? ""),
          ),
        ]
      : []),
    ...(litBox ? [{ id: "lit", box: litBox, look: "lit" as const, colour: "var(--accent)" }] : []),
  ];
  const pages = state.pages.map((one) => ({
    ...one,
    note: one.problems.map((problem) => problem.what).join("; "),
  }));

  return (
    <Workbench
      name="teach"
      panelShare={0.52}
      bar={<LessonBar state={state} active={active} busy={steps.busy} />}
      canvas={
        shown ? (
          <PageCanvas
            page={shown}
            marks={all}
            focus={litBox ?? cellBox ?? state.question?.box ?? null}
            onHover={hover}
            onClick={click}
            takesFound
            cursor="crosshair"
          />
        ) : (
          <Busy>Opening the page …</Busy>
        )
      }
      film={
        <Filmstrip pages={pages} current={state.page} onChoose={onPage}>
          <AddPage
            state={state}
            onAdd={(id) => steps.send({ action: "add page", page: id }).then(() => onPage(id))}
          />
        </Filmstrip>
      }
      panelBar={<SaveBar state={state} />}
      panel={
        <>
          {steps.loss && (
            <Hint
              icon="warn"
              actions={
                <>
                  <Button look="primary" icon="undo" onClick={() => steps.send({ action: "undo" })}>
                    Undo the click
                  </Button>
                  <Button onClick={steps.accept}>It is right</Button>
                </>
              }
            >
              With this example, {steps.loss.after} records are found instead of {steps.loss.before}.
            </Hint>
          )}
          {steps.problem && (
            <Complaint actions={<Button onClick={steps.clear}>Close</Button>}>
              {steps.problem.message}
            </Complaint>
          )}
          <FieldList
            state={state}
            active={active?.name ?? null}
            renaming={renaming}
            tint={tint}
            steps={steps}
            onActive={setChosen}
            onRenaming={setRenaming}
            onAnswer={answer}
          />
        </>
      }
      data={
        rows && rows.columns.length > 0 ? (
          <>
            <DataGrid
              rows={rows}
              loaded={loaded}
              label="What the wrapper reads from this page"
              selected={cell}
              onSelect={setCell}
              onRename={(column, to) => steps.send({ action: "rename", field: column, to })}
              onDrop={(column) => steps.send({ action: "drop", field: column })}
              colour={(column) => tint(column.name)}
            />
            {cell && <CellDetail rows={rows} cell={cell} />}
          </>
        ) : undefined
      }
    />
  );
}

function lessonMarks(
  state: LessonState,
  active: LessonField | null,
  tint: (field: string) => string,
): Mark[] {
  const marks: Mark[] = [];
  for (const field of state.fields) {
    const colour = tint(field.name);
    const isActive = !active || field.name === active.name;
    field.matches.forEach((match, place) => {
      if (!match.box) return;
      const look = field.is_set ? "record" : isActive ? "part" : "cell";
      const label = isActive && place === 0 && look !== "record" ? { label: field.name } : {};
      marks.push({ id: `${field.name} ${match.node}`, box: match.box, look, colour, ...label });
    });
    for (const example of field.examples) {
      if (!example.box || example.page !== state.page) continue;
      const look = example.wanted ? "example" : "rejected";
      marks.push({ id: `${field.name} example ${example.node}`, box: example.box, look, colour });
    }
  }
  const { question } = state;
  if (question?.box && question.page === state.page)
    marks.push({ id: "question", box: question.box, look: "question", colour: "var(--data-5)", label: "?" });
  for (const page of state.pages.filter((one) => one.id === state.page))
    page.problems.forEach((problem, place) => {
      if (problem.box)
        marks.push({
          id: `problem ${place}`,
          box: problem.box,
          look: "issue",
          colour: "var(--suspicious)",
          label: "!",
        });
    });
  return marks;
}

const previewMarks = (preview: Preview | null, colour: string): Mark[] =>
  (preview?.matches ?? []).flatMap((match) =>
    match.box ? [{ id: `preview ${match.node}`, box: match.box, look: "preview" as const, colour }] : [],
  );

function hoverMark(
  under: PlacedNode,
  intent: ReturnType<typeof intentOf>,
  active: LessonField | null,
  preview: Preview | null,
  colour: string,
): Mark {
  const count = preview?.node === under.node ? preview.matches.length : null;
  const taking = count === null ? "take" : count === 1 ? "take this one" : `take ${count}`;
  const label = { want: taking, keep: "an example", reject: `reject as ${active?.name}` }[intent];
  const rejects = intent === "reject";
  return {
    id: "under",
    box: under.box,
    look: rejects ? "rejected" : "lit",
    colour: rejects ? "var(--failed)" : colour,
    label,
  };
}

function LessonBar({
  state,
  active,
  busy,
}: {
  state: LessonState;
  active: LessonField | null;
  busy: boolean;
}) {
  const [, go] = useLocation();
  const here = state.pages.find((page) => page.id === state.page);
  const first = state.fields.length === 0;
  return (
    <>
      <IconButton icon="left" label="All lessons" onClick={() => go("/teach")} />
      <span className={css.instruction}>
        {active ? (
          <>
            Click further values of <strong>{active.name}</strong>, or a wrong one to reject it.
          </>
        ) : first ? (
          <>Click a value that you want.</>
        ) : (
          <>Click a value of a new field, or a wrong one to reject it.</>
        )}
      </span>
      <span style={{ flex: 1 }} />
      {busy && <span className="quiet">learning …</span>}
      {here?.verdict && (
        <VerdictChip verdict={here.verdict} title={here.problems.map((problem) => problem.what).join("\n")} />
      )}
    </>
  );
}

function AddPage({ state, onAdd }: { state: LessonState; onAdd: (page: string) => void }) {
  const pages = usePages().data ?? [];
  const others = pages.filter((page) => !state.pages.some((own) => own.id === page.id));
  return (
    <Menu
      label="Another page"
      look="plain"
      align="left"
      icon="plus"
      className={css.addPage ?? ""}
      items={
        others.length
          ? others.slice(0, 40).map((page) => ({
              label: (page.title || page.source).slice(0, 60),
              icon: page.kind === "pdf" ? ("pdf" as const) : ("page" as const),
              hint: page.source.split("/").at(-1) ?? "",
              onSelect: () => onAdd(page.id),
            }))
          : [{ label: "Open further pages first (Open)", disabled: true, onSelect: () => undefined }]
      }
    >
      Another page
    </Menu>
  );
}

function SaveBar({ state }: { state: LessonState }) {
  const [, go] = useLocation();
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [saving, setSaving] = useState(false);
  const save = async (name: string) => {
    setSaving(true);
    try {
      const wrapper = await api<WrapperState>(path`/lessons/${state.name}/wrapper`, { body: { name } });
      await queryClient.invalidateQueries({ queryKey: ["wrappers"] });
      await queryClient.invalidateQueries({ queryKey: ["lesson", state.name] });
      setProblem(null);
      const pages = state.pages.map((page) => page.id).join(",");
      go(`/check?wrapper=${encodeURIComponent(wrapper.name)}&pages=${pages}`);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
    } finally {
      setSaving(false);
    }
  };
  const [typed, setTyped] = useState<string | null>(null);
  const name = (typed ?? state.saved_as ?? state.name).trim();
  const good = state.pages.filter((page) => page.verdict === "ok").length;
  return (
    <>
      <TextField
        label="Name of the wrapper"
        className={css.wrapperName ?? ""}
        value={typed ?? state.saved_as ?? state.name}
        onChange={(event) => setTyped(event.target.value)}
      />
      <span className="quiet" title="Pages of the lesson that the wrapper reads without a doubt">
        {state.rows.total === 1 ? "1 record" : `${state.rows.total} records`}
        {state.pages.length > 1 && ` · ${good} of ${state.pages.length} pages ok`}
      </span>
      <span style={{ flex: 1 }} />
      {problem && <VerdictChip verdict="failed">{problem.message}</VerdictChip>}
      <Button
        look="primary"
        icon="save"
        disabled={saving || !name || state.fields.length === 0}
        title={`Save as ${name}.wrapper.json and run it over further pages`}
        onClick={() => save(name)}
      >
        {state.saved_as ? "Save again" : "Save wrapper"}
      </Button>
    </>
  );
}
