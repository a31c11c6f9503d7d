// A window over the screen for what is looked up, never for errors. Escape and a click beside it close it.
import { type ReactNode, useEffect, useRef } from "react";
import css from "./Dialog.module.css";

export function Dialog({
  label,
  onClose,
  children,
}: {
  label: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      className={css.dialog}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className={css.inside}>{children}</div>
    </dialog>
  );
}
