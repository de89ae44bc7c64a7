// The package managers that packages are tried with, in exact versions: how each of them installs packages from a registry
// and runs a program, from an empty home folder.

import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { fetchPackage } from "./fetched.mjs";
import { findOnPath } from "./tools.mjs";

const execute = promisify(execFile);

/**
 * @typedef {object} Project an empty project that a manager installs into
 * @property {string} folder
 * @property {string} registry
 * @property {Record<string, string>} environment everything that its programs see
 */

/**
 * @typedef {object} Manager
 * @property {string} title
 * @property {() => Promise<string[]>} command how it is started
 * @property {readonly string[]} add the words before the names of packages
 * @property {readonly string[]} [node] the words that start a script, if Node alone does not find the packages
 * @property {readonly string[]} bin the words before the name of a package's program
 * @property {readonly string[]} [tools] what its programs need on PATH besides Node, npm and a shell
 * @property {boolean} [resolvesAll] whether it also asks for optional packages of other platforms, and fails without them
 * @property {(project: Project) => void} [prepare]
 */

/** @param {string} name */
const onPath = (name) => async () => [process.execPath, findOnPath([name], process.env) ?? name];
const YARN = async () => [
  process.execPath,
  join(await fetchPackage("@yarnpkg/cli-dist", "4.18.1"), "bin/yarn.js"),
];

/**
 * @param {string} linker
 * @returns {Manager}
 */
const yarn = (linker) => ({
  title: `Yarn 4 (${linker})`,
  command: YARN,
  add: ["add"],
  node: ["node"],
  bin: ["run"],
  resolvesAll: true,
  prepare({ folder, registry }) {
    const settings = {
      nodeLinker: linker,
      npmRegistryServer: registry,
      unsafeHttpWhitelist: ["127.0.0.1"],
      enableGlobalCache: false,
      enableTelemetry: false,
      // What was published a moment ago is what is tried.
      npmMinimalAgeGate: 0,
    };
    writeFileSync(join(folder, ".yarnrc.yml"), JSON.stringify(settings));
    // Otherwise the folder would belong to a project above it, if there is one.
    writeFileSync(join(folder, "yarn.lock"), "");
  },
});

/** @type {Manager[]} */
export const MANAGERS = [
  { title: "npm", command: onPath("npm"), add: ["install"], bin: ["exec", "--"] },
  {
    title: "pnpm",
    command: async () => [process.execPath, join(await fetchPackage("pnpm", "10.34.9"), "bin/pnpm.cjs")],
    add: ["add"],
    bin: ["exec"],
    tools: ["dirname", "sed", "uname"],
    prepare({ folder, environment }) {
      environment.npm_config_store_dir = join(folder, "../store");
    },
  },
  yarn("node-modules"),
  yarn("pnp"),
  {
    title: "bun",
    command: async () => [join(await fetchPackage("@oven/bun-linux-x64", "1.4.5"), "bin/bun")],
    add: ["add"],
    bin: ["x", "--no-install"],
  },
];

/** The manager that every platform is tried with. */
export const NPM = /** @type {Manager} */ (MANAGERS[0]);

/** The programs that a project finds on PATH: Node with npm, and the shell that npm starts commands with. */
const PROGRAMS = ["node", "npm", "npx", "sh"];

/**
 * An empty project whose manager knows nothing but the registry.
 *
 * @param {Manager} manager
 * @param {string} folder created here
 * @param {string} registry
 * @returns {Project}
 */
export function createProject(manager, folder, registry) {
  const home = join(folder, "home");
  const programs = join(folder, "programs");
  const project = join(folder, "project");
  for (const each of [home, programs, project]) mkdirSync(each, { recursive: true });
  for (const name of [...PROGRAMS, ...(manager.tools ?? [])]) {
    const found = name === "node" ? process.execPath : findOnPath([name], process.env);
    if (found !== undefined) symlinkSync(found, join(programs, name));
  }
  writeFileSync(join(project, "package.json"), '{ "name": "tried", "type": "module", "private": true }\n');
  const made = {
    folder: project,
    registry,
    environment: {
      PATH: programs,
      HOME: home,
      NO_COLOR: "1",
      npm_config_registry: `${registry}/`,
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
      BUN_CONFIG_REGISTRY: `${registry}/`,
    },
  };
  manager.prepare?.(made);
  return made;
}

/**
 * Runs a manager in a project.
 *
 * @param {Manager} manager
 * @param {Project} project
 * @param {readonly string[]} words
 * @returns {Promise<string>} what it prints
 */
export async function runManager(manager, project, words) {
  return run([...(await manager.command()), ...words], project);
}

/**
 * Runs a script with the project's packages.
 *
 * @param {Manager} manager
 * @param {Project} project
 * @param {string} file
 * @returns {Promise<string>} what it prints
 */
export function runWith(manager, project, file) {
  if (manager.node === undefined) return run([process.execPath, file], project);
  return runManager(manager, project, [...manager.node, file]);
}

/**
 * @param {readonly string[]} words
 * @param {Project} project
 */
async function run([first = "", ...rest], project) {
  const { stdout } = await execute(first, rest, {
    cwd: project.folder,
    env: project.environment,
    timeout: 300_000,
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.trimEnd();
}
