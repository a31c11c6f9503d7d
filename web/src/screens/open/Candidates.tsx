// What is on the page, best first. Menus and second readings are there, but folded.
import type { ResultInfo, ResultKind } from "../../api/types";
import { Busy, Complaint, VerdictChip } from "../../design/controls";
import { Icon, type IconName } from "../../design/Icon";
import { Fold } from "../../frame/Workbench";
import { candidateName, kindColour } from "./naming";
import css from "./open.module.css";

const ICONS: Record<ResultKind, IconName> = { table: "table", list: "list", top: "top", content: "content" };
const KINDS: Record<ResultKind, string> = {
  table: "table",
  list: "list",
  top: "list that the title promises",
  content: "text",
};

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

interface CandidatesProps {
  results: ResultInfo[];
  summary: string | null;
  problem: Error | null;
  chosen: string | null;
  hovered: string | null;
  onHover: (key: string | null) => void;
  onChoose: (key: string) => void;
}

const isMain = (info: ResultInfo) => !info.navigation && !info.reading_of;

/** The order in which they are shown, and in which keys go through them. */
export const visibleOrder = (results: ResultInfo[]): ResultInfo[] => results.filter(isMain);

export function Candidates({
  results,
  summary,
  problem,
  chosen,
  hovered,
  onHover,
  onChoose,
}: CandidatesProps) {
  if (problem) return <Complaint>{problem.message}</Complaint>;
  if (summary === null) return <Busy>Looking for tables, lists and text …</Busy>;
  const others = results.filter((info) => !isMain(info));
  const row = (info: ResultInfo) => (
    <Candidate
      key={info.key}
      info={info}
      chosen={info.key === chosen}
      hovered={info.key === hovered}
      onHover={onHover}
      onChoose={onChoose}
    />
  );
  return (
    <>
      <ul className={css.candidates} aria-label="Candidates">
        {visibleOrder(results).map(row)}
      </ul>
      {results.length === 0 && (
        <p className="quiet" style={{ padding: 12 }}>
          Nothing on this page looks like data. If you can see it, teach it: point at the values you want.
        </p>
      )}
      {others.length > 0 && (
        <Fold
          title={`Menus and other readings (${others.length})`}
          open={others.some((info) => info.key === chosen)}
        >
          <ul className={css.candidates}>{others.map(row)}</ul>
        </Fold>
      )}
    </>
  );
}

interface CandidateProps {
  info: ResultInfo;
  chosen: boolean;
  hovered: boolean;
  onHover: (key: string | null) => void;
  onChoose: (key: string) => void;
}

function Candidate({ info, chosen, hovered, onHover, onChoose }: CandidateProps) {
  const names = info.columns.map((column) => column.name).join(", ");
  return (
    <li>
      <button
        type="button"
        className={css.candidate}
        aria-pressed={chosen}
        data-hovered={hovered}
        onPointerEnter={() => onHover(info.key)}
        onPointerLeave={() => onHover(null)}
        onClick={() => onChoose(info.key)}
      >
        <span className={css.kind} style={{ color: kindColour(info) }}>
          <Icon name={ICONS[info.kind]} />
        </span>
        <span className={css.what}>
          <strong className="clip">{candidateName(info)}</strong>
          <span className="clip">
            {info.kind === "content"
              ? counted(info.rows, "block")
              : `${counted(info.rows, "row")} · ${names || KINDS[info.kind]}`}
          </span>
        </span>
        {info.verdict !== "ok" && <VerdictChip verdict={info.verdict} title={info.reasons.join(" ")} />}
        <span className={css.score} title={`Score ${info.score.toFixed(2)}`}>
          <span style={{ width: `${Math.round(info.score * 100)}%` }} />
        </span>
      </button>
    </li>
  );
}
