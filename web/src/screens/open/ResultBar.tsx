// The head of the panel: what was found, or the one that is chosen with what can be done with it.
import { useState } from "react";
import { useLocation } from "wouter";
import { ApiError, api, path } from "../../api/client";
import { useAbout } from "../../api/queries";
import type { LessonState, PageInfo, ResultInfo } from "../../api/types";
import { Button, IconButton } from "../../design/controls";
import { Menu } from "../../design/Menu";
import { useKeys } from "../../state/keys";
import { candidateName } from "./naming";

interface ResultBarProps {
  page: PageInfo;
  info: ResultInfo | null;
  summary: string | null;
  onAll: () => void;
}

export function ResultBar({ page, info, summary, onAll }: ResultBarProps) {
  const teach = useTeach(page, info);
  if (!info)
    return (
      <>
        <h2>{summary ?? "Looking …"}</h2>
        <span style={{ flex: 1 }} />
        <Button icon="teach" onClick={teach} title="Point at the values that you want">
          Teach
        </Button>
      </>
    );
  return (
    <>
      <IconButton icon="left" label="All candidates" keys="Backspace" onClick={onAll} />
      <h2 className="clip">{candidateName(info)}</h2>
      <span style={{ flex: 1 }} />
      {info.kind !== "content" && (
        <Button icon="teach" onClick={teach} title="Teach a wrapper that reads this from further pages">
          Make a wrapper
        </Button>
      )}
      <ExportMenu page={page} info={info} />
    </>
  );
}

function useTeach(page: PageInfo, info: ResultInfo | null): () => Promise<void> {
  const [, go] = useLocation();
  const [, setProblem] = useState<ApiError | null>(null);
  return async () => {
    try {
      const lesson = info
        ? await api<LessonState>(path`/pages/${page.id}/results/${info.key}/lesson`, { body: {} })
        : await api<LessonState>("/lessons", { body: { page: page.id } });
      go(`/teach/${encodeURIComponent(lesson.name)}?page=${page.id}`);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
    }
  };
}

function ExportMenu({ page, info }: { page: PageInfo; info: ResultInfo }) {
  const about = useAbout();
  const address = (format: string) =>
    `/api${path`/pages/${page.id}/results/${info.key}/export`}?format=${format}`;
  const save = (format: string) => window.location.assign(address(format));
  useKeys("Result", [{ keys: "e", label: "Export as Excel", run: () => save("xlsx") }]);
  return (
    <Menu
      label="Export"
      icon="download"
      look="primary"
      items={(about.data?.formats ?? []).map((format) => ({
        label: format.name,
        hint: `.${format.suffix.replace(/^\./, "")}`,
        disabled: !format.available,
        onSelect: () => save(format.suffix.replace(/^\./, "")),
      }))}
    >
      Export
    </Menu>
  );
}
