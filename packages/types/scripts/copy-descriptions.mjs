// Copies our description files to dist/descriptions/, which the package exports, so that `extends` can name them. They are
// kept once, in type_descriptions/.
import { copyFileSync, mkdirSync } from "node:fs";

const from = new URL("../../../type_descriptions/", import.meta.url);
const to = new URL("../dist/descriptions/", import.meta.url);
const FILES = {
  "stack_descriptions.json": "stack.json",
  "inject_types.json": "inject.json",
  "ast_instructions.json": "ast.json",
};

mkdirSync(to, { recursive: true });
for (const [source, target] of Object.entries(FILES)) {
  copyFileSync(new URL(source, from), new URL(target, to));
}
