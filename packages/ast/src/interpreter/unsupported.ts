// The error for an instruction that cannot be interpreted, with its place.
import { AstPtxError, counted, type InstructionPlace } from "../error.js";
import { describeUnknown, operationOf } from "../float32.js";
import { InstructionType, Packed } from "../layout.js";
import type { AstProgram } from "../program.js";

/** Explains why an instruction with these words is not supported. */
export function unsupported(ptx: string, args: number, place: InstructionPlace): AstPtxError {
  const operation = operationOf(ptx);
  const message =
    operation === undefined
      ? describeUnknown(ptx)
      : `expected ${counted(operation.args, "argument")} for \`${ptx}\`, found ${args}`;
  return new AstPtxError("UNSUPPORTED_INSTRUCTION", message, place);
}

/** The code that is running: the words of a program or routine, and a position in them. */
interface Frame {
  readonly routine: number | undefined;
  readonly words: Uint32Array;
  at: number;
}

/**
 * Finds the PTX instruction that produced a line of a compiled program, given the number of PTX instructions that ran
 * before it.
 */
export function placeOfLine(
  line: number,
  { words }: AstProgram,
  routines: readonly Uint32Array[],
): InstructionPlace {
  const suspended: Frame[] = [];
  let frame: Frame = { routine: undefined, words, at: 0 };
  for (let left = line; ; ) {
    const { at } = frame;
    const type = at < frame.words.length ? frame.words[at]! & Packed.typeMask : InstructionType.ret;
    frame.at += Packed.wordsPerInstruction;
    if (type === InstructionType.ptx && left-- === 0) {
      return { routine: frame.routine, instruction: at / Packed.wordsPerInstruction };
    }
    if (type === InstructionType.ret) {
      frame = suspended.pop()!;
    } else if (type === InstructionType.routine) {
      const routine = frame.words[at + 1]!;
      suspended.push(frame);
      frame = { routine, words: routines[routine]!, at: 0 };
    }
  }
}
