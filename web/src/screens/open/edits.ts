// Edits of a result: each is saved at once; one that was made from an old version is refused and told.
import { useState } from "react";
import { ApiError, api, path } from "../../api/client";
import { queryClient, resultKey } from "../../api/queries";
import type { ResultEdit, ResultState } from "../../api/types";

export interface ResultEdits {
  problem: ApiError | null;
  send: (edit: ResultEdit) => Promise<void>;
  clear: () => void;
}

export function useResultEdits(
  page: string,
  key: string | null,
  state: ResultState | undefined,
): ResultEdits {
  const [problem, setProblem] = useState<ApiError | null>(null);
  const send = async (edit: ResultEdit) => {
    if (!key || !state) return;
    try {
      const version = queryClient.getQueryData<ResultState>(resultKey(page, key))?.version ?? state.version;
      const next = await api<ResultState>(path`/pages/${page}/results/${key}/edits`, { body: edit, version });
      queryClient.setQueryData(resultKey(page, key), next);
      setProblem(null);
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setProblem(reason);
      // The other's changes are shown, so that the edit can be made again on top of them.
      if (reason.code === "conflict") await queryClient.invalidateQueries({ queryKey: resultKey(page, key) });
    }
  };
  return { problem, send, clear: () => setProblem(null) };
}
