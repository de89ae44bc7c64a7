// Compiles the kernels in assembly/ to src/wasm/.
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { compileAssembly } from "../../../scripts/lib/assemblyscript.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
for (const entry of ["linear", "mlp", "neighbours", "pca", "trees"]) {
  await compileAssembly(asc, { root, entry, target: `src/wasm/${entry}.ts`, flags: ["--use", "abort="] });
}
