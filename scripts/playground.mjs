// `npm run playground`: builds the playground into out/playground.
//   -- --serve       also serves it on this machine, until it is interrupted
// The machine-readable report is a list of { browser, check, problems }.

import { join } from "node:path";
import { parseArgs } from "node:util";
import { say } from "./lib/console.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { ROOT } from "./lib/workspace.mjs";

const OUT = "out/playground";
const PORT = 4173;

async function main() {
  let options;
  try {
    options = parseArgs({ options: { serve: { type: "boolean", default: false } } }).values;
  } catch (error) {
    say(/** @type {Error} */ (error).message);
    return 2;
  }
  await setUpOrExit();
  const { buildPlayground } = await import("../site/playground/check/build.mjs");
  await buildPlayground();
  say(`playground: built in ${OUT}`);
  if (options.serve) {
    const { serveFolder } = await import("../site/playground/check/server.mjs");
    const { url } = await serveFolder(join(ROOT, OUT), { port: PORT });
    say(`playground: ${url}`);
  }
  return 0;
}

process.exitCode = await main();
