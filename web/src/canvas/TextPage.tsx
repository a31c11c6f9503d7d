// A page that was opened without a browser has no picture; its texts are shown line by line, what was taken among them.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { api, path } from "../api/client";
import type { PageInfo, PageTexts } from "../api/types";
import { Busy, Complaint } from "../design/controls";
import css from "./TextPage.module.css";

interface Line {
  number: number;
  parts: { node: number; text: string; around: number[] }[];
}

export function TextPage({ page, taken }: { page: PageInfo; taken: number[] }) {
  const { data, error } = useQuery({
    queryKey: ["texts", page.id],
    queryFn: () => api<PageTexts>(path`/pages/${page.id}/texts`),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const first = useRef<HTMLElement>(null);
  const key = taken.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when something else is taken
  useEffect(() => first.current?.scrollIntoView({ block: "center" }), [key, data]);
  const lines = useMemo(() => (data ? linesOf(data) : []), [data]);
  if (error) return <Complaint>{error.message}</Complaint>;
  if (!data) return <Busy>Reading the page …</Busy>;
  const wanted = new Set(taken);
  let isFirst = true;
  return (
    <section className={css.page} aria-label={`Page ${page.title}, as text`}>
      <p className={css.note}>{page.url || page.source} · opened without a browser, so it is shown as text</p>
      {lines.map((line) => (
        <p key={line.number}>
          {line.parts.map(({ node, text, around }) => {
            if (!wanted.has(node) && !around.some((one) => wanted.has(one)))
              return <span key={node}>{text} </span>;
            const ref = isFirst ? first : undefined;
            isFirst = false;
            return (
              <mark key={node} {...(ref ? { ref } : {})}>
                {text}
              </mark>
            );
          })}
        </p>
      ))}
    </section>
  );
}

export function linesOf({ nodes, texts, lines, parents, blocks }: PageTexts): Line[] {
  const found: Line[] = [];
  nodes.forEach((node, place) => {
    const number = lines[place]!;
    if (found.at(-1)?.number !== number) found.push({ number, parts: [] });
    found.at(-1)!.parts.push({ node, text: texts[place]!, around: [parents[place]!, blocks[place]!] });
  });
  return found;
}
