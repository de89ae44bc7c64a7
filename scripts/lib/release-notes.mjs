// The text of a release: what the changelog says of the version, with links that work outside of the repository.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sectionOf } from "./changelog.mjs";
import { absoluteLinks } from "./markdown.mjs";
import { readManifest } from "./workspace.mjs";

/**
 * @param {string} root
 * @param {string} version as in the changelog; without a heading of its own, it is what is unreleased
 * @returns {string}
 */
export function releaseNotes(root, version) {
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const section = sectionOf(changelog, version) ?? sectionOf(changelog, "Unreleased");
  if (!section) throw new Error(`expected notes for ${version} in CHANGELOG.md, found none`);
  const web = readManifest(root, ".").repository.url.replace(/^git\+(.*)\.git$/, "$1");
  return `${absoluteLinks(section, `${web}/blob/v${version}`)}\n`;
}
