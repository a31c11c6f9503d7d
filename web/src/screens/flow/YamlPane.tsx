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
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => setText(flow.text), [flow.text]);
  useEffect(() => {
    if (line && area.current) area.current.scrollTop = (line - 2) * LINE_HEIGHT;
  }, [line]);
  const changed = text !== flow.text;
  const save = () => changed && onEdit({ action: "text", text });
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
      {changed && (
        <div className={css.row}>
          <Button look="primary" icon="save" onClick={save}>
            Save the text
          </Button>
          <Button onClick={() => setText(flow.text)}>Leave it as it was</Button>
        </div>
      )}
    </div>
  );
}
