// The AST PTX part of a kernel file, as objects of this package.
import type { AstTable } from "@mm-ptx/types/core";
import { kernelFileProblem, referredTable } from "@mm-ptx/types/internal";
import type { KernelFile } from "@mm-ptx/types/kernel-file";
import { checkTable, invalid } from "./checks.js";
import { AstPtxError } from "./error.js";
import type { AstCompileJob, AstCompilerOptions } from "./job.js";
import { AstProgram } from "./program.js";

/** The programs of a kernel file, with the table and the options to compile them. */
export interface AstKernelPart {
  readonly table: AstTable;
  /** The options for `new AstCompiler(table, options)`. */
  readonly options: AstCompilerOptions;
  readonly jobs: readonly AstKernelJob[];
}

/** The programs for a site of a kernel. */
export interface AstKernelJob {
  /** The name of the injection. */
  readonly site: string;
  /** The job for `compiler.compile(program, job)`. */
  readonly job: AstCompileJob;
  readonly programs: readonly AstProgram[];
}

/**
 * Makes compiler options, jobs and programs from a kernel file.
 * @param file what `readKernelFile` of `@mm-ptx/types/kernel-file` returned
 * @param tables the tables to choose from when the file has only the fingerprint of its table
 * @returns `undefined` when the file has no programs of AST PTX
 * @throws AstPtxError FILE_TABLE when none of the tables is that of the file or extends it; INVALID_ARGUMENT when an
 * argument is of the wrong kind
 */
export function astFromKernelFile(
  file: KernelFile,
  tables: readonly AstTable[] = [],
): AstKernelPart | undefined {
  const problem = kernelFileProblem(file);
  if (problem !== undefined) throw new AstPtxError("INVALID_ARGUMENT", problem);
  if (!Array.isArray(tables)) throw invalid("`tables` as an array", tables);
  tables.forEach(checkTable);
  const part = file.ast;
  if (part === undefined) return undefined;
  const table = referredTable(part.table, tables);
  if (table === undefined) {
    const found = `${tables.length} other table${tables.length === 1 ? "" : "s"}`;
    throw new AstPtxError(
      "FILE_TABLE",
      `expected the table ${part.table} or one that extends it, found ${found}`,
    );
  }
  checkTable(table);
  const { limits, routines } = part;
  return Object.freeze({
    table,
    options: Object.freeze({
      ...(limits !== undefined && { limits: limits as NonNullable<AstCompilerOptions["limits"]> }),
      ...(routines && { routines: routines.map((words) => AstProgram.fromWords(words)) }),
    }),
    jobs: part.jobs.map(({ site, job, programs }) =>
      Object.freeze({ site, job, programs: programs.map((words) => AstProgram.fromWords(words)) }),
    ),
  });
}
