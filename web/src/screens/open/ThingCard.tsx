// The thing that a page is about: a line for each field, linked to its place on the page, with what is doubtful.
import { useEffect, useRef } from "react";
import { useAbout } from "../../api/queries";
import type { PageInfo, Thing, ThingField } from "../../api/types";
import { Button, Complaint, VerdictChip } from "../../design/controls";
import { counted } from "../../design/counted";
import { Icon } from "../../design/Icon";
import { Menu } from "../../design/Menu";
import { boxesOf, capital, doubtWords, fieldColour, isDoubtful } from "./thing";
import css from "./thing.module.css";

const SHOWN = 3; // values of a field with many, until it is pinned

interface ThingCardProps {
  page: PageInfo;
  thing: Thing | undefined;
  problem: Error | null;
  /** The kind that it is read as, if somebody chose one. */
  wanted: string | null;
  onWanted: (kind: string | null) => void;
  lit: string | null;
  onLit: (field: string | null) => void;
  pinned: string | null;
  onPin: (field: string | null) => void;
}

export function ThingCard({ page, thing, problem, wanted, onWanted, ...fields }: ThingCardProps) {
  if (problem)
    return (
      <Complaint actions={wanted && <Button onClick={() => onWanted(null)}>Read as it is</Button>}>
        {problem.message}
      </Complaint>
    );
  if (!thing) return null;
  const readAs = <ReadAs thing={thing} wanted={wanted} onWanted={onWanted} />;
  if (!thing.kind)
    return (
      <div className={css.none}>
        <span>{thing.is_list ? "A list of things, each below." : "About no single thing."}</span>
        {readAs}
      </div>
    );
  return (
    <section className={css.card} aria-label="What the page is about">
      <header className={css.head}>
        <span className={css.count}>{counted(thing.fields.length, "field")}</span>
        {thing.verdict !== "ok" && <VerdictChip verdict={thing.verdict} title={thing.reasons.join(" ")} />}
        <span style={{ flex: 1 }} />
        {readAs}
        <ExportThing page={page} wanted={wanted} />
      </header>
      {thing.fields.length === 0 && (
        <p className={css.empty}>Nothing of {thing.kind} was found on this page.</p>
      )}
      <ul className={css.fields} aria-label="Fields">
        {thing.fields.map((field, place) => (
          <li key={field.name}>
            <FieldLine field={field} colour={fieldColour(field, place)} {...fields} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FieldLineProps {
  field: ThingField;
  colour: string;
  lit: string | null;
  onLit: (field: string | null) => void;
  pinned: string | null;
  onPin: (field: string | null) => void;
}

function FieldLine({ field, colour, lit, onLit, pinned, onPin }: FieldLineProps) {
  const line = useRef<HTMLButtonElement>(null);
  const isPinned = pinned === field.name;
  const isLit = lit === field.name;
  useEffect(() => {
    if (isLit) line.current?.scrollIntoView({ block: "nearest" }); // pointed at on the page, it may be out of sight
  }, [isLit]);
  const seen = boxesOf(field).length > 0;
  const values = isPinned ? field.values : field.values.slice(0, SHOWN);
  const more = field.values.length - values.length;
  return (
    <button
      ref={line}
      type="button"
      className={css.field}
      aria-pressed={isPinned}
      data-lit={isLit}
      data-doubtful={isDoubtful(field)}
      onPointerEnter={() => onLit(field.name)}
      onPointerLeave={() => onLit(null)}
      onFocus={() => onLit(field.name)}
      onBlur={() => onLit(null)}
      onClick={() => onPin(isPinned ? null : field.name)}
    >
      <span
        className={css.dot}
        data-seen={seen}
        style={{ color: colour }}
        title={seen ? "Seen on the page" : "Said for machines only"}
      />
      <span className={css.name}>{field.name}</span>
      <span className={css.values}>
        {values.map((value, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values have no other name than their place
          <span key={number} className={isPinned ? css.whole : "clip"}>
            {value.text}
            {isPinned && value.shown !== value.text && (
              <span className={css.aside}>written {value.shown}</span>
            )}
            {value.said && (isPinned || !seen) && number === 0 && (
              <code className={css.path}>{value.said}</code>
            )}
          </span>
        ))}
        {more > 0 && <span className={css.aside}>and {more} more</span>}
        {doubtWords(field).map((words) => (
          <span key={words} className={css.doubt}>
            <Icon name="warn" size={14} /> {words}
          </span>
        ))}
      </span>
    </button>
  );
}

function ReadAs({ thing, wanted, onWanted }: Pick<ThingCardProps, "wanted" | "onWanted"> & { thing: Thing }) {
  return (
    <Menu
      label="Read as another kind of thing"
      items={[
        { label: "What it is most like", checked: wanted === null, onSelect: () => onWanted(null) },
        "line",
        ...thing.kinds.map((kind) => ({
          label: capital(kind),
          checked: wanted === kind,
          onSelect: () => onWanted(kind),
        })),
      ]}
    >
      {wanted ? `Read as ${wanted}` : "Read as …"}
    </Menu>
  );
}

function ExportThing({ page, wanted }: { page: PageInfo; wanted: string | null }) {
  const about = useAbout();
  const save = (format: string) =>
    window.location.assign(
      `/api/pages/${page.id}/thing/export?format=${format}&kind=${encodeURIComponent(wanted ?? "")}`,
    );
  return (
    <Menu
      label="Export the thing"
      icon="download"
      items={(about.data?.formats ?? []).map((format) => {
        const suffix = format.suffix.replace(/^\./, "");
        return {
          label: format.name,
          hint: `.${suffix}`,
          disabled: !format.available,
          onSelect: () => save(suffix),
        };
      })}
    >
      Export
    </Menu>
  );
}
