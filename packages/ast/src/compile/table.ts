// The instruction table as a compile reads it.
import type { AstTable } from "@mm-ptx/types/core";
import { InstructionType, Packed } from "../layout.js";
import { packWord, Word } from "./words.js";

/** The most arguments of an instruction that the common loop runs. */
const COMMON_ARGS = 3;

export interface CompileTable {
  readonly length: number;
  /** Arguments of each instruction. */
  readonly args: Int32Array;
  /** The first word that each instruction has in a program, or 0 when the common loop leaves it to the general code. */
  readonly commonHeads: Int32Array;
  /** `add.ftz.f32 ` for each instruction. */
  readonly mnemonics: readonly string[];
  /** The same in `Word.perMnemonic` words, for those that the common loop runs. */
  readonly mnemonicWords: Float64Array;
  readonly mnemonicLengths: Int32Array;
}

export function compileTable({ instructions }: AstTable): CompileTable {
  const mnemonics = instructions.map(({ ptx }) => `${ptx} `);
  const words = mnemonics.flatMap((text) =>
    Array.from({ length: Word.perMnemonic }, (_, word) => packWord(text, word * Word.bytes)),
  );
  return {
    length: instructions.length,
    args: Int32Array.from(instructions, ({ args }) => args),
    commonHeads: Int32Array.from(instructions, ({ ptx, args }) =>
      args >= 1 && args <= COMMON_ARGS && ptx.length < Word.mnemonicBytes
        ? InstructionType.ptx | (args << Packed.auxShift)
        : 0,
    ),
    mnemonics,
    mnemonicWords: Float64Array.from(words),
    mnemonicLengths: Int32Array.from(mnemonics, ({ length }) => length),
  };
}
