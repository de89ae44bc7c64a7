// `npm run generate`: runs set-up, then regenerates the files that type_descriptions/generated.json lists,
// the CUDA header, docs/hints.md, and the table of options in the README of @mm-ptx/cuda. Tests compare them.

import { runScript } from "./lib/command.mjs";
import { setUpOrExit } from "./lib/setup.mjs";

await setUpOrExit();
const words = ["generate", "--list", "type_descriptions/generated.json"];
process.exitCode =
  (await runScript("packages/types/dist/cli/main.js", words)) ||
  (await runScript("packages/inject/scripts/generate-header.mjs", [])) ||
  (await runScript("packages/cuda/scripts/generate-documents.mjs", []));
