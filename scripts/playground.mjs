// `npm run playground`: builds the playground into out/playground.
//   -- --test    also tests it in the browsers that are installed, and puts pictures of it into out/playground-pictures
//   -- --only race   runs the tests whose names contain a word
//   -- --serve   also serves it on this machine, until it is interrupted
// The machine-readable report of the tests is a list of { browser, check, problems, milliseconds }.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { REPORTS } from "./lib/command.mjs";
import { say } from "./lib/console.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { writeWhole } from "./lib/stamps.mjs";
import { ROOT } from "./lib/workspace.mjs";

const OUT = "out/playground";
const PICTURES = "out/playground-pictures";
const REPORT = join(ROOT, REPORTS, "playground.json");
const PORT = 4173;

/**
 * @param {import("../site/playground/check/build.mjs").Built} built
 * @param {string | undefined} only
 * @returns {Promise<number>} the number of checks that failed
 */
async function test(built, only) {
  const { testPlayground } = await import("../site/playground/check/test.mjs");
  const findings = await testPlayground({
    folder: join(ROOT, OUT),
    built,
    only,
    pictures: join(ROOT, PICTURES),
    say: (line) => say(`playground: ${line}`),
  });
  for (const { browser, check, problems } of findings) {
    for (const problem of problems) say(`playground: ${browser}: ${check}: ${problem}`);
  }
  writeWhole(REPORT, `${JSON.stringify(findings, null, 2)}\n`);
  const failed = findings.filter(({ problems }) => problems.length > 0).length;
  say(`playground: ${findings.length - failed} checks passed, ${failed} failed`);
  return failed;
}

async function main() {
  let options;
  try {
    options = parseArgs({
      options: {
        only: { type: "string" },
        serve: { type: "boolean", default: false },
        test: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    say(/** @type {Error} */ (error).message);
    return 2;
  }
  await setUpOrExit();
  rmSync(REPORT, { force: true });
  const { buildPlayground } = await import("../site/playground/check/build.mjs");
  const built = await buildPlayground();
  say(`playground: built in ${OUT}`);
  const failed = options.test ? await test(built, options.only) : 0;
  if (options.serve) {
    const { serveFolder } = await import("../site/playground/check/server.mjs");
    const { url } = await serveFolder(join(ROOT, OUT), { port: PORT });
    say(`playground: ${url}`);
  }
  return failed > 0 ? 1 : 0;
}

process.exitCode = await main();
