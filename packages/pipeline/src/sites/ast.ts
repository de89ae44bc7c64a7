// Sites that AST PTX programs fill.
import {
  AstCompiler,
  type AstCompilerOptions,
  type AstProgram,
  type SiteJobOptions,
  siteJob,
} from "@mm-ptx/ast";
import type { AstTable } from "@mm-ptx/types/core";
import { isValueInstruction } from "../packing/opcodes.js";
import { digest, type Site } from "./site.js";

/** Options of a site that AST PTX fills: those of `AstCompiler` and of `siteJob`. */
export interface AstSiteOptions extends AstCompilerOptions, SiteJobOptions {}

/**
 * A site that programs of AST PTX fill. The inputs are the site's `in` and `mod` operands in their order, and the output is its only
 * `out` or `mod` operand, or the one that `output` names.
 *
 * @throws AstPtxError INVALID_ARGUMENT for a table or options of the wrong kind
 */
export function astSite(table: AstTable, options: AstSiteOptions = {}): Site<AstProgram> {
  const { output, ...compilerOptions } = options;
  const compiler = new AstCompiler(table, compilerOptions);
  const hasPlainInstructions = table.instructions.every(({ ptx }) => isValueInstruction(ptx));
  return {
    kind: "ast",
    table,
    bind(_, { operands }) {
      const job = siteJob(table, operands, output === undefined ? {} : { output });
      return {
        ...textWriter((program) => compiler.compile(program, job)),
        describe: (program, features) => compiler.describeInto(program, job, features),
        isPlain: () => hasPlainInstructions,
      };
    },
  };
}

/** A writer whose signatures are those of the stubs' text. The stub that was made for a signature is kept until the next one. */
export function textWriter<Program>(write: (program: Program) => string): ReturnType<Site<Program>["bind"]> {
  let last: { readonly program: Program; readonly stub: string } | undefined;
  const made = (program: Program): string => {
    if (last === undefined || last.program !== program) last = { program, stub: write(program) };
    return last.stub;
  };
  return { signature: (program) => digest(made(program)), stub: made };
}
