// A folder for `MM_PTX_NATIVE_DIR` in which one of the native files is another.

import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NATIVE } from "./installed.js";

/** Whether libraries and programs can stand in for ours here. */
export const CAN_REPLACE = process.platform === "linux" && spawnSync("cc", ["--version"]).status === 0;

const HEADERS = fileURLToPath(new URL("../../../../native/compiler", import.meta.url));

export class NativeFolder {
  readonly path = mkdtempSync(join(tmpdir(), "mm-ptx-native-"));

  constructor() {
    for (const file of ["mmptx.node", "mmptx-worker", "libmmptxc.so"])
      copyFileSync(join(NATIVE, file), join(this.path, file));
  }

  /** Compiles a shared library. @returns its path */
  library(name: string, source: string): string {
    return this.#compile(name, source, ["-shared", "-fPIC", "-fvisibility=hidden"]);
  }

  /** Replaces the worker by another program. */
  worker(source: string): void {
    this.#compile("mmptx-worker", source, []);
  }

  #compile(name: string, source: string, options: readonly string[]): string {
    const [from, to] = [join(this.path, `${name}.c`), join(this.path, name)];
    writeFileSync(from, source);
    rmSync(to, { force: true });
    execFileSync("cc", ["-O1", "-w", ...options, "-o", to, from, `-I${HEADERS}`]);
    return to;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
