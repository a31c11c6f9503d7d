// The few controls of the Studio: buttons, fields, verdicts, and what is said when something fails.
import type { ButtonHTMLAttributes, InputHTMLAttributes, ReactNode, Ref } from "react";
import type { Verdict } from "../api/types";
import css from "./controls.module.css";
import { Icon, type IconName } from "./Icon";

const joined = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(" ");

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: "plain" | "primary" | "ghost" | "danger";
  icon?: IconName;
  keys?: string;
  pressed?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  look = "plain",
  icon,
  keys,
  pressed,
  children,
  className,
  ref,
  ...rest
}: ButtonProps) {
  const looks = { plain: "", primary: css.primary, ghost: css.ghost, danger: joined(css.ghost, css.danger) };
  const names = joined(css.button, looks[look], pressed && css.pressed, !children && css.icon, className);
  return (
    <button type="button" ref={ref} aria-pressed={pressed} {...rest} className={names}>
      {icon && <Icon name={icon} />}
      {children}
      {keys && <Kbd>{keys}</Kbd>}
    </button>
  );
}

/** A button that shows its icon alone; its name is read out and shown on hover. */
export function IconButton({ label, keys, ...rest }: ButtonProps & { label: string; icon: IconName }) {
  return <Button look="ghost" {...rest} aria-label={label} title={keys ? `${label}  (${keys})` : label} />;
}

export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className={css.kbd}>{children}</kbd>;
}

export type Severity = Verdict | "notice";

/** A verdict is always a word with its colour; with `onClick` it leads to its reasons. */
export function VerdictChip({
  verdict,
  children,
  onClick,
  title,
}: {
  verdict: Severity;
  children?: ReactNode;
  onClick?: () => void;
  title?: string;
}) {
  const names = joined(css.verdict, css[verdict]);
  if (!onClick)
    return (
      <span className={names} title={title}>
        {children ?? verdict}
      </span>
    );
  return (
    <button type="button" className={names} onClick={onClick} title={title}>
      {children ?? verdict}
    </button>
  );
}

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  ref?: Ref<HTMLInputElement>;
}

export function TextField({ label, className, ref, ...rest }: FieldProps) {
  return (
    <input
      aria-label={label}
      ref={ref}
      className={joined(css.field, className)}
      spellCheck={false}
      autoComplete="off"
      {...rest}
    />
  );
}

export function Select({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}) {
  return (
    <select
      aria-label={label}
      className={css.select}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

export function Switch({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <label className={css.switch}>
      <input
        type="checkbox"
        role="switch"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

/** What went wrong, where it went wrong, with the next step as a button. */
export function Complaint({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <div className={css.complaint} role="alert">
      <Icon name="warn" />
      <div>
        {children}
        {actions && <div className={css.actions}>{actions}</div>}
      </div>
    </div>
  );
}

export function Hint({
  children,
  actions,
  icon = "info",
}: {
  children: ReactNode;
  actions?: ReactNode;
  icon?: IconName;
}) {
  return (
    <div className={joined(css.complaint, css.hint)}>
      <Icon name={icon} />
      <div>
        {children}
        {actions && <div className={css.actions}>{actions}</div>}
      </div>
    </div>
  );
}

/** Work that goes on, in words. */
export function Busy({ children }: { children: ReactNode }) {
  return (
    <div className={css.busy} role="status">
      {children}
    </div>
  );
}
