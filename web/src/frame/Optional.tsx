// Optional parts of Sightline: what is off on this machine, and the one command that turns it on.
import type { ReactNode } from "react";
import { useAbout } from "../api/queries";
import { Button } from "../design/controls";
import empty from "../screens/screens.module.css";
import css from "./Optional.module.css";

/** Shows its screen where the part is installed, and else how to install it. */
export function NeedsExtra({ name, what, children }: { name: string; what: string; children: ReactNode }) {
  const command = useCommand(name);
  if (!command) return children;
  return (
    <div className={empty.empty}>
      <h1>{what} need an optional part</h1>
      <p>It is not installed on this machine. Everything else in the Studio works without it.</p>
      <TurnOn command={command} />
    </div>
  );
}

/** A line for screens that work without the part, but show less. */
export function ExtraNote({ name, what }: { name: string; what: string }) {
  const command = useCommand(name);
  if (!command) return null;
  return (
    <div className={css.note}>
      <p>{what} are off: they need an optional part.</p>
      <TurnOn command={command} />
    </div>
  );
}

function TurnOn({ command }: { command: string }) {
  return (
    <>
      <p className={css.command}>
        <code>{command}</code>
        <Button
          look="ghost"
          onClick={() => void navigator.clipboard?.writeText(command).catch(() => undefined)}
        >
          Copy
        </Button>
      </p>
      <p className="quiet">Then start the Studio again.</p>
    </>
  );
}

/** The command that turns a part on; null if it is on, or nothing is known yet. */
function useCommand(name: string): string | null {
  const part = useAbout().data?.parts.find((one) => one.name === name);
  return part && !part.installed ? part.command : null;
}
