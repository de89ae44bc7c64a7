// Compiles the kernels in assembly/ to src/wasm/.
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { compileAssembly } from "../../../scripts/lib/assemblyscript.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** @type {readonly string[]} */
const ENTRIES = ["core", "bounds", "exhaustive", "wide"];
for (const entry of ENTRIES) {
  await compileAssembly(asc, {
    root,
    entry,
    target: `src/wasm/${entry}.ts`,
    flags: ["--use", "abort=", "--exportTable"],
    // Sources that are TypeScript as well end their imports in `.js`, and find assembly/bits.ts in place of powers.ts.
    locate: (name) =>
      name.replace(/\.js\.ts$/, ".ts").replace(/.*\/internal\/powers\.ts$/, "assembly/bits.ts"),
  });
}
