// `npm run version`: turns the files in `.changeset` into the next version of all packages, which it writes wherever a version
// is stated, and into a section of CHANGELOG.md. Without such files, what is unreleased becomes the version that the manifests
// have, as for the first release. `changeset version` is not used: to it, a minor version of a package that others have as an
// exact peer is a major version of all.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { closeUnreleased, nextVersion } from "./lib/changelog.mjs";
import { say } from "./lib/console.mjs";
import { packageFolders, ROOT, readManifest } from "./lib/workspace.mjs";

const IN_MANIFEST = { line: /^( {2}"version": )"[^"]+"/m, to: '$1"VERSION"' };

/** The files that state the version besides the manifests of packages, and the line that does so in each. */
const STATEMENTS = [
  { ...IN_MANIFEST, file: "package.json" },
  { file: "packages/cuda/src/version.ts", line: /(VERSION = )"[^"]+"/, to: '$1"VERSION"' },
  { file: "integrations/pytest/pyproject.toml", line: /^(version = )"[^"]+"/m, to: '$1"VERSION"' },
  { file: "CITATION.cff", line: /^(version: ).*$/m, to: "$1VERSION" },
];

const CHANGESET = createRequire(import.meta.url).resolve("@changesets/cli/bin.js");

/** The changes that are not released, as Changesets reads them. */
function pendingChanges() {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-version-"));
  try {
    const file = join(folder, "status.json");
    execFileSync(process.execPath, [CHANGESET, "status", `--output=${relative(ROOT, file)}`], {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "inherit"],
    });
    /** @type {{ id: string, releases: { type: "major" | "minor" | "patch" }[], summary: string }[]} */
    const found = JSON.parse(readFileSync(file, "utf8")).changesets;
    const order = /** @type {const} */ (["major", "minor", "patch"]);
    return found.map(({ id, releases, summary }) => ({
      id,
      kind: order.find((kind) => releases.some(({ type }) => type === kind)) ?? "patch",
      summary,
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const changes = pendingChanges();
const version = nextVersion(readManifest(ROOT, ".").version, changes);
const changelog = join(ROOT, "CHANGELOG.md");
const date = new Date().toISOString().slice(0, 10);
writeFileSync(changelog, closeUnreleased(readFileSync(changelog, "utf8"), { version, date, changes }));
const manifests = packageFolders(ROOT).map((folder) => ({
  ...IN_MANIFEST,
  file: join(folder, "package.json"),
}));
for (const { file, line, to } of [...manifests, ...STATEMENTS]) {
  const path = join(ROOT, file);
  writeFileSync(path, readFileSync(path, "utf8").replace(line, to.replace("VERSION", version)));
}
for (const { id } of changes) rmSync(join(ROOT, ".changeset", `${id}.md`));
say(`version: ${version} with ${changes.length} changes; look at CHANGELOG.md before you commit`);
