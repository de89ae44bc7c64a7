// The error for an instruction that cannot be interpreted, and where it stands.
import type { AstTable } from "@mm-ptx/types/core";
import { AstPtxError, counted, type InstructionPlace } from "../error.js";
import { describeUnknown, operationOf } from "../float32.js";
import { InstructionType, Packed } from "../layout.js";
import type { AstProgram } from "../program.js";

/** What a program is made of. */
export interface Sources {
  readonly table: AstTable;
  readonly program: AstProgram;
  readonly routines: readonly AstProgram[];
}

/** Why an instruction of these words, which stands in a program or its routines, is not supported. */
export function unsupported(ptx: string, args: number, sources: Sources): AstPtxError {
  const operation = operationOf(ptx);
  const message =
    operation === undefined
      ? describeUnknown(ptx)
      : `expected ${counted(operation.args, "argument")} for \`${ptx}\`, found ${args}`;
  return new AstPtxError("UNSUPPORTED_INSTRUCTION", message, placeOf(ptx, args, sources));
}

/** The first instruction of that kind, in the program itself or else in a routine. */
function placeOf(ptx: string, args: number, sources: Sources): InstructionPlace | undefined {
  const { table, program, routines } = sources;
  const parts = [program, ...routines];
  for (const [part, { words }] of parts.entries()) {
    for (let at = 0; at < words.length; at += Packed.wordsPerInstruction) {
      const head = words[at]!;
      const type = head & Packed.typeMask;
      if (type === InstructionType.return) break;
      const isIt = type === InstructionType.ptx && head >>> Packed.auxShift === args;
      if (!isIt || table.instructions[words[at + 1]!]?.ptx !== ptx) continue;
      return { routine: part === 0 ? undefined : part - 1, instruction: at / Packed.wordsPerInstruction };
    }
  }
  return undefined;
}
