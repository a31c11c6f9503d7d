// The frame of all screens: the rail at the left, the screen, and the status bar below.
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import { useAbout } from "../api/queries";
import { IconButton } from "../design/controls";
import { Icon } from "../design/Icon";
import { useUndo } from "../state/history";
import { useKeys } from "../state/keys";
import { useTheme } from "../state/theme";
import { Boundary } from "./Boundary";
import css from "./Frame.module.css";
import { KeyMap } from "./KeyMap";
import { Palette } from "./Palette";
import { StatusBar } from "./StatusBar";
import { isCurrent, SCREENS } from "./screens";

export function Frame({ children }: { children: ReactNode }) {
  const [location, go] = useLocation();
  const [showsKeys, setShowsKeys] = useState(false);
  const [showsPalette, setShowsPalette] = useState(false);
  const about = useAbout();
  const theme = useTheme();
  const undo = () => useUndo.getState().current?.undo();
  const redo = () => useUndo.getState().current?.redo();

  useKeys("Everywhere", [
    { keys: "?", label: "Show this map of keys", run: () => setShowsKeys(true) },
    {
      keys: "mod+k",
      label: "Find a command, page or wrapper",
      run: () => setShowsPalette(true),
      always: true,
    },
    { keys: "mod+z", label: "Undo", run: undo },
    { keys: "u", label: "Undo", run: undo },
    { keys: "mod+shift+z", label: "Redo", run: redo },
    { keys: "mod+y", label: "Redo", run: redo },
    ...SCREENS.slice(0, 9).map((screen, place) => ({
      keys: String(place + 1),
      label: screen.name,
      run: () => go(screen.path),
    })),
  ]);

  return (
    <div className={css.frame}>
      <nav className={css.rail} aria-label="Screens">
        <Link href="/home" className={css.logo} aria-label="Sightline Studio">
          <img src="/favicon.svg" alt="" width={28} height={28} />
        </Link>
        {SCREENS.map((screen) => (
          <Link
            key={screen.path}
            href={screen.path}
            className={css.screen}
            title={screen.about}
            aria-current={isCurrent(screen, location) ? "page" : undefined}
          >
            <Icon name={screen.icon} size={20} />
            <span>{screen.name}</span>
          </Link>
        ))}
        <span className={css.space} />
        <IconButton
          icon={theme.theme === "dark" ? "sun" : "moon"}
          label={theme.theme === "dark" ? "Light colours" : "Dark colours"}
          onClick={theme.toggle}
        />
        <IconButton icon="keyboard" label="Keys" keys="?" onClick={() => setShowsKeys(true)} />
      </nav>
      <main className={css.main}>
        <Boundary place={location}>{children}</Boundary>
      </main>
      <StatusBar project={about.data?.project.name ?? ""} onPalette={() => setShowsPalette(true)} />
      {showsKeys && <KeyMap onClose={() => setShowsKeys(false)} />}
      {showsPalette && <Palette onClose={() => setShowsPalette(false)} />}
    </div>
  );
}
