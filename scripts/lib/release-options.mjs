// The command line of `npm run release`.

import { parseArgs } from "node:util";
import { RELEASE_PLATFORMS } from "./step-release.mjs";

/** @typedef {import("./step-release.mjs").ReleasePlatform} ReleasePlatform */

/**
 * @typedef {object} ReleaseOptions
 * @property {ReleasePlatform[]} platforms in the order of `RELEASE_PLATFORMS`
 * @property {boolean} dryRun publishes to a registry on this machine and installs from there
 * @property {boolean} publish publishes to the registry that npm is configured with
 */

const OPTIONS = /** @type {const} */ ({
  all: { type: "boolean", default: false },
  "dry-run": { type: "boolean", default: false },
  publish: { type: "boolean", default: false },
});

/**
 * @param {readonly string[]} words
 * @param {string} host the platform of this machine
 * @returns {ReleaseOptions | { problem: string }}
 */
export function readReleaseOptions(words, host) {
  let parsed;
  try {
    parsed = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch {
    const known = Object.keys(OPTIONS).map((name) => `--${name}`);
    return { problem: `expected the options ${known.join(", ")}, found \`${words.join(" ")}\`` };
  }
  const { values, positionals } = parsed;
  const unknown = positionals.find((name) => !RELEASE_PLATFORMS.some((platform) => platform === name));
  if (unknown !== undefined)
    return { problem: `expected platforms among ${RELEASE_PLATFORMS.join(", ")}, found \`${unknown}\`` };
  if (values.all && positionals.length > 0)
    return { problem: `expected \`--all\` or platforms, found \`${words.join(" ")}\`` };
  if (values.publish && values["dry-run"])
    return { problem: "expected `--publish` or `--dry-run`, found both" };
  if (values.publish && !values.all)
    return { problem: "expected `--all` with `--publish`, because a version is published for all platforms" };
  const chosen = positionals.length === 0 ? [host] : positionals;
  return {
    platforms: RELEASE_PLATFORMS.filter((platform) => values.all || chosen.includes(platform)),
    dryRun: values["dry-run"],
    publish: values.publish,
  };
}
