// `npm run setup -- --check`: prints what set-up finds on this machine and which steps it would run, without
// running them.

import { locateArchive } from "./archive.mjs";
import { COMPONENT_NAMES, componentSteps } from "./components.mjs";
import { say } from "./console.mjs";
import { nodeProblem, STEPS } from "./setup.mjs";
import { addonStep, whyNoAddon } from "./step-addon.mjs";
import { createContext, stateBefore } from "./steps.mjs";
import { describeMissing, findOnPath, findProgram } from "./tools.mjs";
import { ROOT } from "./workspace.mjs";

/**
 * Prints one line for each program and library, then one for each step.
 *
 * @param {{ root?: string, environment?: Record<string, string | undefined> }} [options]
 */
export function checkSetUp({ root = ROOT, environment = process.env } = {}) {
  const line = (/** @type {string} */ name, /** @type {string} */ text) => say(`  ${name.padEnd(15)}${text}`);
  const context = createContext(root, environment, new AbortController().signal);

  say("found on this machine:");
  line("Node", nodeProblem(process.versions.node) ?? process.versions.node);
  line("npx", findOnPath(["npx"], environment) ?? "missing; it comes with npm");
  for (const program of /** @type {const} */ (["compiler", "make", "cmake", "python"])) {
    line(program, findProgram(program, environment) ?? describeMissing([program], environment));
  }
  line(
    "ptxas",
    findOnPath(["ptxas"], environment) ?? "not on PATH; needed only where the addon can't be built",
  );
  const { archive, lookedAt } = locateArchive({ root, environment, machine: process.arch });
  line(
    "nvPTXCompiler",
    archive === undefined ? `not in ${lookedAt.join(", ")}` : `${archive.library} (${archive.source})`,
  );

  const words = { current: "up to date", "left out": "can't be done here", stale: "would run" };
  say("steps:");
  for (const step of STEPS) {
    line(step.name, words[stateBefore(step, context)]);
  }
  for (const step of componentSteps(COMPONENT_NAMES)) {
    const state = stateBefore(step, context);
    line(step.name, state === "stale" ? "fetched with `npm run setup -- --with …`" : words[state]);
  }
  const why = whyNoAddon(context);
  if (why !== undefined && stateBefore(addonStep, context) !== "current") say(why);
}
