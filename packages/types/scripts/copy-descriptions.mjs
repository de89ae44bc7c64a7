// Copies our description files to dist/descriptions/, which the package exports, so that `extends` can name them, and
// beside them the schemas that their `$schema` names. All are kept once, in type_descriptions/.
import { copyFileSync, mkdirSync } from "node:fs";

const from = new URL("../../../type_descriptions/", import.meta.url);
const to = new URL("../dist/descriptions/", import.meta.url);
const FILES = {
  "stack_descriptions.json": "stack.json",
  "inject_types.json": "inject.json",
  "ast_instructions.json": "ast.json",
  "stack.schema.json": "stack.schema.json",
  "inject.schema.json": "inject.schema.json",
  "ast.schema.json": "ast.schema.json",
};

mkdirSync(to, { recursive: true });
for (const [source, target] of Object.entries(FILES)) {
  copyFileSync(new URL(source, from), new URL(target, to));
}
