// Runs the built program `mm-ptx-cuda` in a temporary folder with a separate cache.

import { relative } from "node:path";
import { ProgramFolder } from "../../../../tests/support/command-line.js";
import { oneFile } from "../../../../tests/support/one-file.js";
import { ROOT } from "../../../../tests/support/workspace.js";

const MAIN = relative(ROOT, await oneFile("packages/cuda/dist/cli/main.js"));

export class CommandLine extends ProgramFolder {
  constructor() {
    super(MAIN);
  }

  protected override variables(): NodeJS.ProcessEnv {
    return { MM_PTX_CACHE_DIR: this.path("cache") };
  }
}
