// Check: a wrapper over many pages, what came of it, and the repair after a redesign.
import { RepairScreen } from "./RepairScreen";
import { RunScreen } from "./RunScreen";
import { RunStart } from "./RunStart";

export default function CheckScreen({ run, repair }: { run: string | null; repair: string | null }) {
  if (run) return <RunScreen id={run} />;
  if (repair) return <RepairScreen id={repair} />;
  return <RunStart />;
}
