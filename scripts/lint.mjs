// `npm run lint`: format, lint rules and import order of the whole tree. `npm run lint -- --write` mends what can be
// mended.

import { runScript } from "./lib/command.mjs";
import { setUpOrExit } from "./lib/setup.mjs";

await setUpOrExit();
process.exitCode = await runScript("node_modules/@biomejs/biome/bin/biome", [
  "check",
  "--error-on-warnings",
  ...process.argv.slice(2),
]);
