// The first screen: paste, drop, or try an example; below it, what was opened before.
import { type DragEvent, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { useAbout, useExamples, usePages } from "../../api/queries";
import type { PageInfo } from "../../api/types";
import { Busy, Button, Complaint, Hint, TextField } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { useKeys } from "../../state/keys";
import { droppedFiles } from "./dropped";
import { type Opener, useOpener } from "./opening";
import css from "./StartScreen.module.css";

export function StartScreen() {
  const opener = useOpener();
  const pages = usePages();
  const about = useAbout();
  const [over, setOver] = useState(false);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const address = event.dataTransfer.getData("text/uri-list").split("\n")[0];
    const files = await droppedFiles(event.dataTransfer);
    if (files.length) opener.files(files);
    else if (address) opener.address(address);
  };
  return (
    <div
      className={css.start}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) =>
        !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)
      }
      onDrop={drop}
    >
      <div className={css.column}>
        <h1 className={css.title}>What do you want as data?</h1>
        <p className={css.about}>
          Open a web page or a PDF. Sightline finds what it is about, and its tables, lists and text.
        </p>
        <OpenForm opener={opener} />
        {opener.busy && <Busy>{opener.busy} …</Busy>}
        <Problems opener={opener} />
        {about.data && !about.data.browser.available && <Hint>{about.data.browser.words}</Hint>}
        {over && <p className={css.dropHint}>Drop to open</p>}
        <Examples opener={opener} />
        {pages.data && pages.data.length > 0 && <Recent pages={pages.data} />}
        {pages.error && <Complaint>{pages.error.message}</Complaint>}
      </div>
    </div>
  );
}

function OpenForm({ opener }: { opener: Opener }) {
  const field = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  useKeys("Start", [
    { keys: "o", label: "Choose files to open", run: () => chooser.current?.click() },
    { keys: "/", label: "Type an address", run: () => field.current?.focus() },
  ]);
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        const source = field.current!.value.trim();
        if (source) opener.address(withScheme(source));
      }}
    >
      <Icon name="link" />
      <TextField
        label="Address of a page"
        ref={field}
        placeholder="Paste an address, or drop files anywhere"
        autoFocus
        type="text"
        inputMode="url"
        className={css.address ?? ""}
      />
      <Button look="primary" type="submit" disabled={opener.busy !== null}>
        Open
      </Button>
      <Button icon="upload" onClick={() => chooser.current?.click()} disabled={opener.busy !== null}>
        Files
      </Button>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label="Files to open"
        accept=".html,.htm,.xhtml,.mhtml,.mht,.pdf,.warc,.gz,.page"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = "";
          if (files.length) opener.files(files);
        }}
      />
    </form>
  );
}

/** People leave out the scheme; https is what they mean. */
export function withScheme(source: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.test(source) ? source : `https://${source}`;
}

export function Problems({ opener }: { opener: Opener }) {
  const [, go] = useLocation();
  if (!opener.problem && !opener.problems.length) return null;
  return (
    <Complaint
      actions={
        <>
          {opener.problem?.problem.page && (
            <Button icon="eye" onClick={() => go(`/pages/${opener.problem?.problem.page}`)}>
              Look at what the site showed
            </Button>
          )}
          <Button onClick={opener.clear}>Close</Button>
        </>
      }
    >
      {opener.problem && <p>{opener.problem.message}</p>}
      {opener.problems.map((problem) => (
        <p key={problem.file}>
          <strong>{problem.file}</strong>: {problem.detail}
        </p>
      ))}
    </Complaint>
  );
}

function Examples({ opener }: { opener: Opener }) {
  const examples = useExamples();
  if (!examples.data?.length) return null;
  return (
    <section>
      <h2 className={css.heading}>Try an example</h2>
      <ul className={css.examples}>
        {examples.data.map((example) => (
          <li key={example.name}>
            <button
              type="button"
              className={css.example}
              disabled={opener.busy !== null}
              onClick={() => opener.example(example.name, example.title)}
            >
              <Icon name={example.kind === "pdf" ? "pdf" : example.kind === "pages" ? "pages" : "page"} />
              <span>
                <strong>{example.title}</strong>
                <span>{example.about}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const KINDS = { rendered: "web page", static: "page without layout", pdf: "PDF" } as const;

function Recent({ pages }: { pages: PageInfo[] }) {
  return (
    <section>
      <h2 className={css.heading}>Opened before</h2>
      <ul className={css.recent}>
        {pages.slice(0, 60).map((page) => (
          <li key={page.id}>
            <Link href={`/pages/${page.id}`} className={css.card}>
              <span className={css.thumb}>
                {page.pictures.length > 0 ? (
                  <img src={`/api/pages/${page.id}/pictures/0`} alt="" loading="lazy" />
                ) : (
                  <Icon name="page" size={24} />
                )}
              </span>
              <span className={css.cardText}>
                <strong className="clip">{page.title || page.source}</strong>
                <span className="clip" title={page.source}>
                  {KINDS[page.kind]}
                  {page.sheets.length > 1 && `, ${page.sheets.length} sheets`} · {page.source}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
