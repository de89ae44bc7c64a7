// `npm run bench`: runs set-up, then every benchmark with its budget. `npm run bench -- --help` lists the
// options.

import { runScript } from "./lib/command.mjs";
import { setUpOrExit } from "./lib/setup.mjs";

await setUpOrExit();
process.exitCode = await runScript("bench/run.mjs", process.argv.slice(2));
