// The lab: any method on any page, every step drawn where it happens, each rule to switch off, two methods side by side.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import { api } from "../../api/client";
import { useExamples, usePage, usePages } from "../../api/queries";
import type { Box, LabMethod, LabTry, PageInfo } from "../../api/types";
import type { Mark } from "../../canvas/marks";
import { PageCanvas } from "../../canvas/PageCanvas";
import { Busy, Button, Complaint, IconButton, Select, Switch, TextField } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { Fold, Workbench } from "../../frame/Workbench";
import { useKeys } from "../../state/keys";
import { useQueryParam } from "../../state/useQueryParam";
import { useOpener } from "../open/opening";
import { withScheme } from "../open/StartScreen";
import teach from "../teach/teach.module.css";
import css from "./lab.module.css";

export default function LabScreen({ page }: { page: string | null }) {
  const shown = usePage(page);
  if (!page) return <LabStart />;
  if (shown.error) return <Complaint>{shown.error.message}</Complaint>;
  if (!shown.data) return <Busy>Opening the page …</Busy>;
  return <OpenLab page={shown.data} />;
}

function LabStart() {
  const [, go] = useLocation();
  const pages = usePages();
  const examples = useExamples();
  const [address, setAddress] = useState("");
  const opener = useOpener((opened) => opened[0] && go(`/lab/${opened[0].id}`));
  return (
    <div className={teach.list}>
      <h1>See how it works</h1>
      <p className="quiet">
        Run the methods of this program, and those of the papers it builds on, step by step over a page.
        Switch rules off and see what each is worth.
      </p>
      <section>
        <form
          className={teach.begin}
          onSubmit={(event) => {
            event.preventDefault();
            if (address.trim()) opener.address(withScheme(address.trim()));
          }}
        >
          <TextField
            label="Address of a page"
            placeholder="Address of a page"
            className={css.address ?? ""}
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
          <Button look="primary" type="submit" disabled={!address.trim() || opener.busy !== null}>
            Open
          </Button>
        </form>
        {opener.busy && <Busy>{opener.busy} …</Busy>}
        {opener.problem && <Complaint>{opener.problem.message}</Complaint>}
      </section>
      <section>
        <h2>Examples</h2>
        <div className={teach.begin}>
          {examples.data?.map((example) => (
            <Button
              key={example.name}
              icon={example.kind === "pdf" ? "pdf" : "page"}
              title={example.about}
              disabled={opener.busy !== null}
              onClick={() => opener.example(example.name, example.title)}
            >
              {example.title}
            </Button>
          ))}
        </div>
      </section>
      {!!pages.data?.length && (
        <section>
          <h2>Pages of this project</h2>
          <ul className={teach.rows}>
            {pages.data.map((one) => (
              <li key={one.id}>
                <button type="button" className={teach.rowLink} onClick={() => go(`/lab/${one.id}`)}>
                  <Icon name={one.kind === "pdf" ? "pdf" : "page"} />
                  <strong className="clip">{one.title || one.source}</strong>
                  <span className="clip">{one.source}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function useTry(page: string, method: string | null, k: number | null, without: string[]) {
  return useQuery({
    queryKey: ["try", page, method, k, without.join("\n")],
    queryFn: () => api<LabTry>("/lab/tries", { body: { page, method, k, without } }),
    enabled: method !== null,
    placeholderData: keepPreviousData,
  });
}

const OURS = "var(--data-1)";
const THEIRS = "var(--data-2)";

function OpenLab({ page }: { page: PageInfo }) {
  const [, go] = useLocation();
  const methods = useQuery({ queryKey: ["methods"], queryFn: () => api<LabMethod[]>("/lab/methods") });
  const [methodParam, setMethod] = useQueryParam("method");
  const [otherParam, setOther] = useQueryParam("beside");
  const [kParam, setK] = useQueryParam("k");
  const [withoutParam, setWithout] = useQueryParam("without");
  const [stepParam, setStep] = useQueryParam("step");
  const [row, setRow] = useState<number | null>(null);
  const usable = (methods.data ?? []).filter(
    (one) => (one.name === "structure") === false || page.kind === "pdf",
  );
  const method =
    usable.find((one) => one.name === methodParam) ?? usable.find((one) => one.name === firstMethod(page));
  const other = usable.find((one) => one.name === otherParam && one !== method) ?? null;
  const without = withoutParam ? withoutParam.split("\n") : [];
  const k = kParam && Number(kParam) > 0 ? Number(kParam) : null;
  const tried = useTry(page.id, method?.name ?? null, method?.counts ? k : null, without);
  const beside = useTry(page.id, other?.name ?? null, other?.counts ? k : null, []);
  const steps = tried.data?.steps ?? [];
  const at = stepParam === null ? steps.length : Math.min(Number(stepParam), steps.length);
  const step = steps[at];
  const rowBox = row === null ? null : ((step?.rows[row]?.box as Box | undefined) ?? null);

  const marks = useMemo(
    () =>
      step
        ? stepMarks(step.boxes, rowBox)
        : [...foundMarks(tried.data, OURS), ...foundMarks(other ? beside.data : undefined, THEIRS)],
    [step, rowBox, tried.data, beside.data, other],
  );
  const choose = (place: number) => {
    setRow(null);
    setStep(place >= steps.length ? null : String(place));
  };
  useKeys("Lab", [
    { keys: "j", label: "Next step", run: () => choose(Math.min(at + 1, steps.length)) },
    { keys: "k", label: "Previous step", run: () => choose(Math.max(at - 1, 0)) },
  ]);
  const toggle = (rule: string) => {
    const next = without.includes(rule) ? without.filter((one) => one !== rule) : [...without, rule];
    setWithout(next.length ? next.join("\n") : null);
  };
  return (
    <Workbench
      name="lab"
      panelShare={0.55}
      bar={
        <>
          <IconButton icon="left" label="All pages" onClick={() => go("/lab")} />
          <strong className="clip">{page.title || page.source}</strong>
          <span style={{ flex: 1 }} />
          <span className="quiet">{step ? `${at + 1}. ${step.name}` : "what was found"}</span>
        </>
      }
      canvas={<PageCanvas page={page} marks={marks} focus={rowBox} />}
      panelBar={
        <>
          <Select
            label="Method"
            value={method?.name ?? ""}
            options={usable.map((one) => ({ value: one.name, label: one.title }))}
            onChange={(name) => {
              setMethod(name);
              setWithout(null);
              setStep(null);
            }}
          />
          <span className="quiet">beside</span>
          <Select
            label="Another method beside it"
            value={other?.name ?? ""}
            options={[
              { value: "", label: "none" },
              ...usable.filter((one) => one !== method).map((one) => ({ value: one.name, label: one.title })),
            ]}
            onChange={(name) => setOther(name || null)}
          />
          {method?.counts && (
            <TextField
              label="Number of items"
              placeholder="k"
              inputMode="numeric"
              className={css.k ?? ""}
              value={kParam ?? ""}
              onChange={(event) => setK(event.target.value.replace(/\D/g, "") || null)}
            />
          )}
          <span style={{ flex: 1 }} />
          <span className={`quiet ${css.time}`}>
            {tried.data && `${Math.round(tried.data.seconds * 1000)} ms`}
          </span>
        </>
      }
      panel={
        <>
          {method && (
            <p className={css.about}>
              {method.about}
              {method.paper && <span className="quiet"> {method.paper}, as published.</span>}
            </p>
          )}
          {methods.error && <Complaint>{methods.error.message}</Complaint>}
          {tried.error && <Complaint>{tried.error.message}</Complaint>}
          {beside.error && <Complaint>{beside.error.message}</Complaint>}
          <ol className={css.steps}>
            {steps.map((one, place) => (
              <li key={one.name}>
                <button type="button" aria-pressed={place === at} onClick={() => choose(place)}>
                  <span className={css.number}>{place + 1}</span>
                  <span>
                    <strong>{one.name}</strong> <span className="quiet">{one.about}</span>
                  </span>
                  <span className="quiet">{one.rows.length || one.boxes.length}</span>
                </button>
              </li>
            ))}
            {tried.data && (
              <li>
                <button type="button" aria-pressed={at === steps.length} onClick={() => choose(steps.length)}>
                  <span className={css.number}>✓</span>
                  <span>
                    <strong>found</strong> <span className="quiet">{foundWords(tried.data)}</span>
                  </span>
                </button>
              </li>
            )}
          </ol>
          {method && method.rules.length > 0 && <Rules method={method} without={without} onToggle={toggle} />}
        </>
      }
      data={
        step ? (
          <StepRows
            rows={step.rows}
            columns={step.columns}
            chosen={row}
            onChoose={setRow}
            boxes={step.boxes.length}
          />
        ) : (
          tried.data && (
            <Found
              ours={tried.data}
              theirs={other ? beside.data : undefined}
              names={[method?.title ?? "", other?.title ?? ""]}
            />
          )
        )
      }
    />
  );
}

const firstMethod = (page: PageInfo) =>
  page.kind === "pdf" ? "structure" : /\b\d+\b/.test(page.title) ? "top" : "lists";

function stepMarks(boxes: Box[], chosen: Box | null): Mark[] {
  const marks: Mark[] = boxes.map((box, place) => ({ id: `box ${place}`, box, look: "part", colour: OURS }));
  if (chosen) marks.push({ id: "chosen", box: chosen, look: "lit", colour: THEIRS });
  return marks;
}

function foundMarks(tried: LabTry | undefined, colour: string): Mark[] {
  return (tried?.found ?? []).flatMap((one, number): Mark[] => [
    ...one.items.flatMap((item, place): Mark[] =>
      item.box ? [{ id: `${one.key} ${place}`, box: item.box, look: "part", colour }] : [],
    ),
    ...(one.box
      ? [{ id: one.key, box: one.box, look: "chosen" as const, colour, label: `${number + 1}` }]
      : []),
  ]);
}

function foundWords(tried: LabTry): string {
  const items = tried.found.reduce((count, one) => count + one.items.length, 0);
  if (!tried.found.length) return "nothing";
  return tried.found.length === 1 ? `${items} items` : `${tried.found.length} results, ${items} items`;
}

function Rules({
  method,
  without,
  onToggle,
}: {
  method: LabMethod;
  without: string[];
  onToggle: (rule: string) => void;
}) {
  return (
    <Fold title={without.length ? `Rules (${without.length} off)` : "Rules"} open={without.length > 0}>
      <ul className={css.rules}>
        {method.rules.map((rule) => (
          <li key={rule.name}>
            <Switch checked={!without.includes(rule.name)} onChange={() => onToggle(rule.name)}>
              <strong>{rule.name}</strong> <span className="quiet">{rule.words}</span>
            </Switch>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

interface StepRowsProps {
  rows: Record<string, unknown>[];
  columns: string[];
  chosen: number | null;
  onChoose: (row: number | null) => void;
  boxes: number;
}

function StepRows({ rows, columns, chosen, onChoose, boxes }: StepRowsProps) {
  if (!rows.length)
    return (
      <p className={css.none}>
        {boxes ? `${boxes} boxes are drawn on the page.` : "This step found nothing here."}
      </p>
    );
  return (
    <div className={css.table}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a step are its order
              key={place}
              data-chosen={place === chosen}
              onPointerEnter={() => onChoose(place)}
              onPointerLeave={() => onChoose(null)}
            >
              {columns.map((name) => (
                <td key={name} title={String(row[name] ?? "")}>
                  {typeof row[name] === "number"
                    ? Math.round((row[name] as number) * 1000) / 1000
                    : String(row[name] ?? "")}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What was found, and beside it what another method finds on the same page. */
function Found({
  ours,
  theirs,
  names,
}: {
  ours: LabTry;
  theirs: LabTry | undefined;
  names: [string, string] | string[];
}) {
  return (
    <div className={css.found}>
      <FoundColumn tried={ours} name={names[0] ?? ""} colour={OURS} />
      {theirs && <FoundColumn tried={theirs} name={names[1] ?? ""} colour={THEIRS} />}
    </div>
  );
}

function FoundColumn({ tried, name, colour }: { tried: LabTry; name: string; colour: string }) {
  return (
    <div className={css.column}>
      <h3>
        <span className={css.swatch} style={{ background: colour }} />
        {name} <span className="quiet">{foundWords(tried)}</span>
      </h3>
      {tried.found.map((one, number) => (
        <section key={one.key}>
          <p className="quiet">
            {number + 1}. {one.caption ?? one.kind} · score {one.score.toFixed(2)}
          </p>
          <ol>
            {one.items.map((item, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: items are their order
              <li key={place} className="clip" title={item.title}>
                {item.title || "–"}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
