// Choosing pages of the project for some work, or opening further ones for it.
import { type DragEvent, useRef, useState } from "react";
import { usePages } from "../api/queries";
import { Busy, Button, Complaint } from "../design/controls";
import { Icon } from "../design/Icon";
import { droppedFiles } from "../screens/open/dropped";
import { useOpener } from "../screens/open/opening";
import { Problems } from "../screens/open/StartScreen";
import css from "./PagePicker.module.css";

interface PagePickerProps {
  chosen: string[];
  onChange: (chosen: string[]) => void;
  about: string;
}

export function PagePicker({ chosen, onChange, about }: PagePickerProps) {
  const pages = usePages();
  const chooser = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement | null>(null);
  const [over, setOver] = useState(false);
  const opener = useOpener((opened) => onChange([...new Set([...chosen, ...opened.map((page) => page.id)])]));
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = await droppedFiles(event.dataTransfer);
    if (files.length) opener.files(files);
  };
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <div
      className={css.picker}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className={css.head}>
        <span>{about}</span>
        <span className={css.choosers}>
          <Button icon="upload" disabled={opener.busy !== null} onClick={() => chooser.current?.click()}>
            Files
          </Button>
          <Button icon="pages" disabled={opener.busy !== null} onClick={() => folder.current?.click()}>
            Folder
          </Button>
        </span>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label="Files to open"
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            event.target.value = "";
            if (files.length) opener.files(files);
          }}
        />
        <input
          // React does not know this attribute, which every browser does.
          ref={(input) => {
            folder.current = input;
            input?.setAttribute("webkitdirectory", "");
          }}
          type="file"
          hidden
          aria-label="Folder to open"
          onChange={(event) => {
            const files = [...(event.target.files ?? [])].filter((file) => !file.name.startsWith("."));
            event.target.value = "";
            if (files.length) opener.files(files);
          }}
        />
      </div>
      {opener.busy && <Busy>{opener.busy} …</Busy>}
      <Problems opener={opener} />
      {pages.error && <Complaint>{pages.error.message}</Complaint>}
      <ul className={css.pages}>
        {pages.data?.map((page) => (
          <li key={page.id}>
            <label className={css.page}>
              <input type="checkbox" checked={chosen.includes(page.id)} onChange={() => toggle(page.id)} />
              <Icon name={page.kind === "pdf" ? "pdf" : "page"} />
              <strong className="clip">{page.title || page.source}</strong>
              <span className="clip" title={page.source}>
                {page.source}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {pages.data?.length === 0 && !opener.busy && <p className={css.none}>Drop pages or a folder here.</p>}
    </div>
  );
}
