// Runs the built program `mm-ptx-cuda` in a temporary folder with a separate cache.

import { type Ended, ProgramFolder, type RunOptions } from "../../../../tests/support/command-line.js";

export class CommandLine extends ProgramFolder {
  constructor() {
    super("packages/cuda/dist/cli/main.js");
  }

  override run(
    words: readonly string[],
    env: NodeJS.ProcessEnv = {},
    options: RunOptions = {},
  ): Promise<Ended> {
    return super.run(words, { MM_PTX_CACHE_DIR: this.path("cache"), ...env }, options);
  }
}
