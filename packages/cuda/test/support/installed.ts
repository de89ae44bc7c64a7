// The built package in a temporary folder, as it is installed, and programs that run beside it.

import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { oneFile } from "../../../../tests/support/one-file.js";
import { module, slowModule } from "./ptx.js";

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const WORKSPACE = join(PACKAGE, "..");
/** Its modules are one file, because each program would take longer to load them than most programs run. */
const BUILT = await oneFile("packages/cuda/dist/index.js", { movable: true });

/** The native package of the workspace; a copied package does not find one near it. */
export const NATIVE = join(PACKAGE, "npm/linux-x64");

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A temporary folder with the package and its dependencies, and the texts `module.ptx` and `slow.ptx`. */
export class InstalledPackage {
  readonly folder = mkdtempSync(join(tmpdir(), "mm-ptx-test-"));
  /** Where our packages are in it. */
  readonly packages = join(this.folder, "node_modules/@mm-ptx");

  constructor() {
    const { folder, packages } = this;
    mkdirSync(join(packages, "cuda/dist"), { recursive: true });
    copyFileSync(BUILT, join(packages, "cuda/dist/index.js"));
    copyFileSync(join(PACKAGE, "package.json"), join(packages, "cuda/package.json"));
    for (const name of ["ptx", "types"]) symlinkSync(join(WORKSPACE, name), join(packages, name));
    writeFileSync(join(folder, "module.ptx"), module());
    writeFileSync(join(folder, "slow.ptx"), slowModule(600));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /**
   * Runs a program beside the copied package; if it has not ended after a minute, it is killed and the test
   * fails.
   */
  node(source: string, environment: Record<string, string> = {}): Promise<Ended> {
    const file = join(this.folder, `${Math.random().toString(36).slice(2)}.mjs`);
    const head =
      'import { readFileSync } from "node:fs";\nimport { PtxCompiler, capabilities, readCubin } from "@mm-ptx/cuda";\n';
    const texts =
      'const ptx = readFileSync("module.ptx", "utf8"), slow = readFileSync("slow.ptx", "utf8");\n';
    writeFileSync(file, head + texts + source);
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [file], {
        cwd: this.folder,
        // NODE_PATH of a package manager would add packages that the copy must not find.
        env: { ...process.env, NODE_PATH: "", ...environment },
        timeout: 50_000,
        killSignal: "SIGKILL",
      });
      let stdout = "";
      let stderr = "";
      child.stdout.on("data", (chunk) => {
        stdout += chunk;
      });
      child.stderr.on("data", (chunk) => {
        stderr += chunk;
      });
      child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
  }
}
