// The kinds of steps to choose from: a click adds one behind what is chosen, or it is dragged onto the canvas.
import { useState } from "react";
import type { FlowGroup, StepKind } from "../../api/flows";
import { TextField } from "../../design/controls";
import { Icon } from "../../design/Icon";
import { STEP_TYPE } from "./FlowCanvas";
import css from "./flow.module.css";
import { GROUP_ICONS } from "./StepNode";

const GROUPS: { group: FlowGroup; title: string }[] = [
  { group: "source", title: "Where rows come from" },
  { group: "combine", title: "Put together" },
  { group: "clean", title: "Bring to one form" },
  { group: "match", title: "Find in a catalogue" },
  { group: "check", title: "Let only good rows through" },
  { group: "deliver", title: "Deliver and tell" },
];

export function StepPalette({
  kinds,
  after,
  onAdd,
}: {
  kinds: StepKind[];
  after: string | null;
  onAdd: (word: string) => void;
}) {
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const matches = (kind: StepKind) =>
    `${kind.word} ${kind.title} ${kind.about}`.toLowerCase().includes(wanted);
  return (
    <div className={css.palette}>
      <TextField
        label="Find a kind of step"
        placeholder="Find a kind of step"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          const first = kinds.find(matches);
          if (event.key === "Enter" && first) onAdd(first.word);
        }}
      />
      <p className={css.note}>
        {after ? `Takes the rows of ${after}.` : "Choose a step first to add one behind it."}
      </p>
      {GROUPS.map(({ group, title }) => {
        const own = kinds.filter((kind) => kind.group === group && matches(kind));
        if (!own.length) return null;
        return (
          <section key={group} aria-label={title}>
            <h3>{title}</h3>
            {own.map((kind) => (
              <button
                key={kind.word}
                type="button"
                className={css.kind}
                data-word={kind.word}
                data-group={group}
                draggable
                title={kind.about}
                onDragStart={(event) => event.dataTransfer.setData(STEP_TYPE, kind.word)}
                onClick={() => onAdd(kind.word)}
              >
                <Icon name={GROUP_ICONS[group]} size={14} />
                <strong>{kind.word}</strong>
                <span className="clip">{kind.about}</span>
              </button>
            ))}
          </section>
        );
      })}
    </div>
  );
}
