// The languages whose programs workers compile.

import { describeValue } from "@mm-ptx/types/internal";
import type { KernelFile } from "@mm-ptx/types/kernel-file";
import { FarmError } from "../error.js";
import { wrong } from "../frames/frame.js";
import { ast } from "./ast.js";
import type { Language, ProgramLanguages, ProgramTable, StubMaker } from "./language.js";
import { stack } from "./stack.js";

const LANGUAGES: { readonly [Kind in keyof ProgramLanguages]: Language<ProgramLanguages[Kind]["table"]> } = {
  stack,
  ast,
};

/** The language of a table. @throws FarmError `INVALID_ARGUMENT` */
export function languageOf<Table extends ProgramTable>(table: Table): Language<Table> {
  const kind: unknown = table?.kind;
  if (typeof kind !== "string" || !Object.hasOwn(LANGUAGES, kind))
    throw new FarmError(
      "INVALID_ARGUMENT",
      `expected a table of ${Object.values(LANGUAGES)
        .map(({ name }) => name)
        .join(" or ")}, found ${describeValue(table)}`,
    );
  return LANGUAGES[table.kind] as unknown as Language<Table>;
}

/** The name of the language of a program, if it is known to be another one than the given. */
export const otherLanguage = (own: Language, program: unknown): string | undefined =>
  Object.values(LANGUAGES).find((each) => each.name !== own.name && each.owns(program))?.name;

/**
 * How programs are compiled, by the name of their site.
 *
 * @param most about how many instructions a program may run, and how many values it may compute
 * @throws MmPtxError for a kernel file that has not the programs of exactly one language, or that names a table which is not
 * on this machine
 */
export function openLanguage(file: KernelFile, most: number): ReadonlyMap<string, StubMaker> {
  const [opened, ...others] = Object.values(LANGUAGES).flatMap((each) => each.open(file, most) ?? []);
  if (opened !== undefined && others.length === 0) return opened;
  throw wrong("a kernel with programs of one language", opened === undefined ? "none" : "several");
}

/** Whether the limits of a kernel file are no larger than the defaults, and its names no longer than usual. */
export const hasModestLimits = (file: KernelFile): boolean =>
  Object.values(LANGUAGES).every((language) => language.isModest(file));
