// The file itself, to read and to write by hand; what cannot be read is said with its line.
import { useEffect, useRef, useState } from "react";
import type { FlowEdit, FlowState } from "../../api/flows";
import { Button, Complaint } from "../../design/controls";
import css from "./flow.module.css";

const LINE_HEIGHT = 18;

export function YamlPane({
  flow,
  line,
  onEdit,
}: {
  flow: FlowState;
  line: number | null;
  onEdit: (edit: FlowEdit) => Promise<FlowState | null>;
}) {
  const [text, setText] = useState(flow.text);
  const [base, setBase] = useState(flow.text); // what was there when somebody began to type
  const area = useRef<HTMLTextAreaElement>(null);
  if (flow.text !== base && text === base) {
    setText(flow.text);
    setBase(flow.text);
  }
  useEffect(() => {
    if (line && area.current) area.current.scrollTop = (line - 2) * LINE_HEIGHT;
  }, [line]);
  const changed = text !== flow.text;
  const isStale = flow.text !== base && changed;
  const save = async () => {
    if (changed && (await onEdit({ action: "text", text }))) setBase(text);
  };
  const discard = () => {
    setText(flow.text);
    setBase(flow.text);
  };
  return (
    <div className={css.yaml}>
      {flow.problems.slice(0, 3).map((problem) => (
        <Complaint key={problem.message}>
          {problem.line ? `Line ${problem.line}: ` : ""}
          {problem.message}
        </Complaint>
      ))}
      <textarea
        ref={area}
        aria-label="The file of the flow"
        value={text}
        spellCheck={false}
        wrap="off"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            save();
          }
        }}
      />
      {isStale && (
        <Complaint>
          The flow was changed elsewhere since you began to type. Saving your text takes that change back;
          under Versions it can be seen and brought back.
        </Complaint>
      )}
      {changed && (
        <div className={css.row}>
          <Button look="primary" icon="save" onClick={save}>
            {isStale ? "Save over it" : "Save the text"}
          </Button>
          <Button onClick={discard}>Discard</Button>
        </div>
      )}
    </div>
  );
}
