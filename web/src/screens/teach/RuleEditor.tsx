// A rule as its conditions, each a chip that can be taken out, with others to add that hold for the examples.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, path } from "../../api/client";
import type { Completion, Condition, LessonField, LessonState, RuleInfo } from "../../api/types";
import { Button, TextField } from "../../design/controls";
import { Icon } from "../../design/Icon";
import type { LessonSteps } from "./lesson";
import css from "./teach.module.css";

interface RuleEditorProps {
  lesson: LessonState;
  field: LessonField;
  steps: LessonSteps;
}

const plain = ({ way, test, value, not }: Condition) => ({ way, test, value, not });

export function RuleEditor({ lesson, field, steps }: RuleEditorProps) {
  const [adding, setAdding] = useState<number | null>(null);
  const save = (rules: RuleInfo[]) => {
    setAdding(null);
    const kept = rules.filter((rule) => rule.conditions.length > 0);
    if (!kept.length) return;
    steps.send({
      action: "rule",
      field: field.name,
      rules: kept.map((rule) => ({ if: rule.conditions.map(plain), pick: rule.pick })),
    });
  };
  const change = (place: number, conditions: Condition[]) =>
    save(field.rules.map((rule, at) => (at === place ? { ...rule, conditions } : rule)));
  return (
    <div className={css.rules}>
      {field.rules.map((rule, place) => (
        <div key={rule.words} className={css.rule}>
          <span className="quiet">
            {place > 0 ? "failing that," : rule.conditions.length ? "It is" : "It is the whole record"}
          </span>
          {rule.conditions.map((condition) => (
            <span key={condition.words} className={css.condition}>
              {condition.words}
              {rule.conditions.length > 1 && (
                <button
                  type="button"
                  aria-label={`Take out: ${condition.words}`}
                  onClick={() =>
                    change(
                      place,
                      rule.conditions.filter((other) => other !== condition),
                    )
                  }
                >
                  <Icon name="cross" size={10} />
                </button>
              )}
            </span>
          ))}
          <button
            type="button"
            className={css.conditionAdd}
            aria-expanded={adding === place}
            onClick={() => setAdding(adding === place ? null : place)}
          >
            <Icon name="plus" size={12} /> condition
          </button>
          {place > 0 && (
            <Button
              look="ghost"
              aria-label="Take out this alternative"
              icon="trash"
              onClick={() => save(field.rules.filter((_, at) => at !== place))}
            />
          )}
          {adding === place && (
            <Completions
              lesson={lesson}
              field={field}
              taken={rule.conditions}
              onChoose={(condition) => change(place, [...rule.conditions, condition])}
            />
          )}
        </div>
      ))}
    </div>
  );
}

interface CompletionsProps {
  lesson: LessonState;
  field: LessonField;
  taken: Condition[];
  onChoose: (condition: Condition) => void;
}

function Completions({ lesson, field, taken, onChoose }: CompletionsProps) {
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const all = useQuery({
    queryKey: ["completions", lesson.name, lesson.version, field.name, lesson.page],
    queryFn: () =>
      api<Completion[]>(
        `${path`/lessons/${lesson.name}/completions`}?field=${encodeURIComponent(field.name)}&page=${lesson.page}`,
      ),
  });
  const used = new Set(taken.map((condition) => condition.words));
  const fitting = (all.data ?? [])
    .filter((one) => !used.has(one.words) && one.words.toLowerCase().includes(words.toLowerCase()))
    .slice(0, 30);
  return (
    <div className={css.completions}>
      <TextField
        label="A condition"
        placeholder="of class, in the column, after …"
        autoFocus
        value={words}
        role="combobox"
        aria-expanded="true"
        aria-controls="completions"
        onChange={(event) => {
          setWords(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(at + 1, fitting.length - 1));
          else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
          else if (event.key === "Enter" && fitting[at]) onChoose(fitting[at].condition);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <ul id="completions" role="listbox" aria-label="Conditions that hold">
        {fitting.map((one, place) => (
          <li key={one.words} role="option" aria-selected={place === at}>
            <button type="button" tabIndex={-1} onClick={() => onChoose(one.condition)}>
              <span className="clip">{one.words}</span>
              <span className="quiet">
                {one.matches} {one.keeps_examples ? "" : "· loses an example"}
              </span>
            </button>
          </li>
        ))}
        {all.isPending && <li className="quiet">Looking …</li>}
        {all.data && fitting.length === 0 && (
          <li className="quiet">No condition that holds is called that.</li>
        )}
      </ul>
    </div>
  );
}
