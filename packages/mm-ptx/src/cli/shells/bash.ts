// The completion for bash: two functions that look up the words of a command and the values of an option, and one that finds
// the command in the line.
import {
  type Described,
  type DescribedCommand,
  type DescribedOption,
  type Values,
  withSubcommands,
} from "../described.js";
import { quotedWord } from "./quote.js";
import { remarksOf } from "./remarks.js";

export function bashCompletion(described: Described): string {
  const commands = withSubcommands(described.program);
  return `${remarksOf(described)}
# Sets \`words\`, what can follow the command $1, \`options\`, and \`files\` if names of files can follow it.
_mm_ptx_command() {
  words='' options='' files=''
  case $1 in
${commands.map(commandCase).join("")}  *) return 1 ;;
  esac
}

# Sets \`words\` and \`files\` for the value of the option $2 of the command $1. It fails for options without a value.
_mm_ptx_value() {
  words='' files=''
  case "$1 $2" in
${commands.flatMap(({ name, options }) => options.flatMap((option) => valueCase(name, option))).join("")}  *) return 1 ;;
  esac
}

_mm_ptx() {
  local words options files command=mm-ptx last='' word at current="\${COMP_WORDS[COMP_CWORD]}"
  # The commands are the first words without a dash.
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    [[ $word == -- ]] && { command='' && break; }
    [[ $word == -* ]] && continue
    _mm_ptx_command "$command $word" || break
    command="$command $word"
  done
  # bash separates the words of \`--out=file\`.
  at=$((COMP_CWORD - 1))
  if [[ $current == = ]]; then current='' && last="\${COMP_WORDS[at]}"
  elif [[ $at -gt 0 && \${COMP_WORDS[at]} == = ]]; then last="\${COMP_WORDS[at - 1]}"
  else last="\${COMP_WORDS[at]}"
  fi
  if [[ $last != -* ]] || ! _mm_ptx_value "$command" "$last"; then
    _mm_ptx_command "$command" || files=yes
    [[ $current == -* ]] && words=$options files=''
  fi
  COMPREPLY=()
  if [[ -n $files ]]; then
    compopt -o default 2>/dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$current"))
    compopt -o filenames 2>/dev/null
    IFS=$' \\t\\n'
  fi
  COMPREPLY+=($(compgen -W "$words" -- "$current"))
}

complete -F _mm_ptx mm-ptx
`;
}

function commandCase({ name, options, arguments: given, commands }: DescribedCommand): string {
  const words = [
    ...commands.map((command) => command.name.slice(name.length + 1)),
    ...given.flatMap(({ values }) => (values === "files" ? [] : values)),
  ];
  const flags = options.flatMap((option) => option.flags);
  const files = given.some(({ values }) => values === "files") ? " files=yes" : "";
  return `  ${quotedWord(name)}) words=${joined(words)} options=${joined(flags)}${files} ;;\n`;
}

function valueCase(name: string, { flags, values }: DescribedOption): string[] {
  if (values === undefined) return [];
  const patterns = flags.map((flag) => quotedWord(`${name} ${flag}`)).join(" | ");
  return [`  ${patterns}) ${assigned(values)} ;;\n`];
}

const assigned = (values: Values): string => (values === "files" ? "files=yes" : `words=${joined(values)}`);

const joined = (words: readonly string[]): string => quotedWord(words.join(" "));
