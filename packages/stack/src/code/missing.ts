// Values that straight-line code cannot express, and the instruction of a program that makes them.
import type { StackTable } from "@mm-ptx/types/core";
import type { StackAnalysis } from "../analysis/analyze.js";
import { type InstructionPlace, StackPtxError } from "../error.js";
import { InstructionType, Packed } from "../layout.js";

/** A live value that straight-line code cannot express. */
export interface Missing {
  /** As PTX writes it: an instruction, a special register, or the type of a register. */
  readonly name: string;
  /** The type and payload of the instructions that make such values; `undefined` if no instruction makes them. */
  readonly type: InstructionType | undefined;
  readonly payload: number;
}

/** An instruction with vectors, with several results, or whose result depends on more than its operands. */
export function missingInstruction({ instructions }: StackTable, payload: number): Missing {
  return { name: instructions[payload]!.ptx, type: InstructionType.ptx, payload };
}

export function missingSpecial(special: string, payload: number): Missing {
  return { name: `%${special}`, type: InstructionType.special, payload };
}

/** A register of a type that is not among those of straight-line code, such as `.b128`. */
export function missingType({ stackTypes }: StackTable, stack: number): Missing {
  return { name: `.${stackTypes[stack]!.literalPrefix}`, type: undefined, payload: stack };
}

/** The error for it, with the place of the first live instruction that makes such a value. */
export function unsupported(
  { name, type, payload }: Missing,
  { live, routines: liveRoutines }: StackAnalysis,
  program: Uint32Array,
  routines: readonly Uint32Array[],
): StackPtxError {
  const makes = (words: Uint32Array) => (instruction: number) => {
    const at = instruction * Packed.wordsPerInstruction;
    return (words[at]! & Packed.typeMask) === type && words[at + 1] === payload;
  };
  const message = `expected instructions on single values, found \`${name}\``;
  const places: InstructionPlace[] = [
    ...live.filter(makes(program)).map((instruction) => ({ routine: undefined, instruction })),
    ...liveRoutines.flatMap(({ live }, routine) =>
      live.filter(makes(routines[routine]!)).map((instruction) => ({ routine, instruction })),
    ),
  ];
  return new StackPtxError("UNSUPPORTED_INSTRUCTION", message, places[0]);
}
