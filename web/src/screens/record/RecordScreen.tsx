// Record: the scripts of the project, or the one that is open, beside the live browser that writes it.
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError } from "../../api/client";
import { queryClient } from "../../api/queries";
import { begin, useScripts } from "../../api/recordings";
import { Busy, Button, Complaint, TextField } from "../../design/controls";
import { Icon } from "../../design/Icon";
import css from "./record.module.css";
import { ScriptScreen } from "./ScriptScreen";

export default function RecordScreen({ name }: { name: string | null }) {
  return name ? <ScriptScreen name={name} /> : <ScriptList />;
}

function ScriptList() {
  const [, go] = useLocation();
  const scripts = useScripts();
  const [url, setUrl] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiError | null>(null);
  const start = async (wanted: { url?: string; practice?: boolean }) => {
    setBusy(true);
    try {
      const live = await begin(wanted);
      await queryClient.invalidateQueries({ queryKey: ["scripts"] });
      go(`/record/${encodeURIComponent(live.script)}`);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
      setBusy(false);
    }
  };
  if (scripts.isPending) return <Busy>Looking for scripts …</Busy>;
  return (
    <div className={css.list}>
      <h1>Record the way to the data</h1>
      <p className="quiet">
        Work in a live browser: log in, search, click next. Every step is written down in words, to be
        replayed whenever the data is needed. Passwords are never written down.
      </p>
      <form
        className={css.start}
        onSubmit={(event) => {
          event.preventDefault();
          if (url.trim()) start({ url: url.trim() });
        }}
      >
        <Icon name="record" />
        <TextField
          label="Address to begin with"
          className={css.startAddress}
          placeholder="https://"
          autoFocus
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Button type="submit" look="primary" disabled={busy || !url.trim()}>
          {busy ? "Opening …" : "Record"}
        </Button>
      </form>
      {problem && <Complaint>{problem.message}</Complaint>}
      {scripts.error && <Complaint>{scripts.error.message}</Complaint>}
      <section>
        <h2>No site at hand?</h2>
        <button
          type="button"
          className={css.example}
          disabled={busy}
          onClick={() => start({ practice: true })}
        >
          <Icon name="list" />
          <span>
            <strong>Practise on a camera shop</strong>
            <span className="quiet">
              Ten cameras with a page for some of them, served from this machine. No internet is needed.
            </span>
          </span>
        </button>
      </section>
      {!!scripts.data?.length && (
        <section>
          <h2>Scripts</h2>
          <ul className={css.rows}>
            {scripts.data.map((script) => (
              <li key={script.name}>
                <Link href={`/record/${encodeURIComponent(script.name)}`} className={css.rowLink}>
                  <Icon name={script.problem ? "warn" : "record"} />
                  <strong className="clip">{script.name}</strong>
                  <span className="clip">{script.problem ?? script.about}</span>
                  <span>
                    {script.steps === 1 ? "1 step" : `${script.steps} steps`}
                    {script.doubts > 0 && `, ${script.doubts} doubtful`}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
