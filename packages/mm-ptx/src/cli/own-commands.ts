// The commands that `mm-ptx` has itself. A command's code is loaded when it is used.
import { type Command, Option } from "commander";
import type { Build } from "./described.js";
import { completedBy, type Outcome, oneOf, pathWord } from "./framework.js";
import type { InitOptions } from "./init.js";
import { SHELLS, type Shell } from "./shells/names.js";

/** The names of all commands, once they are all there. */
const commandNames = (program: Command) => async (): Promise<readonly string[]> =>
  program.commands.map((command) => command.name());

/**
 * @param done receives the command's outcome
 * @param build makes the whole program, which some commands describe
 */
export function addOwnCommands(program: Command, done: (outcome: Outcome) => void, build: Build): void {
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

  program
    .command("completion")
    .description("print a script that completes commands, options and their values in a shell")
    .argument("<shell>", SHELLS.join(", "), oneOf("shell", SHELLS))
    .addHelpText(
      "after",
      `
It completes the commands of the packages that are installed when it is made.
bash:  mm-ptx completion bash > ~/.local/share/bash-completion/completions/mm-ptx
zsh:   mm-ptx completion zsh > FOLDER/_mm-ptx, with FOLDER in fpath before compinit
fish:  mm-ptx completion fish > ~/.config/fish/completions/mm-ptx.fish`,
    )
    .action(async (shell: Shell) => {
      const { completion } = await import("./completion.js");
      done(await completion(shell, build));
    });

  // The framework reads `help` as `--help`; this is for help and completion.
  program
    .command("help")
    .description("describe a command, as its `--help` does")
    .summary("describe a command")
    .argument(
      "[command...]",
      "names of a command, such as `types check`",
      completedBy(commandNames(program), (name: string, others: readonly string[] = []) => [...others, name]),
    );

  program
    .command("man")
    .description("write a man page for each command")
    .argument(
      "<folder>",
      "folder of manuals: the pages go to its folder man1, where `man -M` finds them",
      pathWord,
    )
    .action(async (folder: string) => {
      const { man } = await import("./man.js");
      done(await man(folder, build));
    });
}
