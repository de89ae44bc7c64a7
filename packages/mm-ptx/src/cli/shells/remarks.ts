// The comments at the beginning of each script.
import type { Described } from "../described.js";
import { installWords } from "../packages.js";

/** The version that a script was made by, and the commands whose packages were not there. */
export function remarksOf({ version, missing }: Described): string {
  const lines = missing.map(
    (command) =>
      `# Without the options of \`${command.name}\`: \`${installWords(command.package)}\` installs it.\n`,
  );
  return [`# Completes the commands of mm-ptx ${version}; made by \`mm-ptx completion\`.\n`, ...lines].join(
    "",
  );
}
