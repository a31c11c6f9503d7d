// The files of the project that flows read: catalogues, rates, price lists.
import { useRef, useState } from "react";
import { ApiError, api, path } from "../../api/client";
import { type DataFile, uploadFile, useFiles } from "../../api/flows";
import { queryClient } from "../../api/queries";
import { Button, Complaint, IconButton } from "../../design/controls";
import { Fold } from "../../frame/Workbench";
import css from "./flow.module.css";

export function FilesFold() {
  const files = useFiles();
  const chooser = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const doing = async (work: () => Promise<unknown>) => {
    try {
      await work();
      setProblem(null);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason.message);
    }
  };
  const bring = (chosen: FileList | null) =>
    doing(async () => {
      for (const file of chosen ?? []) await uploadFile(file);
    });
  const remove = (name: string) =>
    doing(async () => {
      await api(path`/files/${name}`, { method: "DELETE" });
      await queryClient.invalidateQueries({ queryKey: ["files"] });
    });
  return (
    <Fold title={`Files (${files.data?.length ?? 0})`}>
      <ul className={css.files}>
        {files.data?.map((file) => (
          <li key={file.name}>
            <span className="clip" title={file.columns?.join(", ")}>
              {file.name}
            </span>
            <small>{sizeOf(file)}</small>
            <IconButton icon="trash" label={`Delete ${file.name}`} onClick={() => remove(file.name)} />
          </li>
        ))}
      </ul>
      {problem && <Complaint>{problem}</Complaint>}
      <Button look="ghost" icon="upload" onClick={() => chooser.current?.click()}>
        Bring files
      </Button>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label="Files of the project"
        onChange={(event) => bring(event.target.files)}
      />
    </Fold>
  );
}

function sizeOf(file: DataFile): string {
  if (file.rows !== null) return `${file.rows.toLocaleString("en")} rows`;
  return file.bytes < 1_000_000
    ? `${Math.ceil(file.bytes / 1000)} kB`
    : `${(file.bytes / 1e6).toFixed(1)} MB`;
}
