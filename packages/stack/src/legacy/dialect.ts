// Tells programs of Stack PTX 1.0 from those of 1.1 by their words, as far as that is possible.

import { isBoolean, wordsOf } from "@mm-ptx/types/internal";
import { checkOptionValues, invalid } from "../arguments.js";
import { InstructionType, Packed } from "../layout.js";
import { Legacy, LegacyType } from "./layout.js";

/**
 * `1.0` and `1.1` are certain. `unknown`: the words mean something in both, so only their origin can decide. `neither`:
 * no version could have made them.
 */
export type Dialect = "1.0" | "1.1" | "neither" | "unknown";

/** Options of `detectDialect`. */
export interface DetectDialectOptions {
  /**
   * Whether the words are known to end with the return that ends the program, as C arrays and serialized programs do.
   * That return then identifies the dialect. The default is `false`: the return may have been left out.
   */
  readonly complete?: boolean;
}

const OPTIONS = { complete: isBoolean };

/**
 * Determines which version of Stack PTX a program was made for: 1.0, which mm-ptx-py uses up to 1.0.1, or 1.1.
 * @param words the words of a program, or its little-endian bytes
 * @throws StackPtxError INVALID_ARGUMENT when they are of the wrong kind or end within an instruction, and for unknown
 * options
 */
export function detectDialect(words: Uint32Array | Uint8Array, options: DetectDialectOptions = {}): Dialect {
  checkOptionValues(options, OPTIONS);
  const program = programWords(words);
  return options.complete === true ? dialectOfReturn(program) : dialectOfFragment(program);
}

/**
 * Whether words look like a program of 1.0, with its return or without it. Those of a program that 1.1 can run never do.
 */
export function looksLegacy(words: Uint32Array): boolean {
  return !isCurrent(words) && (dialectOfReturn(words) === "1.0" || dialectOfFragment(words) === "1.0");
}

/** Whether all words are legal in 1.1. Files check every program, so this is the loop that has to be fast. */
function isCurrent(words: Uint32Array): boolean {
  for (let at = 0; at < words.length; at += Packed.wordsPerInstruction) {
    if (!isCurrentType(words[at]! & Packed.typeMask)) return false;
  }
  return true;
}

/** The words of a program that is given as words or as bytes. @throws StackPtxError INVALID_ARGUMENT */
export function programWords(given: Uint32Array | Uint8Array): Uint32Array {
  if (!(given instanceof Uint32Array || given instanceof Uint8Array)) {
    throw invalid("a program as a Uint32Array or a Uint8Array", given);
  }
  if (given.byteLength % Packed.bytesPerInstruction !== 0) {
    throw invalid(
      `${Packed.bytesPerInstruction} bytes per instruction`,
      given.byteLength,
      " bytes: the last one is truncated",
    );
  }
  return given instanceof Uint32Array ? given : wordsOf(given);
}

function dialectOfReturn(words: Uint32Array): Dialect {
  const last = words[words.length - Packed.wordsPerInstruction];
  if (last === undefined) return "neither";
  if ((last & Legacy.typeMask) === LegacyType.return) return "1.0";
  return (last & Packed.typeMask) === InstructionType.return ? "1.1" : "neither";
}

function dialectOfFragment(words: Uint32Array): Dialect {
  let [legacy, current] = [true, true];
  for (let at = 0; at < words.length && (legacy || current); at += Packed.wordsPerInstruction) {
    const head = words[at]! & Legacy.headMask;
    const type = head & Legacy.typeMask;
    legacy &&= head >>> Legacy.resultShift === 0 && isLegacyType(type);
    current &&= isCurrentType(head);
  }
  if (legacy === current) return legacy ? "unknown" : "neither";
  return legacy ? "1.0" : "1.1";
}

const isLegacyType = (type: number): boolean =>
  (type >= LegacyType.ptx && type <= LegacyType.routine) ||
  (type >= LegacyType.return && type <= LegacyType.load);

const isCurrentType = (type: number): boolean =>
  type <= InstructionType.load && ((CURRENT_TYPES >>> type) & 1) === 1;

/** A bit for each type of 1.1. */
const CURRENT_TYPES = [
  InstructionType.ptx,
  InstructionType.constant,
  InstructionType.input,
  InstructionType.special,
  InstructionType.meta,
  InstructionType.metaConstant,
  InstructionType.routine,
  InstructionType.return,
  InstructionType.store,
  InstructionType.load,
].reduce((bits, type) => bits | (1 << type), 0);
