// `npm start`: runs set-up, then the main job with the given arguments in this process, so that signals, the
// exit code and stdout need no forwarding.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setUpOrExit } from "./lib/setup.mjs";
import { ROOT } from "./lib/workspace.mjs";

await setUpOrExit();
const main = join(ROOT, "apps/quickstart/dist/main.js");
process.argv[1] = main;
await import(pathToFileURL(main).href);
