// Compiles the kernels in assembly/ to src/wasm/.
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { compileAssembly } from "../../../scripts/lib/assemblyscript.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The modules; `extended` puts its kernels into the table of `core` and calls those there. */
const ENTRIES = {
  core: "--exportTable",
  bounds: "--exportTable",
  exhaustive: "--exportTable",
  gradient: "--exportTable",
  extended: "--importTable",
  relaxed: "--exportTable",
};
for (const [entry, table] of Object.entries(ENTRIES)) {
  await compileAssembly(asc, {
    root,
    entry,
    target: `src/wasm/${entry}.ts`,
    flags: ["--use", "abort=", table, ...(entry === "relaxed" ? ["--enable", "relaxed-simd"] : [])],
    // Sources that are TypeScript as well end their imports in `.js`, and find assembly/bits.ts in place of powers.ts, for
    // example.
    locate: (name) =>
      name
        .replace(/\.js\.ts$/, ".ts")
        .replace(/.*\/internal\/powers\.ts$/, "assembly/bits.ts")
        .replace(/^src\/fit\/problem\.ts$/, "assembly/gradient-problem.ts"),
  });
}
