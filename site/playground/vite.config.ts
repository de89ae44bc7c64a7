// Builds the playground as static files that work from any folder of any server.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  worker: { format: "es" },
  build: {
    outDir: fileURLToPath(new URL("../../out/playground", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // A content security policy need not allow `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The tests read which chunk contains what.
    manifest: true,
  },
});
