import { expect, it } from "vitest";
import type { RunState } from "../../api/types";
import { groupIssues } from "./issues";

const issue = (reason: string, source: string): RunState["issues"][number] => ({
  check: "count",
  severity: "suspicious",
  field: null,
  source,
  page: source,
  reason,
  boxes: [],
});

it("says the same finding once, with all its pages in order", () => {
  const groups = groupIssues([issue("nothing.", "a"), issue("too few.", "a"), issue("nothing.", "b")]);
  expect(groups.map((group) => [group.first.reason, group.places])).toEqual([
    ["nothing.", [0, 2]],
    ["too few.", [1]],
  ]);
});
