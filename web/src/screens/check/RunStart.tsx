// Choose a wrapper and pages, run it; below are the runs made before.
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError, api } from "../../api/client";
import { follow } from "../../api/jobs";
import { queryClient, useRuns, useWrappers } from "../../api/queries";
import type { Job, Verdict } from "../../api/types";
import { Busy, Button, Complaint, Select, VerdictChip } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { PagePicker } from "../../frame/PagePicker";
import { useQueryParam } from "../../state/useQueryParam";
import screens from "../screens.module.css";
import css from "../teach/teach.module.css";

interface ReadPage {
  page: string | null;
  source: string;
  verdict: Verdict;
}

export function RunStart() {
  const [, go] = useLocation();
  const wrappers = useWrappers();
  const runs = useRuns();
  const [wanted, setWanted] = useQueryParam("wrapper");
  const [given] = useQueryParam("pages");
  const [pages, setPages] = useState<string[]>(() => given?.split(",").filter(Boolean) ?? []);
  const [addresses, setAddresses] = useState("");
  const [read, setRead] = useState<ReadPage[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const wrapper = wrappers.data?.find((one) => one.name === wanted) ?? wrappers.data?.[0];
  const sources = addresses.split(/\s+/).filter(Boolean);
  const count = pages.length + sources.length;

  const run = async () => {
    if (!wrapper) return;
    setBusy(true);
    setProblem(null);
    setRead([]);
    try {
      const job = await api<Job<{ run: string }>>("/runs", {
        body: { wrapper: wrapper.name, pages, sources },
      });
      const done = await follow(job, (found) => setRead((old) => [...old, found as ReadPage]));
      await queryClient.invalidateQueries({ queryKey: ["runs"] });
      go(`/runs/${encodeURIComponent(done.run)}`);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
    } finally {
      setBusy(false);
    }
  };

  if (wrappers.isPending) return <Busy>Looking for wrappers …</Busy>;
  if (!wrapper)
    return (
      <div className={screens.empty}>
        <h1>There is no wrapper to check yet.</h1>
        <p>Teach one by pointing at values, or learn one from several pages.</p>
        <div className={screens.actions}>
          <Button look="primary" icon="teach" onClick={() => go("/teach")}>
            Teach
          </Button>
          <Button icon="induce" onClick={() => go("/induce")}>
            Induce
          </Button>
        </div>
      </div>
    );
  return (
    <div className={css.list}>
      <h1>Run a wrapper and check it</h1>
      <p className="quiet">
        Every page gets a verdict with its reasons, and every reason has its place on the page.
      </p>
      <section>
        <div className={css.begin}>
          <Select
            label="Wrapper"
            value={wrapper.name}
            options={wrappers.data!.map((one) => ({ value: one.name, label: one.name }))}
            onChange={setWanted}
          />
          <span className="quiet clip">{wrapper.fields.join(", ")}</span>
        </div>
        <div className={css.gap}>
          <PagePicker chosen={pages} onChange={setPages} about="Pages to read" />
        </div>
        <textarea
          className={css.addresses}
          aria-label="Addresses to open and read, one a line"
          placeholder="And addresses, one a line"
          rows={2}
          value={addresses}
          onChange={(event) => setAddresses(event.target.value)}
        />
        <div className={css.begin}>
          <Button look="primary" icon="play" disabled={!count || busy} onClick={run}>
            {count ? `Run over ${count === 1 ? "1 page" : `${count} pages`}` : "Choose pages"}
          </Button>
        </div>
        {busy && <Busy>Reading the pages …</Busy>}
        {problem && <Complaint>{problem.message}</Complaint>}
        {read.map((one) => (
          <p key={one.source} className={css.readPage}>
            <VerdictChip verdict={one.verdict} /> <span className="clip">{one.source}</span>
          </p>
        ))}
      </section>
      {!!runs.data?.length && (
        <section>
          <h2>Runs</h2>
          <ul className={css.rows}>
            {runs.data.map((one) => (
              <li key={one.id}>
                <Link href={`/runs/${encodeURIComponent(one.id)}`} className={css.rowLink}>
                  <Icon name="check" />
                  <strong className="clip">{one.name}</strong>
                  <span className="clip">
                    {new Date(one.began).toLocaleString()} · {one.sources} pages · {one.rows} rows
                  </span>
                  <VerdictChip verdict={one.verdict} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
