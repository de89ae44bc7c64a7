// `npm run docs`: generates the API pages of every published package into out/api, from the entries that its
// package.json exports. A warning (a public name without a doc comment, a broken link, a type that is not
// exported) is a failure. `-- --check` finds the same problems and writes no pages. The
// machine-readable report is a list of { package, problems }.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { apiFolders, apiOptions } from "./lib/api.mjs";
import { REPORTS } from "./lib/command.mjs";
import { say } from "./lib/console.mjs";
import { setUpOrExit } from "./lib/setup.mjs";
import { writeWhole } from "./lib/stamps.mjs";
import { ROOT, readManifest } from "./lib/workspace.mjs";

const OUT = "out/api";
const REPORT = join(ROOT, REPORTS, "docs.json");

/**
 * The kinds of declarations that need a doc comment. Properties and parameters need none if their names are
 * clear.
 *
 * @type {import("typedoc").ReflectionKind.KindString[]}
 */
const REQUIRED = ["Accessor", "Class", "Enum", "Function", "Interface", "Method", "TypeAlias", "Variable"];

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;
await setUpOrExit();
rmSync(REPORT, { force: true });
const { Application, ConsoleLogger, LogLevel } = await import("typedoc");

/** Collects warnings and errors by package. */
class Problems extends ConsoleLogger {
  /** @type {Map<string, string[]>} */
  byPackage = new Map();
  current = "";

  /** @type {import("typedoc").Logger["log"]} */
  log(message, level) {
    const text = stripVTControlCharacters(message).replace(/^\[\w+\] /, "");
    const folder = /^Converting project at \.\/(.*)$/.exec(text)?.[1];
    if (folder !== undefined) this.begin(readManifest(ROOT, folder).name);
    if (level >= LogLevel.Warn) this.byPackage.get(this.about(text))?.push(text);
  }

  /** @param {string} name */
  begin(name) {
    this.current = name;
    this.byPackage.set(name, this.byPackage.get(name) ?? []);
  }

  /** @param {string} text */
  about(text) {
    const named = [...this.byPackage.keys()].find((name) => text.includes(name));
    return named ?? this.current;
  }
}

const folders = apiFolders();
process.chdir(ROOT);
const { packageOptions, ...options } = apiOptions(folders);
const application = await Application.bootstrap({
  ...options,
  out: OUT,
  highlightLanguages: ["c", "cpp", "javascript", "json", "python", "sh", "typescript"],
  packageOptions: {
    ...packageOptions,
    requiredToBeDocumented: REQUIRED,
    validation: { notExported: true, invalidLink: true, notDocumented: true },
  },
});
const problems = new Problems();
application.logger = problems;
const project = await application.convert();
if (project !== undefined) {
  application.validate(project);
  if (!check) await application.generateOutputs(project);
}
const report = folders.map((folder) => {
  const { name } = readManifest(ROOT, folder);
  const found = problems.byPackage.get(name) ?? ["expected API pages, found none"];
  return {
    package: name,
    problems: project === undefined && found.length === 0 ? ["no pages were made"] : found,
  };
});
for (const { package: name, problems: found } of report) {
  for (const problem of found) say(`${name}: ${problem}`);
}
writeWhole(REPORT, `${JSON.stringify(report, null, 2)}\n`);
const failed = report.filter(({ problems: found }) => found.length > 0).length;
say(
  `docs: ${report.length - failed} packages documented${check ? "" : ` in ${OUT}`}, ${failed} with problems`,
);
process.exitCode = failed > 0 ? 1 : 0;
