// The commands that `mm-ptx` has itself. A command's code is loaded when it is used.
import { type Command, Option } from "commander";
import { type Outcome, pathWord } from "./framework.js";
import type { InitOptions } from "./init.js";

/** @param done receives the command's outcome */
export function addOwnCommands(program: Command, done: (outcome: Outcome) => void): void {
  program
    .command("init")
    .description(
      "start a project: a kernel with a site, a script that runs programs in it on the CPU, and a test. It needs neither a GPU nor a CUDA compiler.",
    )
    .summary("start a project with a kernel, a script and a test")
    .argument("<folder>", "a new folder, or an empty one; its name is the name of the project", pathWord)
    .addOption(new Option("--js", "write JavaScript (the default)").conflicts("ts"))
    .addOption(new Option("--ts", "write TypeScript"))
    .action(async (folder: string, options: InitOptions) => {
      const { init } = await import("./init.js");
      done(await init(folder, options));
    });
}
