// Builds platform packages as they are published: against an old glibc, with the C++ library linked
// statically.

import { say } from "./console.mjs";
import { Interrupted, interruptible } from "./process.mjs";
import { releaseSteps } from "./step-release.mjs";
import { zigStep } from "./step-zig.mjs";
import { createContext, runSteps } from "./steps.mjs";
import { ROOT } from "./workspace.mjs";

/** The platform of this machine. */
export const HOST = `${process.platform}-${process.arch}`;

/**
 * Builds the packages, or exits if one of them cannot be built.
 *
 * @param {readonly import("./step-release.mjs").ReleasePlatform[]} platforms
 */
export async function buildReleaseOrExit(platforms) {
  const steps = [zigStep, ...platforms.flatMap(releaseSteps)];
  try {
    const results = await interruptible((signal) =>
      runSteps(steps, createContext(ROOT, process.env, signal)),
    );
    const undone = results.find(({ state }) => state === "failed" || state === "left out");
    if (undone === undefined) return;
    if (undone.state === "left out") say(`release: packages are built on Linux x86-64, this is ${HOST}`);
    process.exit(1);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    say(`release: ${error.message}`);
    process.exit(error.exitCode);
  }
}
