// Sites that Stack PTX programs fill.
import {
  type SiteJobOptions,
  StackCompiler,
  type StackCompilerOptions,
  type StackProgram,
  siteJob,
} from "@mm-ptx/stack";
import type { StackTable } from "@mm-ptx/types/core";
import { isValueInstruction } from "../packing/opcodes.js";
import type { Site } from "./site.js";

/** Options of a site that Stack PTX fills: those of `StackCompiler` and of `siteJob`, and the limit of a compile. */
export interface StackSiteOptions extends StackCompilerOptions, SiteJobOptions {
  /** The most instructions that the machine executes for a program. */
  readonly executionLimit?: number;
}

/**
 * A site that programs of Stack PTX fill. The registers of a program are the site's operands in their order, as `siteJob` has them:
 * `input(0)` reads the first one.
 *
 * @throws StackPtxError INVALID_ARGUMENT for a table or options of the wrong kind
 */
export function stackSite(table: StackTable, options: StackSiteOptions = {}): Site<StackProgram> {
  const { types, executionLimit, ...compilerOptions } = options;
  const compiler = new StackCompiler(table, compilerOptions);
  const hasPlainInstructions = table.instructions.every(({ ptx }) => isValueInstruction(ptx));
  return {
    kind: "stack",
    table,
    bind(_, { operands }) {
      const shape = siteJob(table, operands, types === undefined ? {} : { types });
      const job = executionLimit === undefined ? shape : { ...shape, executionLimit };
      return {
        signature: (program) => compiler.signature(program, job),
        stub: (program) => compiler.compile(program, job),
        describe: (program, features) => compiler.describeInto(program, job, features),
        // All names that the compiler writes begin with an underscore, those of special registers do not.
        isPlain: (stub) => hasPlainInstructions && !/%[^_]/.test(stub),
      };
    },
  };
}
