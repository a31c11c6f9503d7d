// One field for everything: screens, saved pages, lessons, wrappers, and the commands of the screen that is open.
import { useState } from "react";
import { useLocation } from "wouter";
import { useLessons, usePages, useRuns, useWrappers } from "../api/queries";
import { Icon, type IconName } from "../design/Icon";
import { useKeyMap } from "../state/keys";
import { Dialog } from "./Dialog";
import css from "./Dialog.module.css";
import { SCREENS } from "./screens";

interface Entry {
  id: string;
  label: string;
  kind: string;
  icon: IconName;
  run: () => void;
}

const SHOWN = 40;

export function Palette({ onClose }: { onClose: () => void }) {
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const entries = useEntries()
    .filter((entry) => fits(entry, words))
    .slice(0, SHOWN);
  const choose = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  return (
    <Dialog label="Find" onClose={onClose}>
      <input
        autoFocus
        className={css.search}
        placeholder="Find a page, a wrapper, a command …"
        aria-label="Find"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette"
        aria-activedescendant={entries[at] ? `palette ${at}` : undefined}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(at + 1, entries.length - 1));
          else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
          else if (event.key === "Enter") choose(entries[at]);
          else return;
          event.preventDefault();
        }}
      />
      <div className={css.list} role="listbox" id="palette" aria-label="Found">
        {entries.map((entry, place) => (
          <button
            type="button"
            key={entry.id}
            id={`palette ${place}`}
            role="option"
            aria-selected={place === at}
            tabIndex={-1}
            className={css.item}
            onPointerMove={() => setAt(place)}
            onClick={() => choose(entry)}
          >
            <Icon name={entry.icon} />
            <span className="clip">{entry.label}</span>
            <span className={css.kind}>{entry.kind}</span>
          </button>
        ))}
        {entries.length === 0 && <p className={css.none}>Nothing is called that.</p>}
      </div>
    </Dialog>
  );
}

function fits(entry: Entry, words: string): boolean {
  const text = `${entry.label} ${entry.kind}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function useEntries(): Entry[] {
  const [, go] = useLocation();
  const pages = usePages().data ?? [];
  const lessons = useLessons().data ?? [];
  const wrappers = useWrappers().data ?? [];
  const runs = useRuns().data ?? [];
  const commands = useKeyMap((state) => state.groups)
    .filter((group) => group.name !== "Everywhere")
    .flatMap((group) => group.bindings);
  return [
    ...SCREENS.map((screen) => ({
      id: `screen ${screen.path}`,
      label: screen.about,
      kind: screen.name,
      icon: screen.icon,
      run: () => go(screen.path),
    })),
    ...commands.map((binding) => ({
      id: `command ${binding.keys} ${binding.label}`,
      label: binding.label,
      kind: "command",
      icon: "keyboard" as const,
      run: () => binding.run(new KeyboardEvent("keydown")),
    })),
    ...pages.map((page) => ({
      id: `page ${page.id}`,
      label: page.title || page.source,
      kind: "page",
      icon: page.kind === "pdf" ? ("pdf" as const) : ("page" as const),
      run: () => go(`/pages/${page.id}`),
    })),
    ...lessons.map((lesson) => ({
      id: `lesson ${lesson.name}`,
      label: lesson.name,
      kind: "lesson",
      icon: "teach" as const,
      run: () => go(`/teach/${encodeURIComponent(lesson.name)}`),
    })),
    ...wrappers.map((wrapper) => ({
      id: `wrapper ${wrapper.name}`,
      label: wrapper.name,
      kind: "wrapper",
      icon: "induce" as const,
      run: () => go(`/wrappers/${encodeURIComponent(wrapper.name)}`),
    })),
    ...runs.map((run) => ({
      id: `run ${run.id}`,
      label: `${run.name}, ${new Date(run.began).toLocaleString()}`,
      kind: "run",
      icon: "check" as const,
      run: () => go(`/runs/${encodeURIComponent(run.id)}`),
    })),
  ];
}
