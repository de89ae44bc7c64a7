// Runs the built program `mm-ptx-cuda` in a temporary folder with a separate cache.

import { ProgramFolder } from "../../../../tests/support/command-line.js";

export class CommandLine extends ProgramFolder {
  constructor() {
    super("packages/cuda/dist/cli/main.js");
  }

  protected override variables(): NodeJS.ProcessEnv {
    return { MM_PTX_CACHE_DIR: this.path("cache") };
  }
}
