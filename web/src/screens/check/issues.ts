import type { RunState } from "../../api/types";

export interface IssueGroup {
  first: RunState["issues"][number];
  places: number[];
}

/** The same finding on several pages is one finding. */
export function groupIssues(issues: RunState["issues"]): IssueGroup[] {
  const groups = new Map<string, IssueGroup>();
  issues.forEach((issue, place) => {
    const key = [issue.severity, issue.check, issue.field, issue.reason].join("\n");
    const group = groups.get(key);
    if (group) group.places.push(place);
    else groups.set(key, { first: issue, places: [place] });
  });
  return [...groups.values()];
}
