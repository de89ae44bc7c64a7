// The state that the parts of the check share: the module, the meanings of names, the problems found.
import type { PtxFunction, PtxModule, PtxName } from "@mm-ptx/ptx";
import { isPredefined } from "@mm-ptx/ptx";
import type { Span } from "@mm-ptx/types/core";
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import type { Problem } from "../program/problem.js";
import type { ProgramVariable } from "../program/program.js";
import type { ProblemList } from "./problems.js";
import type { Meaning, Meanings } from "./scope.js";

/** The most declared names with which an undeclared one is compared. */
const CANDIDATES = 1000;

/** A span of a module's text as one of the program's text. */
export const inProgram = ({ base }: ModuleContext, { start, end }: Span): Span =>
  Object.freeze({ start: base + start, end: base + end });

/** A module while it is checked. */
export interface ModuleContext {
  readonly module: PtxModule;
  readonly problems: ProblemList;
  /** Where its text begins in that of the program. */
  readonly base: number;
  readonly meanings: Meanings;
  /** The module's variables. Functions that declare shared or global variables add theirs. */
  readonly variables: ProgramVariable[];
  /** Indices of functions with a body by name, including aliases. */
  readonly functions: ReadonlyMap<string, number>;
  /** All functions by name. */
  readonly declared: ReadonlyMap<string, PtxFunction>;
  /** The values of `.target` and `.version` as numbers: 90 for `sm_90a`, 7.8. */
  readonly target: number;
  readonly version: number;
  /** Indices of functions whose addresses are taken. */
  readonly addressed: Set<number>;
  /** The names of the module's variables that some declaration, of any text, defines. */
  readonly defined: ReadonlySet<string>;
  /** What the module's variables contain that this emulator does not support. */
  readonly notes: Problem[];
}

/** The meaning of a name; undefined, with a problem reported, when it is not declared. */
export function meaningOf(context: ModuleContext, name: PtxName): Meaning | undefined {
  const meaning = context.meanings.of(name);
  if (meaning === undefined) reportUndeclared(context, name.name, name.span);
  else if (meaning.kind === "variable" && isUndefined(context, meaning.variable)) {
    const message = `expected a definition of ${quoted(name.name)}, found \`.extern\` alone`;
    context.problems.add("UNSUPPORTED", name.span, message);
    return undefined;
  } else if (meaning.kind === "refused") {
    context.problems.expect("UNSUPPORTED", name.span, "a variable that this emulator supports");
    return undefined;
  }
  return meaning;
}

/** Whether another module would have to define a variable. */
function isUndefined({ defined }: ModuleContext, { name, extern, space }: ProgramVariable): boolean {
  return extern && space !== "shared" && !defined.has(name);
}

/** Reports that a name is not declared, and suggests the declared name that it resembles. */
export function reportUndeclared({ module, problems }: ModuleContext, name: string, span: Span): void {
  if (isPredefined(name)) {
    problems.expect("WRONG_OPERANDS", span, "a declared name");
    return;
  }
  const hint = problems.isFull ? "" : hintFor(module, name);
  problems.add("UNDECLARED", span, `expected a declared name, found ${quoted(name)}${hint}`);
}

function hintFor(module: PtxModule, name: string): string {
  const declared = new Set(module.names.declarations.map((declaration) => declaration.name));
  if (declared.delete(name)) return ", which is declared in another scope";
  return didYouMean(name, [...declared].slice(0, CANDIDATES));
}
