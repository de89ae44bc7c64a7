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
# Sets \`words\`, what can be the argument number $2 of the command $1, \`files\` if names of files can, and \`options\`.
_mm_ptx_command() {
  words='' options='' files=''
  case $1 in
${commands.map(commandCase).join("")}  *) return 1 ;;
  esac
}

# Sets \`words\`, \`files\`, and \`list\` if commas separate words, for the value of the option $2 of the command $1. It fails for
# options without a value.
_mm_ptx_value() {
  words='' files='' list=''
  case "$1 $2" in
${commands.flatMap(({ name, options }) => options.flatMap((option) => valueCase(name, option))).join("")}  *) return 1 ;;
  esac
}

_mm_ptx() {
  local words options files list='' command=mm-ptx last='' word at before='' given=0 current="\${COMP_WORDS[COMP_CWORD]}"
  # The commands are the first words without a dash. bash separates the words of \`--out=file\`.
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    [[ $word == -- ]] && { command='' && break; }
    if [[ $word == = ]]; then ((at++))
    elif [[ $word == -* ]]; then
      [[ \${COMP_WORDS[at + 1]} != = ]] && _mm_ptx_value "$command" "$word" && ((at++))
    elif ((given == 0)) && _mm_ptx_command "$command $word" 0; then command="$command $word"
    else ((given++))
    fi
  done
  at=$((COMP_CWORD - 1))
  if [[ $current == = ]]; then current='' && last="\${COMP_WORDS[at]}"
  elif [[ $at -gt 0 && \${COMP_WORDS[at]} == = ]]; then last="\${COMP_WORDS[at - 1]}"
  else last="\${COMP_WORDS[at]}"
  fi
  if [[ $last != -* ]] || ! _mm_ptx_value "$command" "$last"; then
    list=''
    _mm_ptx_command "$command" "$given" || files=yes
    [[ $current == -* ]] && words=$options files=''
  fi
  COMPREPLY=()
  if [[ -n $list ]]; then
    before="\${current%"\${current##*,}"}"
    for word in $words; do
      [[ ,$before == *",$word,"* || $before$word != "$current"* ]] || COMPREPLY+=("$before$word")
    done
    compopt -o nospace 2>/dev/null
    return
  fi
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
  const names = commands.map((command) => command.name.slice(name.length + 1));
  const flags = options.flatMap((option) => option.flags);
  const places = given.map(({ values, isVariadic }, index) => {
    const before = index === 0 ? names : [];
    const [words, files] = values === "files" ? [before, " files=yes"] : [[...before, ...values], ""];
    return `${isVariadic ? "*" : index}) words=${joined(words)}${files} ;;`;
  });
  if (given.length === 0) places.push(`0) words=${joined(names)} ;;`);
  return `  ${quotedWord(name)}) options=${joined(flags)}; case $2 in ${places.join(" ")} esac ;;\n`;
}

function valueCase(name: string, { flags, values, isList }: DescribedOption): string[] {
  if (values === undefined) return [];
  const patterns = flags.map((flag) => quotedWord(`${name} ${flag}`)).join(" | ");
  return [`  ${patterns}) ${assigned(values)}${isList ? " list=yes" : ""} ;;\n`];
}

const assigned = (values: Values): string => (values === "files" ? "files=yes" : `words=${joined(values)}`);

const joined = (words: readonly string[]): string => quotedWord(words.join(" "));
