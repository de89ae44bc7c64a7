// Compiles the loop that counts flipped bits, in assembly/, to src/wasm/.
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { compileAssembly } from "../../../scripts/lib/assemblyscript.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
await compileAssembly(asc, {
  root,
  entry: "avalanche",
  target: "src/wasm/avalanche.ts",
  flags: ["--use", "abort="],
});
