// The completion for zsh: a function for each command, which describes its options and arguments to `_arguments`.
import {
  type Described,
  type DescribedArgument,
  type DescribedCommand,
  type DescribedOption,
  type Values,
  withSubcommands,
} from "../described.js";
import { oneLine, quotedWord } from "./quote.js";
import { remarksOf } from "./remarks.js";

export function zshCompletion(described: Described): string {
  return `#compdef mm-ptx
${remarksOf(described)}
${withSubcommands(described.program).map(functionOf).join("\n")}
# In a folder of fpath, this file is the function that completes; a file that is sourced registers it.
if [[ $funcstack[1] == _mm-ptx ]]; then _mm_ptx "$@"; else compdef _mm_ptx mm-ptx; fi
`;
}

function functionOf(command: DescribedCommand): string {
  const { name, options, arguments: given, commands } = command;
  const specs = options.map(optionSpec);
  if (commands.length === 0) specs.push(...given.map(argumentSpec));
  else specs.push(quotedWord("1: :->command"), quotedWord("*:: :->arguments"));
  const call = `  _arguments -s -S${commands.length === 0 ? "" : " -C"} \\\n${specs.map((spec) => `    ${spec}`).join(" \\\n")}\n`;
  return `${functionName(name)}() {\n${commands.length === 0 ? call : `${withState(command, call)}`}}\n`;
}

/** Completes the name of a subcommand, or what follows it. */
function withState({ name, arguments: given, commands }: DescribedCommand, call: string): string {
  const short = (command: DescribedCommand) => command.name.slice(name.length + 1);
  const described = commands.map(
    (command) => `        ${quotedWord(`${short(command)}:${oneLine(command.summary)}`)}\n`,
  );
  const cases = commands.map((command) => `        ${short(command)}) ${functionName(command.name)} ;;\n`);
  const other = given.some(({ values }) => values === "files") ? "_files" : "_default";
  return `  local state line
  local -a commands
${call}  case $state in
    command)
      commands=(
${described.join("")}      )
      _describe -t commands command commands${other === "_files" ? "\n      _files" : ""}
      ;;
    arguments)
      case $line[1] in
${cases.join("")}        *) ${other} ;;
      esac
      ;;
  esac
`;
}

const functionName = (name: string): string => `_${name.replace(/[^a-z0-9]/g, "_")}`;

/** An option may be repeated. `=` and `+` say that its value may be a part of the word. */
function optionSpec({ flags, description, values, term, isList }: DescribedOption): string {
  const value = values === undefined ? "" : `:${inSpec(placeholderOf(term))}:${actionOf(values, isList)}`;
  const text = `[${inSpec(oneLine(description))}]${value}`;
  const words = flags.map(
    (flag) => `*${flag}${values === undefined ? "" : flag.startsWith("--") ? "=" : "+"}`,
  );
  if (words.length === 1) return quotedWord(words[0] + text);
  return `{${words.map(quotedWord).join(",")}}${quotedWord(text)}`;
}

const argumentSpec = ({ term, values }: DescribedArgument): string =>
  quotedWord(
    `${term.includes("...") ? "*" : ""}:${inSpec(term.replace(/[<>[\].]/g, ""))}:${actionOf(values)}`,
  );

const placeholderOf = (term: string): string => /[<[]([^>\]]*)/.exec(term)?.[1] ?? "value";

function actionOf(values: Values, isList = false): string {
  if (values === "files") return "_files";
  if (values.length === 0) return " ";
  return isList ? `_sequence compadd - ${values.join(" ")}` : `(${values.join(" ")})`;
}

/** Characters that separate the parts of a specification are escaped. */
const inSpec = (text: string): string => text.replace(/[\\:[\]]/g, "\\$&");
