// Compiles the hot loop in assembly/ to src/wasm/.
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { compileAssembly } from "../../../scripts/lib/assemblyscript.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
await compileAssembly(asc, {
  root,
  entry: "loop",
  target: "src/wasm/loop.ts",
  flags: ["--use", "abort="],
  // Sources that are TypeScript as well end their imports in `.js`.
  locate: (name) => name.replace(/\.js\.ts$/, ".ts"),
});
