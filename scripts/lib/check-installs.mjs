// Installs all packages from a registry as their users do, in an empty folder with an empty home, and runs a small program
// with them: on this platform with every package manager, for other platforms with npm and under emulation.

import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { say, seconds } from "./console.mjs";
import { withEmulated } from "./emulators.mjs";
import { putCompilerBeside } from "./installed.mjs";
import { createProject, MANAGERS, NPM, runManager, runWith } from "./managers.mjs";
import { findNodeVersions } from "./node-versions.mjs";
import { run } from "./process.mjs";
import { ROOT } from "./workspace.mjs";

/** @typedef {import("./pack.mjs").Packed} Packed */
/** @typedef {{ package: string, check: string, problems: string[] }} Finding */

/** The script that is run, the kernel that it reads, and where they come from. */
export const TRIED_FILES = {
  "try.mjs": "scripts/lib/try-packages.mjs",
  "kernel.ptx": "apps/quickstart/kernel.ptx",
};

/** @param {import("./managers.mjs").Project} project */
function addProgram({ folder }) {
  for (const [name, source] of Object.entries(TRIED_FILES))
    copyFileSync(join(ROOT, source), join(folder, name));
}

/**
 * Why a program failed.
 *
 * @param {unknown} error
 * @returns {string} the line that says most, and the last one otherwise
 */
export function reason(error) {
  const {
    stdout = "",
    stderr = "",
    message,
  } = /** @type {{ stdout?: string, stderr?: string, message: string }} */ (error);
  const lines = `${stderr}\n${stdout}`.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? message;
}

/**
 * The names that a user installs. A platform package comes with the package that needs it.
 *
 * @param {readonly Packed[]} all
 */
const installedNames = (all) =>
  all.filter(({ manifest }) => manifest.os === undefined).map(({ name }) => name);

/**
 * @param {readonly Packed[]} all
 * @param {string} registry
 * @param {string} scratch a folder
 * @returns {Promise<Finding[]>}
 */
export async function checkManagers(all, registry, scratch) {
  const names = new Set(all.map(({ name }) => name));
  const complete = all.every(({ manifest }) =>
    Object.keys(manifest.optionalDependencies ?? {}).every((name) => names.has(name)),
  );
  const programs = all.flatMap(({ manifest }) => Object.keys(manifest.bin ?? {}));
  const findings = [];
  for (const [index, manager] of MANAGERS.entries()) {
    if (manager.resolvesAll && !complete) {
      say(`${manager.title}: left out, because it needs the packages of all platforms (\`--all\`)`);
      continue;
    }
    const began = performance.now();
    const project = createProject(manager, join(scratch, `manager-${index}`), registry);
    /** @type {string[]} */
    const problems = [];
    try {
      await runManager(manager, project, [...manager.add, ...installedNames(all)]);
      addProgram(project);
      const said = await runWith(manager, project, "try.mjs");
      for (const program of programs) {
        await runManager(manager, project, [...manager.bin, program, "--help"]).catch((error) => {
          problems.push(`${program}: ${reason(error)}`);
        });
      }
      if (manager === NPM) problems.push(...(await tryNodeVersions(project)));
      say(
        `${manager.title}: ${said.split("\n").at(-1)}, ${programs.length} commands, ${seconds(performance.now() - began)}`,
      );
    } catch (error) {
      problems.push(reason(error));
    }
    findings.push({ package: "all packages", check: `installed with ${manager.title}`, problems });
  }
  return findings;
}

/**
 * Runs the program in every line of Node that the packages support.
 *
 * @param {import("./managers.mjs").Project} project
 * @returns {Promise<string[]>} problems
 */
async function tryNodeVersions({ folder, environment }) {
  const { signal } = new AbortController();
  const problems = [];
  for (const found of await findNodeVersions(signal)) {
    if ("problem" in found) {
      say(`Node ${found.version}: left out: ${found.problem}`);
      continue;
    }
    const { ok, output } = await run(found.node, ["try.mjs"], { cwd: folder, environment, signal });
    if (!ok) problems.push(`Node ${found.version}: ${reason({ stdout: output })}`);
  }
  return problems;
}

/**
 * @param {string} platform one that can be emulated here
 * @param {readonly Packed[]} all
 * @param {string} registry
 * @param {string} scratch a folder
 * @param {string} compiler the path of the compiler library for that platform
 * @returns {Promise<Finding>}
 */
export async function checkPlatform(platform, all, registry, scratch, compiler) {
  const check = `installed for ${platform}`;
  const [os = "", cpu = ""] = platform.split("-");
  const project = createProject(NPM, join(scratch, platform), registry);
  const target = [`--os=${os}`, `--cpu=${cpu}`, ...(os === "linux" ? ["--libc=glibc"] : [])];
  let problems;
  try {
    await runManager(NPM, project, [...NPM.add, ...target, ...installedNames(all)]);
    addProgram(project);
    problems = await withEmulated(platform, project.folder, async (runThere) => {
      say(`npm for ${platform}: ${(await runThere("try.mjs")).split("\n").at(-1)}`);
      putCompilerBeside(project.folder, platform, compiler);
      say(`npm for ${platform}, with a compiler: ${(await runThere("try.mjs")).split("\n").at(-1)}`);
      return [];
    });
  } catch (error) {
    problems = [reason(error)];
  }
  return { package: "all packages", check, problems };
}
