// Runs: what each run of a flow gave, how figures went from run to run, and where each value was seen.
import { FlowHistory } from "./FlowHistory";
import { HistoryStart } from "./HistoryStart";
import { RunPage } from "./RunPage";

export default function HistoryScreen({ flow, run }: { flow: string | null; run: string | null }) {
  if (!flow) return <HistoryStart />;
  return run ? <RunPage flow={flow} run={run} /> : <FlowHistory flow={flow} />;
}
