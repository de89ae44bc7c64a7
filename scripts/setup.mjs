// `npm run setup`: makes a checkout ready to run, or with `--check` says what that would do. Plain Node without
// dependencies, because it runs before anything is installed; everything is told on stderr.

import { checkSetUp } from "./lib/check.mjs";
import { say } from "./lib/console.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { addonStep } from "./lib/step-addon.mjs";

const [option, ...rest] = process.argv.slice(2);
if (option === "--help" || option === "-h") {
  say(
    "usage: npm run setup [-- --check]\n  --check   only say what is there, what is missing and what would be done",
  );
} else if (option === "--check" && rest.length === 0) {
  checkSetUp();
} else if (option === undefined) {
  const results = await setUpOrExit();
  const words = { current: "up to date", done: "done", failed: "failed", "left out": "left out" };
  for (const { name, state } of results) say(`  ${name.padEnd(12)}${words[state]}`);
  // Commands that need the addon go on without it; who asked for set-up alone asked for all that this machine can make.
  if (results.some(({ name, state }) => name === addonStep.name && state === "failed")) process.exitCode = 1;
} else {
  say(`expected no option or \`--check\`, found \`${option}\``);
  process.exitCode = 2;
}
