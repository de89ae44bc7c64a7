// Does what somebody without a clone does first: starts a project with `npx mm-ptx init`, installs it and runs its tests, with
// nothing but Node and npm on PATH; fetches NVIDIA's compiler and compiles with it, if a package index is named.

import { statSync } from "node:fs";
import { join } from "node:path";
import { reason } from "./check-installs.mjs";
import { say, seconds } from "./console.mjs";
import { createProject, NPM, runManager } from "./managers.mjs";

/** The words of `mm-ptx init` for each kind of project. */
const KINDS = { JavaScript: ["demo"], TypeScript: ["demo", "--ts"] };

/** What names the package index that the compiler is fetched from, and the certificates to trust. */
const PASSED_ON = ["MM_PTX_PYPI_INDEX", "PIP_INDEX_URL", "NODE_EXTRA_CA_CERTS"];

/**
 * Fetches NVIDIA's compiler and compiles the project's kernel with it.
 *
 * @param {import("./managers.mjs").Project} project
 */
async function compileWithFetched({ environment, ...project }) {
  const [index, other] = PASSED_ON.map((name) => process.env[name]);
  if (!index && !other) {
    say("npx mm-ptx fetch compiler: left out, because MM_PTX_PYPI_INDEX names no package index");
    return;
  }
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value]] : [];
  });
  const own = { ...project, environment: { ...environment, ...Object.fromEntries(passed) } };
  await runManager(NPM, own, ["exec", "--", "mm-ptx", "fetch", "compiler"]);
  await runManager(NPM, own, [
    "exec",
    "--",
    "mm-ptx",
    "compile",
    "kernel.ptx",
    "--arch",
    "sm_90",
    "-o",
    "out",
  ]);
  say(`npx mm-ptx compile: ${statSync(join(own.folder, "out/kernel.cubin")).size} bytes`);
}

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
      if (kind === "JavaScript") await compileWithFetched(demo);
    } catch (error) {
      problems.push(reason(error));
    }
    findings.push({ package: "mm-ptx", check: `first project in ${kind}`, problems });
  }
  return findings;
}
