// The edits of a script: each is saved before it is shown, and made from the version that the last one gave.
import { useRef, useState } from "react";
import { ApiError, api, path } from "../../api/client";
import { queryClient } from "../../api/queries";
import { type ScriptEdit, type ScriptState, scriptKey } from "../../api/recordings";
import { onlyGrew } from "./steps";

export interface Edits {
  problem: ApiError | null;
  send: (edit: ScriptEdit) => Promise<ScriptState | null>;
  clear: () => void;
}

export function useEdits(name: string): Edits {
  const [problem, setProblem] = useState<ApiError | null>(null);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const one = async (edit: ScriptEdit, again = false): Promise<ScriptState | null> => {
    // A recording changes the script as well; what came last is what is edited.
    const before = queryClient.getQueryData<ScriptState>(scriptKey(name));
    const version = before?.version ?? "";
    try {
      const next = await api<ScriptState>(path`/scripts/${name}/edits`, { body: edit, version });
      queryClient.setQueryData(scriptKey(name), next);
      setProblem(null);
      return next;
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      if (reason.code === "conflict") {
        await queryClient.refetchQueries({ queryKey: scriptKey(name) });
        const now = queryClient.getQueryData<ScriptState>(scriptKey(name));
        // What was recorded meanwhile stands behind the steps that were there, so the edit is about the same ones.
        if (!again && before && now && onlyGrew(before.steps, now.steps)) return one(edit, true);
      }
      setProblem(reason);
      return null;
    }
  };
  const send = (edit: ScriptEdit) => {
    const make = () => one(edit);
    const next = queue.current.then(make, make);
    queue.current = next;
    return next;
  };
  return { problem, send, clear: () => setProblem(null) };
}
