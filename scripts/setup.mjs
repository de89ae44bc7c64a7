// `npm run setup`: makes a checkout ready to run, or with `--check` prints what that would do. This is plain
// Node without dependencies, because it runs before anything is installed. All output goes to stderr.

import { checkSetUp } from "./lib/check.mjs";
import { COMPONENT_NAMES, componentSteps, parseComponents } from "./lib/components.mjs";
import { say } from "./lib/console.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { addonStep } from "./lib/step-addon.mjs";

const USAGE = `usage: npm run setup [-- --check | --with LIST]
  --check      only say what is there, what is missing and what would be done
  --with LIST  also fetch parts of the CUDA toolkit, for example \`nvrtc,nvjitlink\`; of ${COMPONENT_NAMES.join(", ")}`;

/** @param {readonly import("./lib/components.mjs").Component[]} components */
async function setUp(components) {
  const results = await setUpOrExit({ components });
  const words = { current: "up to date", done: "done", failed: "failed", "left out": "left out" };
  const width = 2 + Math.max(...results.map(({ name }) => name.length));
  for (const { name, state } of results) say(`  ${name.padEnd(width)}${words[state]}`);
  // Other commands continue without the addon, but `npm run setup` fails if the addon or a requested
  // component fails.
  const asked = [addonStep.name, ...componentSteps(components).map(({ name }) => name)];
  if (results.some(({ name, state }) => asked.includes(name) && state === "failed")) process.exitCode = 1;
}

/** @param {string} problem */
function refuse(problem) {
  say(problem);
  process.exitCode = 2;
}

const [option, ...rest] = process.argv.slice(2);
if (option === undefined) {
  await setUp([]);
} else if (option === "--help" || option === "-h") {
  say(USAGE);
} else if (option === "--check" && rest.length === 0) {
  checkSetUp();
} else if (option === "--with" && rest.length === 1) {
  const parsed = parseComponents(rest[0] ?? "");
  if ("problem" in parsed) refuse(parsed.problem);
  else await setUp(parsed.components);
} else {
  refuse(`expected no option, \`--check\` or \`--with LIST\`, found \`${[option, ...rest].join(" ")}\``);
}
