// The address bar: what is shown, where it came from, and what there is to say about it.
import { useLocation } from "wouter";
import { api, path } from "../../api/client";
import { queryClient } from "../../api/queries";
import type { PageInfo } from "../../api/types";
import { IconButton, VerdictChip } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { Menu } from "../../design/Menu";
import css from "./open.module.css";

export function PageBar({ page }: { page: PageInfo }) {
  const [, go] = useLocation();
  const remove = async () => {
    await api(path`/pages/${page.id}`, { method: "DELETE" });
    await queryClient.invalidateQueries({ queryKey: ["pages"] });
    go("/");
  };
  return (
    <>
      <IconButton icon="left" label="All pages" onClick={() => go("/")} />
      <Icon name={page.kind === "pdf" ? "pdf" : "page"} />
      <span className={css.address}>
        <strong className="clip">{page.title || "Untitled"}</strong>
        <span className="clip" title={page.url || page.source}>
          {page.url || page.source}
        </span>
      </span>
      <span style={{ flex: 1 }} />
      {page.wall && (
        <VerdictChip verdict="failed" title={page.wall}>
          wall
        </VerdictChip>
      )}
      {page.notes.length > 0 && (
        <VerdictChip verdict="notice" title={page.notes.join("\n")}>
          {page.notes.length === 1 ? "1 note" : `${page.notes.length} notes`}
        </VerdictChip>
      )}
      <Menu
        label="More about this page"
        icon="dots"
        items={[
          { label: "Try the methods on it (Lab)", icon: "lab", onSelect: () => go(`/lab/${page.id}`) },
          {
            label: "Download as .page",
            icon: "download",
            onSelect: () => window.location.assign(`/api/pages/${page.id}/download`),
          },
          "line",
          { label: "Remove from the project", icon: "trash", danger: true, onSelect: remove },
        ]}
      />
    </>
  );
}
