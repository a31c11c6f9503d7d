// Light or dark: as the system says, until somebody chooses.
import { create } from "zustand";

export type Theme = "light" | "dark";

const preferred = (): Theme => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

function apply(theme: Theme): Theme {
  document.documentElement.dataset.theme = theme;
  return theme;
}

export const useTheme = create<{ theme: Theme; toggle: () => void }>((set) => ({
  theme: apply((localStorage.getItem("theme") as Theme | null) ?? preferred()),
  toggle: () =>
    set((state) => {
      const theme = apply(state.theme === "dark" ? "light" : "dark");
      localStorage.setItem("theme", theme);
      return { theme };
    }),
}));
