// What the parts of the check share: the module, what names mean, what was found wrong.
import type { PtxFunction, PtxModule, PtxName } from "@mm-ptx/ptx";
import { isPredefined } from "@mm-ptx/ptx";
import { didYouMean, quoted, type Span } from "@mm-ptx/types/core";
import type { ProgramVariable } from "../program/program.js";
import type { ProblemList } from "./problems.js";
import type { Meaning, Meanings } from "./scope.js";

/** Declared names that an undeclared one is compared with. */
const CANDIDATES = 1000;

/** A module while it is checked. */
export interface ModuleContext {
  readonly module: PtxModule;
  readonly problems: ProblemList;
  readonly meanings: Meanings;
  /** Of the module; more are added by functions that declare shared or global ones. */
  readonly variables: ProgramVariable[];
  /** Indices of functions with a body, by name; aliases too. */
  readonly functions: ReadonlyMap<string, number>;
  /** All functions, by name. */
  readonly declared: ReadonlyMap<string, PtxFunction>;
  /** What `.target` and `.version` say, as numbers: 90 for `sm_90a`, 7.8. */
  readonly target: number;
  readonly version: number;
  /** Functions whose addresses are taken, as indices. */
  readonly addressed: Set<number>;
}

/** What a name means; reports it when nothing declares it. */
export function meaningOf(context: ModuleContext, name: PtxName): Meaning | undefined {
  const meaning = context.meanings.of(name);
  if (meaning !== undefined) return meaning;
  reportUndeclared(context, name.name, name.span);
  return undefined;
}

/** Says that nothing declares a name, and which declared one it may be meant to be. */
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
