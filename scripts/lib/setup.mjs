// The set-up of a checkout, which every command runs first: packages, the nvPTXCompiler archive, the addon,
// the TypeScript build. It returns quickly if nothing changed.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { archiveIn, realFiles } from "./archive.mjs";
import { componentSteps } from "./components.mjs";
import { say, seconds } from "./console.mjs";
import { Interrupted, interruptible } from "./process.mjs";
import { addonStep, LIBRARY, whyNoAddon } from "./step-addon.mjs";
import { archiveStep } from "./step-archive.mjs";
import { packagesStep } from "./step-packages.mjs";
import { typescriptStep } from "./step-typescript.mjs";
import { createContext, runSteps } from "./steps.mjs";
import { findOnPath } from "./tools.mjs";
import { ROOT } from "./workspace.mjs";

/** The steps, in the order of their dependencies. */
export const STEPS = [packagesStep, archiveStep, addonStep, typescriptStep];

/** The oldest supported version of Node, as major and minor version. */
const OLDEST_NODE = /** @type {const} */ ([20, 19]);

/**
 * What is wrong with this Node, if anything.
 *
 * @param {string} version as in `process.versions.node`
 * @returns {string | undefined}
 */
export function nodeProblem(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldMajor, oldMinor] = OLDEST_NODE;
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor)) return undefined;
  return `expected Node ${oldMajor}.${oldMinor} or later, found ${version}: install a newer one from https://nodejs.org`;
}

/**
 * Brings the checkout up to date, and exits the process with the right code if that fails or is interrupted.
 *
 * @typedef {object} SetUpOptions
 * @property {string} [root]
 * @property {Record<string, string | undefined>} [environment]
 * @property {readonly import("./components.mjs").Component[]} [components] parts of the CUDA toolkit to fetch
 *
 * @param {SetUpOptions} [options]
 * @returns {Promise<import("./steps.mjs").StepResult[]>}
 */
export async function setUpOrExit({ root = ROOT, environment = process.env, components = [] } = {}) {
  try {
    return await interruptible((signal) => setUp(root, environment, components, signal));
  } catch (error) {
    if (error instanceof Interrupted) {
      say(`set-up: ${error.message}; running it again goes on from here`);
      process.exit(error.exitCode);
    }
    if (error instanceof SetUpError) {
      if (!error.told) say(`set-up: ${error.message}`);
      process.exit(1);
    }
    // For a full disk or a read-only folder, the message is enough.
    if (error instanceof Error && "syscall" in error) {
      say(`set-up: ${error.message}`);
      process.exit(1);
    }
    throw error;
  }
}

/** Thrown if a required step fails; `told` if the problem has already been printed. */
class SetUpError extends Error {
  /**
   * @param {string} message
   * @param {boolean} told
   */
  constructor(message, told) {
    super(message);
    this.told = told;
  }
}

/**
 * @param {string} root
 * @param {Record<string, string | undefined>} environment
 * @param {readonly import("./components.mjs").Component[]} components
 * @param {AbortSignal} signal
 */
async function setUp(root, environment, components, signal) {
  const began = performance.now();
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) throw new SetUpError(problem, false);
  const named = environment.MM_PTX_NVPTXCOMPILER_DIR;
  if (named && archiveIn(named, process.arch, realFiles) === undefined) {
    say(
      `set-up: expected nvPTXCompiler in \`${named}\` (MM_PTX_NVPTXCOMPILER_DIR), found none; looking elsewhere`,
    );
  }
  const context = createContext(root, environment, signal);
  const results = await runSteps([...componentSteps(components), ...STEPS], context);
  const failed = results.find(
    ({ name, state }) => state === "failed" && STEPS.find((step) => step.name === name)?.required,
  );
  if (failed !== undefined) throw new SetUpError(failed.problem ?? failed.name, true);

  const addon = results.find(({ name }) => name === addonStep.name)?.state;
  const linked = existsSync(join(root, LIBRARY));
  const upToDate = addon === "done" || addon === "current";
  if (!upToDate || !linked) {
    const why = addon === "left out" ? whyNoAddon(context) : undefined;
    const instead = linked ? "the one built earlier is used" : whatCompilesInstead(environment);
    say(`set-up: ${why === undefined ? "" : `${why}; `}${instead}`);
  }
  if (results.some(({ state }) => state === "done"))
    say(`set-up: ready after ${seconds(performance.now() - began)}`);
  return results;
}

/** @param {Record<string, string | undefined>} environment */
function whatCompilesInstead(environment) {
  const ptxas = findOnPath(["ptxas"], environment);
  return ptxas === undefined ? "nothing can compile PTX here" : "`ptxas` on PATH compiles PTX instead";
}
