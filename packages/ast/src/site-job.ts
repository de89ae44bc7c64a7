// From the operands of an injection site to the job of a compile.
import type { AstTable, SiteOperand } from "@mm-ptx/types/core";
import { describeValue, didYouMean, isAnything, quoted, readSiteOperands } from "@mm-ptx/types/internal";
import { checkOptions, checkTable } from "./checks.js";
import { AstPtxError } from "./error.js";
import { checkName } from "./inputs.js";
import type { AstCompileJob } from "./job.js";

/** Options of `siteJob`. */
export interface SiteJobOptions {
  /** The name of the `out` or `mod` operand to write. It is needed only when the site has more than one. */
  readonly output?: string;
}

/**
 * The job of a stub for an injection site.
 *
 * The inputs are the `in` and `mod` operands, in their order: `input(0)` reads the first of them. The output is the only
 * `out` or `mod` operand, or the one that `output` names; a stub of AST PTX writes no other.
 *
 * AST PTX computes f32 values only, so the inputs and the output have to be f32 registers. Leave operands of other types out
 * of the list when the program does not read them.
 *
 * @param operands such as `annotated.injection("func").operands` of `@mm-ptx/inject`
 * @throws AstPtxError INVALID_ARGUMENT when it is not clear which operand to write, when an operand is not an f32, and for
 * arguments of the wrong kind
 */
export function siteJob(
  table: AstTable,
  operands: readonly SiteOperand[],
  options: SiteJobOptions = {},
): AstCompileJob {
  checkTable(table);
  checkOptions(options, { output: isAnything });
  const read = readSiteOperands(operands, refuse);
  const output = outputOf(read, options.output);
  const inputs = read.filter(({ direction }) => direction !== "out");
  return Object.freeze({ inputs: Object.freeze(inputs.map(registerOf)), output: registerOf(output) });
}

function outputOf(operands: readonly SiteOperand[], name: string | undefined): SiteOperand {
  const written = operands.filter(({ direction }) => direction !== "in");
  const names = written.map((operand) => operand.name);
  const known = names.length === 0 ? "none" : names.map(quoted).join(", ");
  if (name === undefined) {
    if (written.length === 1) return written[0]!;
    const hint = written.length === 0 ? "" : ": choose one with `output`";
    throw refuse(`expected one \`out\` or \`mod\` operand, found ${known}${hint}`);
  }
  const named = written.filter((operand) => operand.name === name);
  if (named.length === 1) return named[0]!;
  const hint = typeof name === "string" && named.length === 0 ? didYouMean(name, names) : "";
  throw refuse(
    `expected \`output\` as the name of one \`out\` or \`mod\` operand (${known}), found ${describeValue(name)}${hint}`,
  );
}

function registerOf({ name, register, registerType, type }: SiteOperand): string {
  if (registerType !== "f32") {
    throw refuse(
      `expected operand ${quoted(name)} of type ${quoted(type)} in an f32 register, found register type ${quoted(registerType)}`,
    );
  }
  checkName(register);
  return register;
}

const refuse = (message: string): AstPtxError => new AstPtxError("INVALID_ARGUMENT", message);
