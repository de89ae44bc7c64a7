// Does what somebody without a clone does first: starts a project with `npx mm-ptx init`, installs it and runs its tests, with
// nothing but Node and npm on PATH.

import { join } from "node:path";
import { reason } from "./check-installs.mjs";
import { say, seconds } from "./console.mjs";
import { createProject, NPM, runManager } from "./managers.mjs";

/** The words of `mm-ptx init` for each kind of project. */
const KINDS = { JavaScript: ["demo"], TypeScript: ["demo", "--ts"] };

/**
 * @param {string} registry
 * @param {string} scratch a folder
 * @returns {Promise<import("./check-installs.mjs").Finding[]>}
 */
export async function checkFirstProjects(registry, scratch) {
  const findings = [];
  for (const [kind, words] of Object.entries(KINDS)) {
    const began = performance.now();
    const outside = createProject(NPM, join(scratch, `first-${kind}`), registry);
    const problems = [];
    try {
      await runManager(NPM, outside, ["exec", "--yes", "--", "mm-ptx", "init", ...words]);
      const demo = { ...outside, folder: join(outside.folder, "demo") };
      for (const command of ["install", "test", "start"]) await runManager(NPM, demo, [command]);
      say(`npx mm-ptx init, ${kind}: tests passed, ${seconds(performance.now() - began)}`);
    } catch (error) {
      problems.push(reason(error));
    }
    findings.push({ package: "mm-ptx", check: `first project in ${kind}`, problems });
  }
  return findings;
}
