// Flow: where rows come from, what is done to them, and where they go, as a drawing of the flow's file.
import { FlowEditor } from "./FlowEditor";
import { FlowStart } from "./FlowStart";

export default function FlowScreen({ name }: { name: string | null }) {
  return name ? <FlowEditor name={name} /> : <FlowStart />;
}
