// The screens of the rail, and which addresses belong to each.
import type { IconName } from "../design/Icon";

export const SCREENS: { path: string; name: string; icon: IconName; about: string; also: string[] }[] = [
  { path: "/home", name: "Home", icon: "home", about: "What needs attention today", also: [] },
  { path: "/", name: "Open", icon: "open", about: "Open a page and see what is on it", also: ["/pages"] },
  { path: "/record", name: "Record", icon: "record", about: "Record how to get to the data", also: [] },
  { path: "/teach", name: "Teach", icon: "teach", about: "Point at values to teach a wrapper", also: [] },
  {
    path: "/induce",
    name: "Induce",
    icon: "induce",
    about: "Learn a wrapper from several pages",
    also: ["/wrappers"],
  },
  {
    path: "/check",
    name: "Check",
    icon: "check",
    about: "Run a wrapper over pages and check it",
    also: ["/runs", "/repairs"],
  },
  { path: "/flows", name: "Flow", icon: "flow", about: "Bring data from pages to a table", also: [] },
  { path: "/match", name: "Match", icon: "match", about: "Decide which records are the same", also: [] },
  { path: "/history", name: "Runs", icon: "history", about: "What the runs of flows gave", also: [] },
  { path: "/lab", name: "Lab", icon: "lab", about: "See how each method works, step by step", also: [] },
];

export function isCurrent(screen: (typeof SCREENS)[number], location: string): boolean {
  const paths = screen.path === "/" ? screen.also : [screen.path, ...screen.also];
  return location === screen.path || paths.some((path) => location.startsWith(path));
}
