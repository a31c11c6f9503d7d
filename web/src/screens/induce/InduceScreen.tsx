// Induce: pages of one kind become a wrapper, without examples; or a wrapper that was made before is looked at.
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError, api } from "../../api/client";
import { follow } from "../../api/jobs";
import { queryClient, useExamples, useWrappers } from "../../api/queries";
import type { Job } from "../../api/types";
import { Busy, Button, Complaint, Switch, VerdictChip } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { PagePicker } from "../../frame/PagePicker";
import { useQueryParam } from "../../state/useQueryParam";
import { useOpener } from "../open/opening";
import css from "../teach/teach.module.css";
import { WrapperScreen } from "./WrapperScreen";

export default function InduceScreen({ name }: { name: string | null }) {
  return name ? <WrapperScreen name={name} /> : <InduceStart />;
}

function InduceStart() {
  const [, go] = useLocation();
  const wrappers = useWrappers();
  const several = useExamples().data?.filter((example) => example.kind === "pages") ?? [];
  const [given] = useQueryParam("pages");
  const [chosen, setChosen] = useState<string[]>(() => given?.split(",").filter(Boolean) ?? []);
  const [allFields, setAllFields] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const induce = async (pages: string[]) => {
    setBusy(true);
    setProblem(null);
    try {
      const job = await api<Job<{ wrapper: string }>>("/inductions", {
        body: { pages, all_fields: allFields },
      });
      const { wrapper } = await follow(job);
      await queryClient.invalidateQueries({ queryKey: ["wrappers"] });
      go(`/wrappers/${encodeURIComponent(wrapper)}`);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
    } finally {
      setBusy(false);
    }
  };
  const opener = useOpener((pages) => {
    const ids = pages.map((page) => page.id);
    setChosen(ids);
    induce(ids);
  });
  return (
    <div className={css.list}>
      <h1>Learn from pages alone</h1>
      <p className="quiet">
        Choose two or more pages of one kind, such as the products of a shop. What they share is the template;
        what differs is the data.
      </p>
      <section>
        <PagePicker chosen={chosen} onChange={setChosen} about="Pages of one kind; five to ten are good" />
        <div className={css.begin}>
          <Button
            look="primary"
            icon="induce"
            disabled={chosen.length < 2 || busy}
            onClick={() => induce(chosen)}
          >
            {chosen.length < 2 ? "Choose at least two pages" : `Learn from ${chosen.length} pages`}
          </Button>
          <Switch checked={allFields} onChange={setAllFields}>
            Also menus and related things
          </Switch>
        </div>
        {(busy || opener.busy) && <Busy>{opener.busy ? `${opener.busy} …` : "Comparing the pages …"}</Busy>}
        {problem && <Complaint>{problem.message}</Complaint>}
        {opener.problem && <Complaint>{opener.problem.message}</Complaint>}
      </section>
      {several.length > 0 && (
        <section>
          <h2>Try an example</h2>
          <div className={css.begin}>
            {several.map((example) => (
              <Button
                key={example.name}
                icon="pages"
                disabled={busy || opener.busy !== null}
                title={example.about}
                onClick={() => opener.example(example.name, example.title)}
              >
                {example.title}
              </Button>
            ))}
          </div>
        </section>
      )}
      {!!wrappers.data?.length && (
        <section>
          <h2>Wrappers of this project</h2>
          <ul className={css.rows}>
            {wrappers.data.map((wrapper) => (
              <li key={wrapper.name}>
                <Link href={`/wrappers/${encodeURIComponent(wrapper.name)}`} className={css.rowLink}>
                  <Icon name={wrapper.learned === "by examples" ? "teach" : "induce"} />
                  <strong className="clip">{wrapper.name}</strong>
                  <span className="clip">{wrapper.fields.join(", ")}</span>
                  <VerdictChip verdict={wrapper.verdict} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
