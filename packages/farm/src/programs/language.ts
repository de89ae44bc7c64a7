// What a farm knows about a language of programs; everything else treats all of them alike.

import type { AstCompilerOptions, AstProgram } from "@mm-ptx/ast";
import type { Injection } from "@mm-ptx/inject";
import type { SiteJobOptions, StackCompilerOptions, StackProgram } from "@mm-ptx/stack";
import type { AstTable, StackTable } from "@mm-ptx/types/core";
import type { KernelFile, KernelFileLimits } from "@mm-ptx/types/kernel-file";
import { FarmError } from "../error.js";

/** Options of a `ProgramKernel` of Stack PTX: those of `StackCompiler` and of `siteJob`, and the execution limit of a compile. */
export interface StackKernelOptions extends Omit<StackCompilerOptions, "webAssembly">, SiteJobOptions {
  /** The most instructions that the machine executes for a program. */
  readonly executionLimit?: number;
}

/** Options of a `ProgramKernel` of AST PTX: those of `AstCompiler`, and the outputs of sites. */
export interface AstKernelOptions extends Omit<AstCompilerOptions, "webAssembly"> {
  /**
   * The `out` or `mod` operand that the programs of a site write, by the name of the site; as `output` of `siteJob`. It is
   * needed only for sites that have more than one.
   */
  readonly outputs?: Readonly<Record<string, string>>;
}

/** The table, the programs and the options of each language, by the kind of its tables. */
export interface ProgramLanguages {
  readonly stack: {
    readonly table: StackTable;
    readonly program: StackProgram;
    readonly options: StackKernelOptions;
  };
  readonly ast: {
    readonly table: AstTable;
    readonly program: AstProgram;
    readonly options: AstKernelOptions;
  };
}

/** The table of a language whose programs a `ProgramKernel` takes. */
export type ProgramTable = ProgramLanguages[keyof ProgramLanguages]["table"];

/** The programs that are made for a table. */
export type ProgramOf<Table extends ProgramTable> = ProgramLanguages[Table["kind"]]["program"];

/** Options of a `ProgramKernel`, which depend on the language of its table. */
export type ProgramKernelOptions<Table extends ProgramTable = StackTable> =
  ProgramLanguages[Table["kind"]]["options"];

/** Compiles the words of a program for a site to its stub; throws the errors of its language. */
export type StubMaker = (words: Uint32Array) => string;

export interface Language<Table extends ProgramTable = ProgramTable> {
  /** Its name in messages. */
  readonly name: string;
  /** The table that every worker has. */
  readonly table: Table;
  /** Whether a value is a program of this language. Programs that another copy of the language's package made are not known. */
  owns(program: unknown): boolean;
  /**
   * What a kernel file has to contain for programs at these sites.
   *
   * @throws the errors of the language for options or operands that don't fit
   */
  fileOf(
    table: Table,
    options: ProgramKernelOptions<Table>,
    sites: readonly Injection[],
  ): Partial<KernelFile>;
  /**
   * How programs are compiled, by the name of their site.
   *
   * @param most about how many instructions a program may run, and how many values it may compute; it fails if there are more
   * @returns `undefined` for a kernel file without programs of this language
   * @throws the errors of the language for a table that is not on this machine, and for invalid options
   */
  open(file: KernelFile, most: number): ReadonlyMap<string, StubMaker> | undefined;
  /** Whether the limits of a kernel file are no larger than the defaults, and its names no longer than usual. */
  isModest(file: KernelFile): boolean;
}

/** Options of a compiler. A kernel file has the same, except for the routines. */
interface CompilerOptions {
  readonly routines?: readonly { readonly words: Uint32Array }[] | undefined;
}

/** A language's part of a kernel file. The table that every worker has is there as its fingerprint, and routines are copies. */
export const partOf = <Table extends ProgramTable, Options extends CompilerOptions, Job>(
  table: Table,
  known: Table,
  { routines, ...options }: Options,
  jobs: readonly Job[],
) => ({
  table: table.fingerprint === known.fingerprint ? known.fingerprint : table,
  ...options,
  ...(routines !== undefined && { routines: routines.map(({ words }) => words.slice()) }),
  jobs,
});

/** Whether limits are no larger than the defaults. */
export function areModest(given: KernelFileLimits | undefined, defaults: object): boolean {
  if (given === undefined || given === "reference") return true;
  const most = defaults as Readonly<Record<string, number>>;
  return Object.entries(given).every(([name, limit]) => limit <= (most[name] ?? 0));
}

/** The longest texts that a program may print many times. */
const LONGEST_NAME = 64;

/** Whether all texts in a value are short. */
export function hasShortNames(value: unknown): boolean {
  if (typeof value === "string") return value.length <= LONGEST_NAME;
  return typeof value !== "object" || value === null || Object.values(value).every(hasShortNames);
}

/** @throws FarmError `INVALID_ARGUMENT` for a program that has too much to do */
export function checkSteps(steps: number, most: number): void {
  if (steps > most)
    throw new FarmError("INVALID_ARGUMENT", `expected a program of at most ${most} steps, found ${steps}`);
}
