// Writes src/generated/default/ from type_descriptions/stack_descriptions.json; `--check` only compares.
// Needs the built @mm-ptx/types.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { generateTypeScriptModules, parseStackDescription } from "../../types/dist/index.js";

const source = new URL("../../../type_descriptions/stack_descriptions.json", import.meta.url);
const folder = new URL("../src/generated/default/", import.meta.url);

const table = parseStackDescription(readFileSync(source, "utf8"));
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(
  generateTypeScriptModules(table, { encoders: "../../encode.js" }),
)) {
  const target = new URL(name, folder);
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (readFileSync(target, "utf8") !== text) {
    console.error(`${name} is stale: run \`node packages/stack/scripts/generate-default.mjs\``);
    process.exitCode = 1;
  }
}
