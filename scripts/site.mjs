// `npm run site`: builds the site into out/site, and fails if a link leads nowhere.
//   -- --serve           also serves it on this machine, until it is interrupted
//   -- --check           without the API and the playground, which take most of the time and have commands of their own
//   -- --base /mm-ptx/   for a site below this path of its host
// The machine-readable report is a list of { page, problems }.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { REPORTS } from "./lib/command.mjs";
import { say } from "./lib/console.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { writeWhole } from "./lib/stamps.mjs";
import { ROOT } from "./lib/workspace.mjs";

const OUT = "out/site";
const REPORT = join(ROOT, REPORTS, "site.json");

/** @returns {{ serve: boolean, check: boolean, base: string }} */
function readOptions() {
  const { values } = parseArgs({
    options: {
      serve: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      base: { type: "string", default: "/" },
    },
  });
  if (!/^\/(?:[\w.~-]+\/)*$/.test(values.base)) {
    throw new TypeError(
      `expected a path such as \`/\` or \`/mm-ptx/\` for \`--base\`, found \`${values.base}\``,
    );
  }
  return values;
}

async function main() {
  let options;
  try {
    options = readOptions();
  } catch (error) {
    say(/** @type {Error} */ (error).message);
    return 2;
  }
  await setUpOrExit();
  rmSync(REPORT, { force: true });
  const { buildSite, serveSite } = await import("../site/source/build.mjs");
  const { base, check, serve } = options;
  const report = await buildSite({ folder: join(ROOT, OUT), base, whole: !check });
  for (const { page, problems } of report) for (const problem of problems) say(`${page}: ${problem}`);
  writeWhole(REPORT, `${JSON.stringify(report, null, 2)}\n`);
  const failed = report.filter(({ problems }) => problems.length > 0).length;
  say(`site: ${report.length - failed} pages in ${OUT}, ${failed} with problems`);
  if (serve) await serveSite({ base });
  return failed > 0 ? 1 : 0;
}

process.exitCode = await main();
