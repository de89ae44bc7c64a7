// `mm-ptx` as it is installed: in a temporary folder, with its dependencies, and with the packages that a test adds.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Ended } from "../../../../tests/support/command-line.js";
import { ROOT } from "../../../../tests/support/workspace.js";

/** The built program of the workspace. */
export const MAIN = "packages/mm-ptx/dist/cli/main.js";

/** Links packages of the workspace into `node_modules` of a folder. */
export function linkPackages(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "packages", name.replace("@mm-ptx/", "")), link, "dir");
  }
}

/** Links other packages, such as `commander`, that a package of the workspace depends on. */
export function linkDependencies(folder: string, source: string, names: readonly string[]): void {
  for (const name of names) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(join(ROOT, source, "node_modules", name)), link, "dir");
  }
}

export class Installation {
  /** Its name has spaces, as those of users may. */
  readonly folder = mkdtempSync(join(tmpdir(), "mm-ptx installed here-"));
  /** Where commands are run. */
  readonly work = join(this.folder, "work");

  constructor() {
    const own = join(this.folder, "lib/node_modules/mm-ptx");
    for (const part of ["dist", "templates", "package.json"])
      cpSync(join(ROOT, "packages/mm-ptx", part), join(own, part), { recursive: true });
    linkPackages(own, ["@mm-ptx/types"]);
    linkDependencies(own, "packages/mm-ptx", ["commander", "picocolors"]);
    mkdirSync(this.work);
  }

  /** Writes a file into the folder in which commands are run. */
  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.work, path)), { recursive: true });
    writeFileSync(join(this.work, path), text);
  }

  run(...words: readonly string[]): Promise<Ended> {
    const main = join(this.folder, "lib/node_modules/mm-ptx/dist/cli/main.js");
    const { FORCE_COLOR: _, NO_COLOR: __, NODE_PATH: ___, ...env } = process.env;
    return new Promise((resolve) => {
      execFile(process.execPath, [main, ...words], { cwd: this.work, env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
