import { Kbd } from "../design/controls";
import { keyName, useKeyMap } from "../state/keys";
import { Dialog } from "./Dialog";
import css from "./Dialog.module.css";

export function KeyMap({ onClose }: { onClose: () => void }) {
  const groups = useKeyMap((state) => state.groups).filter((group) => group.bindings.length > 0);
  return (
    <Dialog label="Keys" onClose={onClose}>
      <div className={css.keys}>
        {groups.map((group) => (
          <section key={group.name}>
            <h3>{group.name}</h3>
            {group.bindings.map((binding) => (
              <div key={binding.keys}>
                <span>{binding.label}</span>
                <Kbd>{keyName(binding.keys)}</Kbd>
              </div>
            ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}
