// Tries what the README says about installing the packages from one's own folder: runs its commands in an empty project, and a
// small program after them.

import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { TRIED_FILES } from "./check-installs.mjs";
import { codeBlocks } from "./markdown.mjs";
import { childEnvironment } from "./process.mjs";
import { ROOT } from "./workspace.mjs";

const execute = promisify(execFile);

/** What stands for the folder of the repository in the README. */
const CLONE = "CLONE";

/**
 * @param {string} scratch a folder
 * @returns {Promise<string[]>} problems
 */
export async function checkReadme(scratch) {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const commands = codeBlocks(readme).find(({ language, code }) => language === "sh" && code.includes(CLONE));
  if (commands === undefined) return [`expected commands with ${CLONE} in README.md, found none`];
  const folder = join(scratch, "own-folder");
  mkdirSync(folder);
  for (const [name, source] of Object.entries(TRIED_FILES))
    copyFileSync(join(ROOT, source), join(folder, name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }\n');
  const how = {
    cwd: folder,
    env: /** @type {NodeJS.ProcessEnv} */ (childEnvironment(process.env)),
    timeout: 300_000,
  };
  try {
    await execute("sh", ["-e", "-c", commands.code.replaceAll(CLONE, ROOT)], how);
    await execute(process.execPath, ["try.mjs"], how);
    return [];
  } catch (error) {
    const { stderr = "", message } = /** @type {{ stderr?: string, message: string }} */ (error);
    return [stderr.split("\n").find((line) => /error/i.test(line)) ?? message];
  }
}
