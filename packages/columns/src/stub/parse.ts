// From the text of a stub to straight-line code.
import { type PtxCode, PtxError, readFragment } from "@mm-ptx/ptx";
import { CodeBuffer } from "@mm-ptx/types/code";
import type { SiteOperand } from "@mm-ptx/types/core";
import { describeValue, quoted, readSiteOperands } from "@mm-ptx/types/internal";
import { ColumnsError } from "../error.js";
import { Draft } from "./draft.js";
import { errorAt } from "./error.js";
import { InstructionConverter } from "./instruction.js";
import { Registers } from "./registers.js";

/** Directives that do not affect what is computed. */
const IGNORED = new Set([".loc", ".pragma"]);

/**
 * Appends the code of a stub that consists of straight-line PTX: declarations of registers, and instructions on single values, in
 * braces or without.
 *
 * Input i is operand i, as for the stubs that `siteJob` of `@mm-ptx/stack` describes. The outputs are the `mod` operands, then the
 * `out` operands, each in their order. Instructions with a guard select between the new value and the old one. Each constant in the
 * text is a constant of the code.
 *
 * @param operands those of the site, such as `annotated.injection("func").operands` of `@mm-ptx/inject`
 * @param out the buffer to append to; without it, a new one
 * @returns the buffer
 * @throws ColumnsError SYNTAX when the text is not PTX; UNSUPPORTED_INSTRUCTION for everything but instructions on
 * single values: memory, branches, calls, vectors, special registers; BAD_OPERAND for operands that an instruction does
 * not accept; UNWRITTEN_REGISTER when a register is read that may have no value, or an `out` operand is not written;
 * INVALID_ARGUMENT for arguments of the wrong kind; INSUFFICIENT_BUFFER for more than 2^24 values. Nothing is appended
 * in these cases
 */
export function parseStub(
  text: string,
  operands: readonly SiteOperand[],
  out = new CodeBuffer(),
): CodeBuffer {
  if (typeof text !== "string") throw invalid(`expected the text of a stub, found ${describeValue(text)}`);
  if (!(out instanceof CodeBuffer))
    throw invalid(`expected a CodeBuffer to append to, found ${describeValue(out)}`);
  const site = readSiteOperands(operands, invalid);
  const code = read(text);
  const draft = new Draft();
  const registers = new Registers(code, site, draft);
  const converter = new InstructionConverter(code, registers, draft);
  for (let statement = 0; statement < code.statements.count; statement++) {
    if (code.statements.kind(statement) === "instruction") converter.convert(statement);
    else checkOther(code, statement);
  }
  draft.append(registers.outputs(), out);
  return out;
}

const invalid = (message: string): ColumnsError => new ColumnsError("INVALID_ARGUMENT", message);

/** @throws ColumnsError SYNTAX */
function read(text: string): PtxCode {
  try {
    return readFragment(text);
  } catch (error) {
    if (!(error instanceof PtxError)) throw error;
    const [problem] = error.problems;
    if (problem === undefined) throw invalid(error.message);
    throw errorAt(text, problem.span, "SYNTAX", problem.message, { cause: error });
  }
}

/** Rejects statements that are neither instructions nor without effect. */
function checkOther(code: PtxCode, statement: number): void {
  const span = code.spanOf(statement);
  const first = code.tokens.textOf(code.statements.firsts[statement]!);
  switch (code.statements.kind(statement)) {
    case "empty":
    case "open":
    case "close":
    case "label":
      return;
    case "directive":
      if (IGNORED.has(first)) return;
      break;
    case "variable": {
      const other = code.variables(statement).find(({ space, vector }) => space !== "reg" || vector !== 1);
      if (other === undefined) return;
      break;
    }
  }
  throw errorAt(
    code.text,
    span,
    "UNSUPPORTED_INSTRUCTION",
    `expected registers and instructions, found ${quoted(first)}`,
  );
}
