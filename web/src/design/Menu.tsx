// A list of actions or choices that opens below its button; arrows move, Enter chooses, Escape closes.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "./controls";
import { Icon, type IconName } from "./Icon";
import css from "./Menu.module.css";

export interface MenuItem {
  label: string;
  icon?: IconName;
  hint?: string;
  checked?: boolean;
  disabled?: boolean;
  danger?: boolean;
  onSelect: () => void;
}

interface MenuProps {
  label: string;
  items: (MenuItem | "line")[];
  icon?: IconName;
  children?: ReactNode;
  look?: "plain" | "primary" | "ghost";
  className?: string;
  title?: string;
  align?: "left" | "right";
}

export function Menu({
  label,
  items,
  icon,
  children,
  look = "ghost",
  className,
  title,
  align = "right",
}: MenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    if (!open) return;
    list.current?.querySelector<HTMLElement>("[role^=menuitem]:not([disabled])")?.focus();
    const outside = (event: PointerEvent) => !root.current?.contains(event.target as Node) && setOpen(false);
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [open]);

  const close = () => {
    setOpen(false);
    root.current?.querySelector("button")?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]:not([disabled])") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown") all[(at + 1) % all.length]?.focus();
    else if (event.key === "ArrowUp") all[(at - 1 + all.length) % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className={css.menu} ref={root} onKeyDown={open ? onKey : undefined}>
      <Button
        look={look}
        {...(icon ? { icon } : {})}
        {...(className ? { className } : {})}
        aria-label={label}
        title={title ?? (children ? undefined : label)}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {children}
      </Button>
      {open && (
        <div className={css.list} data-align={align} role="menu" aria-label={label} id={id} ref={list}>
          {items.map((item, place) =>
            item === "line" ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name
              <hr key={`line ${place}`} className={css.line} />
            ) : (
              <button
                type="button"
                key={item.label}
                role={item.checked === undefined ? "menuitem" : "menuitemradio"}
                aria-checked={item.checked}
                disabled={item.disabled}
                className={css.item}
                data-danger={item.danger}
                onClick={() => {
                  setOpen(false);
                  item.onSelect();
                }}
              >
                {item.checked !== undefined ? (
                  <span className={css.tick}>{item.checked && <Icon name="tick" size={14} />}</span>
                ) : (
                  item.icon && <Icon name={item.icon} />
                )}
                <span className={css.label}>{item.label}</span>
                {item.hint && <span className={css.hint}>{item.hint}</span>}
              </button>
            ),
          )}
        </div>
      )}
    </div>
  );
}
