// The instruction table as text: every piece of a stub that does not depend on the program.
import type { StackTable } from "@mm-ptx/types/core";
import { Node } from "../nodes.js";
import { ConstantForm } from "./constants.js";
import { TextPieces } from "./words.js";

export interface TextTable {
  /** `\tadd.ftz.f32 ` for each instruction. */
  readonly mnemonics: TextPieces;
  /** Where each instruction's entry begins in `groups`. */
  readonly groupsAt: Int32Array;
  /**
   * For each instruction, the number of results and the elements of each (0 for a scalar), then the same for its
   * arguments.
   */
  readonly groups: Int32Array;
  /** `%tid.x, ` for each element of each special register, `Node.specialElements` apart. */
  readonly specials: TextPieces;
  /** `\t.reg .f32 %_s0_<` for each stack. */
  readonly declarations: TextPieces;
  /** `\tmov.f32 ` for each stack. */
  readonly moves: TextPieces;
}

export function textTable(table: StackTable): TextTable {
  const groupsAt = new Int32Array(table.instructions.length);
  const groups: number[] = [];
  table.instructions.forEach((instruction, index) => {
    const results = instruction.results.map((type) => table.argTypes[type]!.vectorElements);
    const args = instruction.args.map((type) => table.argTypes[type]!.vectorElements);
    groupsAt[index] = groups.length;
    groups.push(results.length, ...results, args.length, ...args);
  });
  return {
    mnemonics: new TextPieces(table.instructions.map(({ ptx }) => `\t${ptx} `)),
    groupsAt,
    groups: Int32Array.from(groups),
    specials: new TextPieces(
      table.specialRegisters.flatMap(({ ptx, argType }) => {
        const vector = table.argTypes[argType]!.vectorElements > 0;
        return Array.from({ length: Node.specialElements }, (_, element) =>
          vector ? `%${ptx}.${"xyzw"[element]}, ` : `%${ptx}, `,
        );
      }),
    ),
    declarations: new TextPieces(
      table.stackTypes.map(({ literalPrefix }, stack) => `\t.reg .${literalPrefix} %_s${stack}_<`),
    ),
    moves: new TextPieces(table.stackTypes.map(({ literalPrefix }) => `\tmov.${literalPrefix} `)),
  };
}

/** How each stack prints constants. */
export function constantForms(table: StackTable): Uint8Array {
  return Uint8Array.from(table.stackTypes, ({ literalPrefix }) =>
    literalPrefix === "f32"
      ? ConstantForm.float
      : literalPrefix === "u32"
        ? ConstantForm.unsigned
        : ConstantForm.hex,
  );
}
