// Draws the pictures of README.md from a real run: `node scripts/pictures.mjs [--seed S …]`, after
// `npm run setup`. It takes the options of the quickstart. The figures are those of the machine that it runs on.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./lib/workspace.mjs";

const PICTURES = join(ROOT, "docs/pictures");
const MAIN = join(ROOT, "apps/quickstart/dist/main.js");

const folder = mkdtempSync(join(tmpdir(), "mm-ptx-pictures-"));
try {
  const args = [MAIN, "--require-compile", "--no-cache", ...process.argv.slice(2), "--out", folder];
  const { status } = spawnSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) {
    process.stderr.write("no picture was drawn, because the run failed\n");
    process.exitCode = status ?? 1;
  } else {
    publish(join(folder, "report.svg"), "quickstart.svg");
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * @param {string} from
 * @param {string} name
 */
function publish(from, name) {
  const picture = readFileSync(from, "utf8");
  if (picture.includes(folder) || picture.includes(ROOT)) throw new Error("expected a picture without paths");
  mkdirSync(PICTURES, { recursive: true });
  const temporary = join(PICTURES, `.${process.pid}-${name}`);
  copyFileSync(from, temporary);
  renameSync(temporary, join(PICTURES, name));
  process.stderr.write(`docs/pictures/${name}\n`);
}
