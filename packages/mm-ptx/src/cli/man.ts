// `man`: writes a man page for each command, made of the same tables as its help.
import { join } from "node:path";
import {
  type Build,
  type Described,
  type DescribedCommand,
  describeAll,
  withSubcommands,
} from "./described.js";
import { type Outcome, printable, writeWhole } from "./framework.js";
import { installWords } from "./packages.js";

/** @throws FileError */
export async function man(folder: string, build: Build): Promise<Outcome> {
  const described = await describeAll(build);
  const { missing } = described;
  const absent = new Set(missing.map(({ name }) => `mm-ptx ${name}`));
  const files = withSubcommands(described.program)
    .filter(({ name }) => !absent.has(name))
    .map((command) => {
      const file = join(folder, "man1", `${pageName(command.name)}.1`);
      return { file, changed: writeWhole(file, Buffer.from(manPage(command, described))) };
    });
  return {
    ok: true,
    json: () => ({ ok: true, files, missing: missing.map(({ name }) => name) }),
    text: ({ green, dim }) =>
      files
        .map(({ file, changed }) => `${changed ? green("written") : dim("unchanged")} ${printable(file)}\n`)
        .join(""),
    complaints: ({ yellow }) =>
      missing
        .map(
          ({ name, package: wanted }) =>
            `${yellow("left out")} mm-ptx ${name}: \`${installWords(wanted)}\` installs it\n`,
        )
        .join(""),
  };
}

const pageName = (name: string): string => name.replaceAll(" ", "-");

/** The page in the macros of man(7). */
export function manPage(command: DescribedCommand, { version, program }: Described): string {
  const { name, summary, description, usage, options, arguments: given, commands, notes } = command;
  const page = pageName(name);
  const entries = (title: string, all: readonly (readonly [string, string])[]): string[] =>
    all.length === 0
      ? []
      : [`.SH ${title}`, ...all.flatMap(([term, text]) => [".TP", `.B ${inText(term)}`, ...lines(text)])];
  const others = [program, ...withSubcommands(program).filter((each) => isNear(each.name, name))];
  const seeAlso = [...new Set(others.map((each) => pageName(each.name)))].filter((each) => each !== page);
  return [
    `.TH ${page.toUpperCase()} 1 "" "mm-ptx ${version}" "mm-ptx"`,
    ".SH NAME",
    `${inText(page)} \\- ${inText(summary.replaceAll("`", "").split("\n", 1)[0] ?? "")}`,
    ".SH SYNOPSIS",
    `.B ${inText(usage)}`,
    ".SH DESCRIPTION",
    ...lines(description),
    ...entries(
      "COMMANDS",
      commands.map((each) => [each.name.slice(name.length + 1), each.summary] as const),
    ),
    ...entries(
      "ARGUMENTS",
      given.map((each) => [each.term, each.description] as const),
    ),
    ...entries(
      "OPTIONS",
      options.map((each) => [each.term, each.description] as const),
    ),
    ...(notes === "" ? [] : [".SH NOTES", ...lines(notes)]),
    ...(seeAlso.length === 0
      ? []
      : [".SH SEE ALSO", `${seeAlso.map((each) => `.BR ${inText(each)} (1)`).join("\n")}`]),
    "",
  ].join("\n");
}

/** Whether a command is directly above or below another one. */
const isNear = (one: string, other: string): boolean =>
  one.slice(0, one.lastIndexOf(" ")) === other || other.slice(0, other.lastIndexOf(" ")) === one;

/** Lines as paragraphs; those that are indented stay as they are. */
function lines(text: string): string[] {
  let isFixed = false;
  const out: string[] = [];
  for (const line of text.split("\n")) {
    const shouldFix = /^\s+\S/.test(line);
    if (shouldFix !== isFixed) out.push(shouldFix ? ".nf" : ".fi");
    isFixed = shouldFix;
    if (line === "") out.push(".PP");
    else if (isFixed) out.push(inText(line));
    else out.push(inText(line), ".br");
  }
  if (isFixed) out.push(".fi");
  return out.at(-1) === ".br" ? out.slice(0, -1) : out;
}

/** Characters that roff would read as its own. */
const inText = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/, "\\&$1");
