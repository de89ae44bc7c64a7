// The completion for fish: a function that finds the command in the line, and a line for each command, option and argument.
import { type Described, type DescribedCommand, type Values, withSubcommands } from "../described.js";
import { oneLine } from "./quote.js";
import { remarksOf } from "./remarks.js";

export function fishCompletion(described: Described): string {
  const commands = withSubcommands(described.program);
  const names = commands.map(({ name }) => quoted(name)).join(" ");
  return `${remarksOf(described)}
# Whether the line is for this command: the commands are the first words without a dash.
function __mm_ptx_is
    set -l command mm-ptx
    for word in (commandline -xpc 2>/dev/null; or commandline -opc)[2..-1]
        string match -q -- '-*' $word; and continue
        contains -- "$command $word" ${names}; or break
        set command "$command $word"
    end
    test "$command" = "$argv[1]"
end

complete -c mm-ptx -f
${commands.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ name, options, arguments: given, commands }: DescribedCommand): string[] {
  const start = `complete -c mm-ptx -n ${quoted(`__mm_ptx_is ${quoted(name)}`)}`;
  return [
    ...commands.map(
      (command) =>
        `${start} -f -a ${quoted(command.name.slice(name.length + 1))} -d ${quoted(oneLine(command.summary))}`,
    ),
    ...given.map(({ values }) => `${start}${valueWords(values)}`),
    ...options.map(({ flags, values, description }) => {
      const names = flags.map((flag) =>
        flag.startsWith("--") ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`,
      );
      const value = values === undefined ? "" : ` -r${valueWords(values)}`;
      return `${start}${names.join("")}${value} -d ${quoted(oneLine(description))}`;
    }),
  ];
}

const valueWords = (values: Values): string =>
  values === "files" ? " -F" : values.length === 0 ? " -f" : ` -f -a ${quoted(values.join(" "))}`;

/** A word of fish, where a backslash within quotes is special before a quote or another backslash alone. */
const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
