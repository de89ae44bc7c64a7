// The order in which packages are published, and the command that publishes each of them.

import { execFile } from "node:child_process";
import { relative } from "node:path";
import { promisify } from "node:util";
import { say } from "./console.mjs";
import { findOnPath } from "./tools.mjs";
import { ROOT } from "./workspace.mjs";

const execute = promisify(execFile);

/** @typedef {{ name: string, tarball: string, manifest: any }} Tarball */

/**
 * Sorts packages so that each comes after those that it depends on: whoever installs a package while the rest is still
 * being published finds its dependencies. Packages without an order between them are sorted by name.
 *
 * @template {Tarball} T
 * @param {readonly T[]} packages
 * @returns {T[]}
 */
export function publishOrder(packages) {
  const byName = new Map(packages.map((one) => [one.name, one]));
  /** @type {T[]} */
  const ordered = [];
  /** @type {Set<string>} */
  const entered = new Set();
  /** @param {T} one */
  const visit = (one) => {
    if (ordered.includes(one)) return;
    if (entered.has(one.name))
      throw new Error(`expected dependencies without a circle, found one at ${one.name}`);
    entered.add(one.name);
    const { dependencies, optionalDependencies } = one.manifest;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }).sort()) {
      const dependency = byName.get(name);
      if (dependency !== undefined) visit(dependency);
    }
    ordered.push(one);
  };
  for (const one of [...packages].sort((a, b) => (a.name < b.name ? -1 : 1))) visit(one);
  return ordered;
}

/**
 * The words of the command that publishes a package.
 *
 * @param {Tarball} packed
 */
export const publishCommand = ({ tarball }) => [
  "npm",
  "publish",
  relative(ROOT, tarball),
  "--provenance",
  "--access=public",
];

/**
 * Publishes packages in order. A version that the registry already has is left alone, so that a run that was cut off can be
 * repeated.
 *
 * @param {readonly Tarball[]} ordered
 * @returns {Promise<string[]>} problems; the packages after the first one are not published
 */
export async function publishAll(ordered) {
  const npm = findOnPath(["npm"], process.env) ?? "npm";
  for (const packed of ordered) {
    const version = `${packed.name}@${packed.manifest.version}`;
    const [, ...words] = publishCommand(packed);
    try {
      const known = await execute(npm, ["view", version, "version"]).catch(() => ({ stdout: "" }));
      if (known.stdout.trim() !== "") {
        say(`release: ${version} is published already`);
        continue;
      }
      await execute(npm, words, { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 });
      say(`release: published ${version}`);
    } catch (error) {
      return [`${version} could not be published: ${String(/** @type {any} */ (error).stderr).trim()}`];
    }
  }
  return [];
}
