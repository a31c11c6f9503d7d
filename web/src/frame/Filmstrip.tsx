// The pages that something is tried on, each with its verdict. `[` and `]` go through them.
import type { ReactNode } from "react";
import type { Verdict } from "../api/types";
import { useKeys } from "../state/keys";
import css from "./Filmstrip.module.css";

export interface Frame {
  id: string;
  title: string;
  verdict: Verdict | null;
  note?: string;
}

interface FilmstripProps {
  pages: Frame[];
  current: string | null;
  onChoose: (id: string) => void;
  children?: ReactNode;
}

export function Filmstrip({ pages, current, onChoose, children }: FilmstripProps) {
  const step = (by: number) => {
    const next = pages[pages.findIndex((page) => page.id === current) + by];
    if (next) onChoose(next.id);
  };
  useKeys("Pages", [
    { keys: "[", label: "Previous page", run: () => step(-1) },
    { keys: "]", label: "Next page", run: () => step(1) },
  ]);
  return (
    <nav className={css.film} aria-label="Pages">
      {pages.map((page) => (
        <button
          type="button"
          key={page.id}
          className={css.frame}
          aria-current={page.id === current ? "page" : undefined}
          title={`${page.title}${page.verdict ? `: ${page.verdict}` : ""}${page.note ? ` (${page.note})` : ""}`}
          onClick={() => onChoose(page.id)}
        >
          <span className={css.picture}>
            <img src={`/api/pages/${page.id}/pictures/0`} alt="" loading="lazy" />
          </span>
          <span className={css.caption}>
            <span className={css.dot} data-verdict={page.verdict ?? "none"} aria-hidden="true" />
            <span className="clip">{page.verdict ?? "not read"}</span>
          </span>
        </button>
      ))}
      {children}
    </nav>
  );
}
