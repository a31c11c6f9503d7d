/// <reference types="vitest/config" />
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { licences } from "./licences";

// The bundle is committed inside the Python package, so that installing Sightline needs no Node.
export default defineConfig({
  plugins: [react(), licences(import.meta.dirname)],
  build: {
    outDir: "../src/sightline/server/web",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy allows no data: fonts
    target: "es2022",
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8765" } },
  // Tests that need a document say so in their first line; making one takes longer than most tests.
  test: { environment: "node", include: ["src/**/*.test.{ts,tsx}"] },
});
