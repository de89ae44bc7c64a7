// CHANGELOG.md as a list of sections, one for each version, which is what release notes are cut from.

const UNRELEASED = "Unreleased";
const HEADING = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/;

/**
 * The text below the heading of a version, without the heading.
 *
 * @param {string} changelog
 * @param {string} version a version, or `Unreleased`
 * @returns {string | undefined} `undefined` if there is no such heading
 */
export function sectionOf(changelog, version) {
  const lines = changelog.split("\n");
  const start = lines.findIndex((line) => HEADING.exec(line)?.[1] === version);
  if (start === -1) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith("## "));
  return rest
    .slice(0, end === -1 ? rest.length : end)
    .join("\n")
    .trim();
}

/** The headings under which changes are listed, by how they change the version. */
const KINDS = /** @type {const} */ ([
  ["major", "### Breaking"],
  ["minor", "### New"],
  ["patch", "### Fixed"],
]);

/**
 * Makes a version of what is unreleased: the heading of the version follows that of an empty list, and the changes are listed
 * before the text that was written by hand.
 *
 * @param {string} changelog
 * @param {{ version: string, date: string, changes: readonly { kind: "major" | "minor" | "patch", summary: string }[] }} release
 * @returns {string}
 */
export function closeUnreleased(changelog, { version, date, changes }) {
  const written = sectionOf(changelog, UNRELEASED);
  if (written === undefined)
    throw new Error(`expected a heading [${UNRELEASED}] in the changelog, found none`);
  if (sectionOf(changelog, version) !== undefined)
    throw new Error(`expected no heading [${version}] in the changelog, found one`);
  if (written === "" && changes.length === 0) throw new Error("expected changes to release, found none");
  const lists = KINDS.flatMap(([kind, heading]) => {
    const items = changes.filter((change) => change.kind === kind).map(({ summary }) => asItem(summary));
    return items.length === 0 ? [] : [`${heading}\n\n${items.join("\n")}`];
  });
  const heading = `## [${UNRELEASED}]`;
  const section = [heading, `## [${version}] - ${date}`, ...lists, ...(written === "" ? [] : [written])];
  const [before = "", after = ""] = changelog.split(`${heading}\n`);
  const next = after.indexOf("\n## ");
  const later = next === -1 ? "" : after.slice(next);
  return `${before}${section.join("\n\n")}\n${later}`;
}

/** @param {string} summary */
function asItem(summary) {
  const [first = "", ...rest] = summary.trim().split("\n");
  return [`- ${first}`, ...rest.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}

/**
 * The version that follows another. Before 1.0.0, a minor version may break anything, so nothing leads to 1.0.0 by itself.
 *
 * @param {string} version
 * @param {readonly { kind: "major" | "minor" | "patch" }[]} changes without any, the version stays
 * @returns {string}
 */
export function nextVersion(version, changes) {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const greatest = KINDS.find(([kind]) => changes.some((change) => change.kind === kind))?.[0];
  if (greatest === undefined) return version;
  if (greatest === "patch") return `${major}.${minor}.${patch + 1}`;
  return greatest === "major" && major > 0 ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`;
}
