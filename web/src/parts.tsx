// The parts of the Studio: each screen is fetched when it is first needed, or before, while nobody waits.
import { type ComponentType, lazy, useState } from "react";

interface Part<Props extends object> {
  fetch: () => Promise<unknown>;
  /** What shows it now: the screen itself once it is here, and before that one that waits for it. */
  shown: () => ComponentType<Props>;
}

function part<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>): Part<Props> {
  let ready: ComponentType<Props> | null = null;
  const fetch = () =>
    load().then((found) => {
      ready = found.default;
      return found;
    });
  const awaited = lazy(fetch) as unknown as ComponentType<Props>;
  return { fetch, shown: () => ready ?? awaited };
}

/** A screen that is fetched by itself. One that is here already is shown at once, without a word about waiting. */
export function Screen<Props extends object>({ part, props }: { part: Part<Props>; props: Props }) {
  const [Shown] = useState(part.shown); // the same one for as long as the screen is open
  return <Shown {...props} />;
}

export const PARTS = {
  home: part(() => import("./screens/home/HomeScreen")),
  record: part(() => import("./screens/record/RecordScreen")),
  teach: part(() => import("./screens/teach/TeachScreen")),
  induce: part(() => import("./screens/induce/InduceScreen")),
  check: part(() => import("./screens/check/CheckScreen")),
  flow: part(() => import("./screens/flow/FlowScreen")),
  match: part(() => import("./screens/match/MatchScreen")),
  history: part(() => import("./screens/history/HistoryScreen")),
  lab: part(() => import("./screens/lab/LabScreen")),
};

const OF_ADDRESS: Record<string, Pick<Part<object>, "fetch">> = {
  home: PARTS.home,
  record: PARTS.record,
  teach: PARTS.teach,
  induce: PARTS.induce,
  wrappers: PARTS.induce,
  check: PARTS.check,
  runs: PARTS.check,
  repairs: PARTS.check,
  flows: PARTS.flow,
  match: PARTS.match,
  history: PARTS.history,
  lab: PARTS.lab,
};

/** Fetch the part that an address needs; what cannot be fetched is told when the screen is shown. */
export async function fetchPart(path: string): Promise<void> {
  await OF_ADDRESS[path.split("/")[1] ?? ""]?.fetch().catch(() => undefined);
}

/** Fetch all parts, one after the other, so that no screen has to be waited for. */
export async function fetchOthers(): Promise<void> {
  for (const one of new Set(Object.values(OF_ADDRESS))) await one.fetch().catch(() => undefined);
}
