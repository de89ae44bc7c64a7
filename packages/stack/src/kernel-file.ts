// The Stack PTX part of a kernel file, as objects of this package.
import type { StackTable } from "@mm-ptx/types/core";
import { kernelFileProblem, referredTable } from "@mm-ptx/types/internal";
import type { KernelFile } from "@mm-ptx/types/kernel-file";
import { checkTable, invalid } from "./arguments.js";
import { legacyInstead, StackPtxError } from "./error.js";
import type { StackCompileJob, StackCompilerOptions } from "./job.js";
import { looksLegacy } from "./legacy/dialect.js";
import { StackProgram } from "./program.js";
import { register } from "./register.js";

/** The programs of a kernel file, with the table and the options to compile them. */
export interface StackKernelPart {
  readonly table: StackTable;
  /** The options for `new StackCompiler(table, options)`. */
  readonly options: StackCompilerOptions;
  readonly jobs: readonly StackKernelJob[];
}

/** The programs for a site of a kernel. */
export interface StackKernelJob {
  /** The name of the injection. */
  readonly site: string;
  /** The job for `compiler.compile(program, job)`. */
  readonly job: StackCompileJob;
  readonly programs: readonly StackProgram[];
}

/**
 * Makes compiler options, jobs and programs from a kernel file.
 * @param file what `readKernelFile` of `@mm-ptx/types/kernel-file` returned
 * @param tables the tables to choose from when the file has only the fingerprint of its table
 * @returns `undefined` when the file has no programs of Stack PTX
 * @throws StackPtxError FILE_TABLE when none of the tables is that of the file or extends it; LEGACY_PROGRAM for
 * programs of Stack PTX 1.0, as far as their words reveal it; INVALID_ARGUMENT when an argument is of the wrong kind, a
 * register is invalid, or a request does not name a register
 */
export function stackFromKernelFile(
  file: KernelFile,
  tables: readonly StackTable[] = [],
): StackKernelPart | undefined {
  const problem = kernelFileProblem(file);
  if (problem !== undefined) throw new StackPtxError("INVALID_ARGUMENT", problem);
  if (!Array.isArray(tables)) throw invalid("`tables` as an array", tables);
  tables.forEach(checkTable);
  const part = file.stack;
  if (part === undefined) return undefined;
  const table = referredTable(part.table, tables);
  if (table === undefined) {
    const found = `${tables.length} other table${tables.length === 1 ? "" : "s"}`;
    throw new StackPtxError(
      "FILE_TABLE",
      `expected the table ${part.table} or one that extends it, found ${found}`,
    );
  }
  checkTable(table);
  const { limits, requestCopies, routines } = part;
  return Object.freeze({
    table,
    options: Object.freeze({
      ...(limits !== undefined && { limits: limits as NonNullable<StackCompilerOptions["limits"]> }),
      ...(requestCopies && { requestCopies }),
      ...(routines && { routines: routines.map((words, index) => programOf(words, `routine ${index}`)) }),
    }),
    jobs: part.jobs.map(({ site, job, programs }) =>
      Object.freeze({
        site,
        job: jobOf(site, job),
        programs: programs.map((words, index) => programOf(words, `program ${index} of site \`${site}\``)),
      }),
    ),
  });
}

function programOf(words: Uint32Array, what: string): StackProgram {
  if (looksLegacy(words)) throw legacyInstead(what);
  return StackProgram.fromWords(words);
}

function jobOf(site: string, { registers, requests, executionLimit }: StackCompileJob): StackCompileJob {
  Array.from(requests).forEach((request, index) => {
    if (request < registers.length) return;
    throw invalid(`the index of a register as \`requests[${index}]\` of site \`${site}\``, request);
  });
  return Object.freeze({
    registers: registers.map(({ name, stackIndex }) => register(name, stackIndex)),
    requests,
    ...(executionLimit !== undefined && { executionLimit }),
  });
}
