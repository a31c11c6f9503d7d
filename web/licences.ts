// The licences of everything that ends up in the bundle, written beside it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

interface Manifest {
  name: string;
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

function licenceOf(folder: string, manifest: Manifest): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${manifest.license}`;
  return `${manifest.name} ${manifest.version}\n\n${text}\n`;
}

/** The packages that the front end depends on, and those that they depend on. */
function packagesFrom(root: string): string[] {
  const found = new Map<string, string>();
  const visit = (manifest: Manifest) => {
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      const folder = join(root, "node_modules", name);
      if (found.has(name) || !existsSync(join(folder, "package.json"))) continue;
      const own = manifestOf(folder);
      found.set(name, licenceOf(folder, own));
      visit(own);
    }
  };
  visit(manifestOf(root));
  return [...found.entries()].sort().map(([, text]) => text);
}

export function licences(root: string): Plugin {
  return {
    name: "licences",
    generateBundle() {
      const source = packagesFrom(root).join(`\n${"-".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName: "licences.txt", source });
    },
  };
}
