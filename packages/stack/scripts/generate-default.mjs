// Writes src/generated/default.ts from type_descriptions/stack_descriptions.json; `--check` only compares.
// Needs the built @mm-ptx/types.
import { readFileSync, writeFileSync } from "node:fs";
import { generateTypeScript, parseStackDescription } from "../../types/dist/index.js";

const source = new URL("../../../type_descriptions/stack_descriptions.json", import.meta.url);
const target = new URL("../src/generated/default.ts", import.meta.url);

const text = generateTypeScript(parseStackDescription(readFileSync(source, "utf8")), {
  encoders: "../encode.js",
});
if (!process.argv.includes("--check")) writeFileSync(target, text);
else if (readFileSync(target, "utf8") !== text) {
  console.error("src/generated/default.ts is stale: run `node packages/stack/scripts/generate-default.mjs`");
  process.exitCode = 1;
}
