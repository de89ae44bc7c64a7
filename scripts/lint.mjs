// `npm run lint`: checks format, lint rules and import order of the whole tree (biome), unused files,
// dependencies and exports (knip), and phrases that prose avoids (lib/phrases.mjs). `-- --write` fixes what
// biome can fix; `-- --json` prints all reports as one object.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { runScript } from "./lib/command.mjs";
import { say } from "./lib/console.mjs";
import { phrasesIn } from "./lib/phrases.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { ROOT } from "./lib/workspace.mjs";

const BIOME = ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings"];
const KNIP = ["node_modules/knip/bin/knip.js", "--no-progress", "--no-config-hints"];

/**
 * The report of a tool that exits with 1 if it found a problem.
 *
 * @param {string[]} command
 */
async function report([script, ...args]) {
  const options = { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, script), ...args],
    options,
  ).catch((error) => (error.stdout ? error : Promise.reject(error)));
  return JSON.parse(stdout);
}

async function main() {
  const args = process.argv.slice(2);
  const unknown = args.find((argument) => !["--write", "--json"].includes(argument));
  if (unknown !== undefined) {
    say(`expected \`--write\` or \`--json\`, found \`${unknown}\``);
    return 2;
  }
  await setUpOrExit();
  if (args.includes("--json")) {
    const biome = await report([...BIOME, "--reporter=json", "--max-diagnostics=none"]);
    const knip = await report([...KNIP, "--reporter=json"]);
    const phrases = phrasesIn(ROOT);
    process.stdout.write(`${JSON.stringify({ biome, knip, phrases })}\n`);
    const { errors, warnings } = biome.summary;
    return errors + warnings + knip.issues.length + phrases.length > 0 ? 1 : 0;
  }
  const [biome, ...biomeArgs] = args.includes("--write") ? [...BIOME, "--write"] : BIOME;
  const [knip, ...knipArgs] = KNIP;
  const codes = [await runScript(biome, biomeArgs), await runScript(knip, knipArgs)];
  const phrases = phrasesIn(ROOT);
  for (const phrase of phrases) say(phrase);
  return Math.max(...codes, phrases.length > 0 ? 1 : 0);
}

process.exitCode = await main();
