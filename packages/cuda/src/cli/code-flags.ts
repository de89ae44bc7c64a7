// The command-line flags for the options that change machine code.

import { quoted } from "@mm-ptx/types/internal";
import { Option } from "commander";
import { CODE_OPTIONS, type CodeOption, type CodeValues } from "../ptx/code-options.js";
import { listCompletedBy, oneOf, requiredOption, UsageError, wholeNumber } from "./framework.js";

const PLACEHOLDERS = { architecture: "names", number: "number", word: "word" } as const;

/** The long flag of each option: `--max-registers`, or `--no-fmad` for an option that is on by default. */
export const CODE_FLAGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries<CodeOption>(CODE_OPTIONS).map(([name, option]) => [name, flagOf(name, option)]),
);

function flagOf(name: string, option: CodeOption): string {
  const words = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return option.default === true ? `--no-${words}` : `--${words}`;
}

/** The flags of all these options, for a command that compiles. */
export function codeFlags(): Option[] {
  return Object.entries<CodeOption>(CODE_OPTIONS).map(([name, { values, letter, asks, ...row }]) => {
    const short = letter === undefined ? "" : `-${letter}, `;
    const value = values.kind === "boolean" ? "" : ` <${PLACEHOLDERS[values.kind]}>`;
    const several = values.kind === "architecture" ? "; separate several by commas" : "";
    const flag = new Option(`${short}${CODE_FLAGS[name]}${value}`, asks.replaceAll("`", "") + several);
    const parse = parserOf(values);
    if (parse !== undefined) flag.argParser(parse);
    return "default" in row ? flag : requiredOption(flag, ARCHITECTURE);
  });
}

/** Only the architecture has no default. */
const ARCHITECTURE = {
  example: "sm_90",
  advice:
    "`--arch native` compiles for this machine's GPU, and `mm-ptx-cuda doctor` shows its architecture and lists the others",
};

function parserOf(values: CodeValues): ((word: string, before: unknown) => unknown) | undefined {
  switch (values.kind) {
    case "architecture":
      return listCompletedBy(architectures, arches);
    case "boolean":
      return undefined;
    case "number":
      return wholeNumber;
    case "word":
      return oneOf("word", values.words);
  }
}

/** Only the completion of a shell needs their names. */
async function architectures(): Promise<readonly string[]> {
  const { ARCHITECTURES } = await import("@mm-ptx/ptx");
  return [...ARCHITECTURES.map(({ name }) => name), "native"];
}

/** Parses `sm_90,sm_120`. */
function arches(word: string, before: unknown = []): readonly string[] {
  const names = word.split(",").map((name) => name.trim());
  if (names.includes("")) {
    throw new UsageError(`expected architectures separated by commas, found ${quoted(word)}`);
  }
  return [...(before as readonly string[]), ...names];
}
