// What is shown if a screen itself fails: what happened, and the way on. Nothing is lost, since every edit is saved.
import { Component, type ReactNode } from "react";
import { Button, Complaint } from "../design/controls";

export class Boundary extends Component<{ children: ReactNode; place: string }, { problem: Error | null }> {
  override state: { problem: Error | null } = { problem: null };

  static getDerivedStateFromError(problem: Error) {
    return { problem };
  }

  override componentDidUpdate(before: { place: string }) {
    if (before.place !== this.props.place && this.state.problem) this.setState({ problem: null });
  }

  override render() {
    if (!this.state.problem) return this.props.children;
    return (
      <div style={{ flex: 1, padding: 24 }}>
        <Complaint actions={<Button onClick={() => window.location.reload()}>Load it again</Button>}>
          This screen failed ({this.state.problem.message}). What you did is saved; load the screen again.
        </Complaint>
      </div>
    );
  }
}
