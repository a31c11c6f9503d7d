// Home: what needs attention today, how the flows went, and where to go on.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError, api } from "../../api/client";
import type { Schemas } from "../../api/types";
import { Busy, Button, Complaint, VerdictChip } from "../../design/controls";
import { Icon, type IconName } from "../../design/Icon";
import { ExtraNote } from "../../frame/Optional";
import { when } from "../../state/when";
import css from "./home.module.css";

type Home = Schemas["HomeResponse"];

const ICONS: Record<string, IconName> = {
  page: "page",
  lesson: "teach",
  wrapper: "induce",
  script: "record",
  flow: "flow",
};

export default function HomeScreen() {
  const [, go] = useLocation();
  const { data, error } = useQuery({
    queryKey: ["home"],
    queryFn: () => api<Home>("/home"),
    staleTime: 0,
    refetchInterval: 15_000,
  });
  if (error) return <Complaint>{error.message}</Complaint>;
  if (!data) return <Busy>Looking around …</Busy>;
  return (
    <div className={css.home}>
      <header>
        <h1>{data.project.name}</h1>
        <span className="quiet clip">{data.project.folder}</span>
      </header>
      <section aria-labelledby="attention" className={css.attention}>
        <h2 id="attention">Needs attention</h2>
        {data.attention.length === 0 && (
          <p className={css.fine}>
            <Icon name="tick" /> Nothing today.
          </p>
        )}
        <ul>
          {data.attention.map((one) => (
            <li key={`${one.link} ${one.title}`}>
              <Link href={one.link}>
                <VerdictChip verdict={one.severity} />
                <span className={css.what}>
                  <strong>{one.title}</strong>
                  <small>{one.detail}</small>
                </span>
                {one.at && <time>{when(one.at)}</time>}
                <Icon name="right" />
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="flows">
        <h2 id="flows">Flows</h2>
        <ExtraNote name="flow" what="Flows, matches and their runs" />
        {data.flows.length === 0 && data.runs_flows && (
          <div className={css.none}>
            <p>No flow yet: one brings data from pages to a table, every day.</p>
            <Button look="primary" icon="flow" onClick={() => go("/flows")}>
              Make a flow
            </Button>
          </div>
        )}
        <ul className={css.flows}>
          {data.flows.map((flow) => (
            <li key={flow.name}>
              <Link href={`/flows/${encodeURIComponent(flow.name)}`} className={css.flowName}>
                <strong className="clip">{flow.name}</strong>
                <small className="clip">{flow.about || `${flow.steps} steps`}</small>
              </Link>
              <span className={css.strip}>
                {[...flow.verdicts].reverse().map((one) => (
                  <Link
                    key={one.run}
                    href={`/history/${encodeURIComponent(flow.name)}/${encodeURIComponent(one.run)}`}
                    data-verdict={one.verdict ?? "notice"}
                    title={`${when(one.began)}: ${one.verdict ?? "not finished"}`}
                    aria-label={`Run ${when(one.began)}: ${one.verdict ?? "not finished"}`}
                  />
                ))}
              </span>
              <span className={css.figures}>
                {flow.last
                  ? `${flow.last.rows.toLocaleString("en")} rows, ${when(flow.last.began)}`
                  : "not run yet"}
              </span>
              <span className={css.figures}>{flow.due ? `due ${when(flow.due)}` : ""}</span>
              {flow.running ? (
                <VerdictChip verdict="notice">running</VerdictChip>
              ) : flow.problem ? (
                <VerdictChip verdict="suspicious" title={flow.problem}>
                  problem
                </VerdictChip>
              ) : flow.last?.verdict ? (
                <VerdictChip verdict={flow.last.verdict} />
              ) : (
                <span />
              )}
            </li>
          ))}
        </ul>
      </section>
      <div className={css.columns}>
        <section aria-labelledby="recent">
          <h2 id="recent">Go on with</h2>
          <ul className={css.links}>
            {data.recent.map((one) => (
              <li key={one.link}>
                <Link href={one.link}>
                  <Icon name={ICONS[one.kind] ?? "page"} />
                  <span className="clip">{one.name}</span>
                  <time>{when(one.changed)}</time>
                </Link>
              </li>
            ))}
            {data.recent.length === 0 && (
              <li>
                <Link href="/">
                  <Icon name="open" />
                  <span>Open a page</span>
                </Link>
              </li>
            )}
          </ul>
        </section>
        <Projects projects={data.projects} />
      </div>
    </div>
  );
}

function Projects({ projects }: { projects: Home["projects"] }) {
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (folder: string) => {
    try {
      await api("/projects/open", { body: { folder } });
      window.location.assign("/home"); // whatever was remembered belongs to the other project
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason.message);
    }
  };
  return (
    <section aria-labelledby="projects">
      <h2 id="projects">Projects</h2>
      {problem && <Complaint>{problem}</Complaint>}
      <ul className={css.links}>
        {projects.map((project) => (
          <li key={project.folder}>
            <button
              type="button"
              disabled={project.current}
              title={project.folder}
              onClick={() => open(project.folder)}
            >
              <Icon name="pages" />
              <span className="clip">{project.name}</span>
              <time>{project.current ? "open" : project.opened && when(project.opened)}</time>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
