// Compiles the hot loops in assembly/ to src/wasm/module.ts.
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { compileAssembly } from "../../../scripts/lib/assemblyscript.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
await compileAssembly(asc, { root, entry: "index", target: "src/wasm/module.ts" });
