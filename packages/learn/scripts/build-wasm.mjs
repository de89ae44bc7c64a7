// Compiles the kernels in assembly/ to src/wasm/.
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { compileAssembly } from "../../../scripts/lib/assemblyscript.mjs";
import { textOfBytes } from "./module-text.mjs";

/** Modules that are as fast if binaryen inlines less, which makes them smaller. */
const SMALLER = ["neighbours", "pca"];

const root = fileURLToPath(new URL("..", import.meta.url));
for (const entry of ["dense", "linear", "mlp", "neighbours", "pca", "trees"]) {
  await compileAssembly(asc, {
    root,
    entry,
    target: `src/wasm/${entry}.ts`,
    encoding: { name: "the text that src/model/module-text.ts decodes", encode: textOfBytes },
    flags: [
      ...["--use", "abort=", "--transform", `${root}scripts/inline.mjs`],
      ...(SMALLER.includes(entry) ? ["--shrinkLevel", "1"] : []),
    ],
    // Sources that are TypeScript as well end their imports in `.js`, and find assembly/lanes.ts in place of src/model/lanes.ts.
    locate: (name) =>
      name.replace(/\.js\.ts$/, ".ts").replace(/^src\/model\/lanes\.ts$/, "assembly/lanes.ts"),
  });
}
