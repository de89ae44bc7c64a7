// Packages name their own commands in help and messages, such as `mm-ptx-cuda doctor`. What `mm-ptx` prints names the
// commands as they are typed here.
import { PACKAGE_COMMANDS } from "./packages.js";

const PROGRAMS = [...new Set(PACKAGE_COMMANDS.map((command) => command.package.program))].join("|");
/** A command in a sentence. */
const QUOTED = new RegExp(`(\`)(${PROGRAMS})(?: ([a-z][\\w-]*))?(?=[\` ])`, "g");
/** A command at the beginning of a line or of a column, to be copied. */
const COPIED = new RegExp(`(^|  )(${PROGRAMS}) ([a-z][\\w-]*)(?= |$)`, "gm");
/** A program that begins a line to say who writes it. */
const SPEAKER = new RegExp(`^()(${PROGRAMS})()(?=: )`, "gm");
/** A program with its version, which is that of its package. */
const VERSION = new RegExp(`^(${PROGRAMS})(?= \\d+\\.)`, "gm");

/** A text with the commands of packages named as commands of `mm-ptx`. */
export const reworded = (text: string): string =>
  [QUOTED, COPIED, SPEAKER]
    .reduce((before, pattern) => before.replace(pattern, asTyped), text)
    .replace(VERSION, (program) => commandsOf(program)[0]!.package.name);

const commandsOf = (program: string) =>
  PACKAGE_COMMANDS.filter((command) => command.package.program === program);

function asTyped(found: string, start: string, program: string, word: string | undefined): string {
  const commands = commandsOf(program);
  const own = commands.find(({ subcommand }) => subcommand !== undefined && subcommand === word);
  if (own !== undefined) return `${start}mm-ptx ${own.name}`;
  const whole = commands.find(({ subcommand }) => subcommand === undefined);
  if (whole === undefined) return found;
  return `${start}mm-ptx ${whole.name}${word ? ` ${word}` : ""}`;
}
