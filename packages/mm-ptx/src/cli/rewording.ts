// Packages name their own commands in help and messages, such as `mm-ptx-cuda doctor`. What `mm-ptx` prints names the
// commands as they are typed here.
import { PACKAGE_COMMANDS } from "./packages.js";

const PROGRAMS = [...new Set(PACKAGE_COMMANDS.map((command) => command.package.program))];
const QUOTED = new RegExp(`\`(${PROGRAMS.join("|")})(?: ([a-z][\\w-]*))?(?=[\` ])`, "g");

/** A text with the commands of packages named as commands of `mm-ptx`. */
export const reworded = (text: string): string =>
  text.replace(QUOTED, (quoted, program: string, word: string | undefined) => {
    const commands = PACKAGE_COMMANDS.filter((command) => command.package.program === program);
    const own = commands.find(({ subcommand }) => subcommand !== undefined && subcommand === word);
    if (own !== undefined) return `\`mm-ptx ${own.name}`;
    const whole = commands.find(({ subcommand }) => subcommand === undefined);
    if (whole === undefined) return quoted;
    return `\`mm-ptx ${whole.name}${word === undefined ? "" : ` ${word}`}`;
  });
