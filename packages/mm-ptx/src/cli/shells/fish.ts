// The completion for fish: a function that finds the command in the line, and a line for each command, option and argument.
import { type Described, type DescribedCommand, type Values, withSubcommands } from "../described.js";
import { oneLine } from "./quote.js";
import { remarksOf } from "./remarks.js";

export function fishCompletion(described: Described): string {
  const commands = withSubcommands(described.program);
  const names = commands.map(({ name }) => quoted(name)).join(" ");
  const valued = commands.flatMap(({ name, options }) =>
    options.flatMap(({ flags, values }) =>
      values === undefined ? [] : flags.map((flag) => quoted(`${name} ${flag}`)),
    ),
  );
  return `${remarksOf(described)}
# Whether the line is for the command $1, and its next argument is number $2, or any from $2 on if $3 is given. The commands
# are the first words without a dash.
function __mm_ptx_is
    set -l command mm-ptx
    set -l arguments
    set -l is_value no
    for word in (commandline -xpc 2>/dev/null; or commandline -opc)[2..-1]
        if test $is_value = yes
            set is_value no
        else if string match -q -- '-*' $word
            contains -- "$command $word" $__mm_ptx_valued; and set is_value yes
        else if test (count $arguments) = 0; and contains -- "$command $word" ${names}
            set command "$command $word"
        else
            set -a arguments $word
        end
    end
    test "$command" = "$argv[1]"; or return 1
    switch (count $argv)
        case 1
            return 0
        case 2
            test (count $arguments) -eq $argv[2]
        case '*'
            test (count $arguments) -ge $argv[2]
    end
end

# The options that have a value.
set -g __mm_ptx_valued ${valued.join(" ")}

# The words $argv after what is already there of a list.
function __mm_ptx_list
    set -l before (commandline -ct | string replace -r -- '^-[^=]*=' '' | string replace -r '[^,]*$' '')
    for word in $argv
        string match -q -- "*,$word,*" ",$before"; or echo "$before$word"
    end
end

complete -c mm-ptx -f
${commands.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ name, options, arguments: given, commands }: DescribedCommand): string[] {
  const at = (place: string) => `complete -c mm-ptx -n ${quoted(`__mm_ptx_is ${quoted(name)}${place}`)}`;
  const start = at("");
  return [
    ...commands.map(
      (command) =>
        `${at(" 0")} -f -a ${quoted(command.name.slice(name.length + 1))} -d ${quoted(oneLine(command.summary))}`,
    ),
    ...given.map(
      ({ values, isVariadic }, index) => `${at(` ${index}${isVariadic ? " on" : ""}`)}${valueWords(values)}`,
    ),
    ...options.map(({ flags, values, description, isList }) => {
      const names = flags.map((flag) =>
        flag.startsWith("--") ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`,
      );
      const value = values === undefined ? "" : ` -r${valueWords(values, isList)}`;
      return `${start}${names.join("")}${value} -d ${quoted(oneLine(description))}`;
    }),
  ];
}

function valueWords(values: Values, isList = false): string {
  if (values === "files") return " -F";
  if (values.length === 0) return " -f";
  const words = values.join(" ");
  return ` -f -a ${quoted(isList ? `(__mm_ptx_list ${words})` : words)}`;
}

/** A word of fish, where a backslash within quotes is special before a quote or another backslash alone. */
const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
