// `npm run demo -- gelu`: runs set-up, which also fetches a disassembler if it can, then a demo with the given arguments.

import { runScript } from "./lib/command.mjs";
import { setUpOrExit } from "./lib/setup.mjs";

await setUpOrExit({ components: ["nvdisasm"] });
process.exitCode = await runScript("examples/07-better-gelu/dist/main.js", process.argv.slice(2));
