// Operations as sequences of kernels. The kernel `composed` runs them on parts of a block, with scratch columns between them.
import type { CoreKernels } from "./core-kernels.js";
import { FloatKernel } from "./kernels.js";
import { Class, Flag } from "./layout.js";
import type { OperationEntry } from "./operations.js";
import { RecipeField } from "./recipe-layout.js";
import {
  type Comparison,
  type Conversion,
  RareOperation,
  type ScalarOperation,
  WordOperation,
} from "./word-kernels.js";

/** A column while an operation is computed: operands are the registers 0 to 3. */
export type Register = number;

/** The computation of an operation. */
export interface Definition {
  /** `Flag`s, with the classes of operands and result. */
  readonly flags: number;
  /** Writes the steps of the operation; the last one computes the register that is returned. */
  readonly build: (recipe: Recipe) => Register;
}

/** All kernels, as indices in the table of functions: `core`'s, and those of the module `extended`. */
export interface Kernels extends CoreKernels {
  readonly composed: number;
  readonly directed: number;
  readonly doubles: number;
  readonly halves: number;
  readonly longs: number;
  readonly longTests: number;
  readonly rareWords: number;
  readonly scalars: number;
  readonly widenings: number;
}

/** The bits of the smallest normal f32. */
export const LEAST_NORMAL = 0x00800000;

/** Operands that are read bit by bit. */
export const bitwise = (operands: number): number => ((1 << operands) - 1) << Flag.bitwiseShift;

const FIRST_CONSTANT = 0x100;
const FIRST_STEP = 0x200;

/** The number of an operation in a kernel that has several, with its argument. */
export const withArgument = (operation: number, argument: number): number => operation | (argument << 8);

interface RecipeStep {
  readonly kernel: number;
  readonly extra: number;
  readonly least: number;
  readonly registers: readonly Register[];
}

/** The steps of an operation, while they are written. */
export class Recipe {
  readonly kernels: Kernels;
  readonly #steps: RecipeStep[] = [];
  readonly #constants: (readonly [low: number, high: number])[] = [];

  constructor(kernels: Kernels) {
    this.kernels = kernels;
  }

  words(operation: WordOperation, ...registers: readonly Register[]): Register {
    return this.step(this.kernels.words, operation, registers);
  }

  rare(operation: RareOperation, ...registers: readonly Register[]): Register {
    return this.step(this.kernels.rareWords, operation, registers);
  }

  /** Words that are extended by the sign of their bit `bits - 1`, or by zeros. */
  extended(register: Register, bits: number, signed: boolean): Register {
    if (bits === 32) return register;
    return signed
      ? this.rare(withArgument(RareOperation.extend, 32 - bits), register)
      : this.words(WordOperation.and, register, this.constant(2 ** bits - 1));
  }

  compare(comparison: Comparison, inverse: boolean, a: Register, b: Register): Register {
    return this.step(this.kernels.comparisons, withArgument(comparison, Number(inverse)), [a, b]);
  }

  convert(conversion: Conversion, register: Register): Register {
    return this.step(this.kernels.conversions, conversion, [register]);
  }

  scalar(operation: ScalarOperation, ...registers: readonly Register[]): Register {
    return this.step(this.kernels.scalars, operation, registers);
  }

  /** Results that are smaller than the f32 `least`, given by its bits, become zeros. */
  float(kernel: FloatKernel, least: number, ...registers: readonly Register[]): Register {
    return this.step(this.kernels.float(kernel), 0, registers, least);
  }

  canonical(register: Register): Register {
    return this.float(FloatKernel.canonicalize, 0, register);
  }

  step(kernel: number, extra: number, registers: readonly Register[], least = 0): Register {
    this.#steps.push({ kernel, extra, least, registers });
    return FIRST_STEP + this.#steps.length - 1;
  }

  /** A column of words; of double words if they have a high half. */
  constant(low: number, high = low): Register {
    const known = this.#constants.findIndex((constant) => constant[0] === low && constant[1] === high);
    return FIRST_CONSTANT + (known === -1 ? this.#constants.push([low, high]) - 1 : known);
  }

  /**
   * The entry of the operation.
   * @param result the register that the last step computes, or an operand
   * @param write receives the words of a recipe and returns their address
   */
  finish(
    { flags }: Definition,
    result: Register,
    operands: number,
    write: (words: readonly number[]) => number,
  ): OperationEntry {
    if (result < FIRST_STEP) this.words(WordOperation.copy, result);
    const [{ kernel, extra, least, registers }] = this.#steps as [RecipeStep];
    const inOrder = registers.length === operands && registers.every((register, index) => register === index);
    const ownLeast = (flags & Flag.clean) === 0 ? 0 : LEAST_NORMAL;
    if (this.#steps.length > 1 || !inOrder || (least !== ownLeast && least !== 0)) {
      return { kernel: this.kernels.composed, flags, extra: write(this.#encoded(wideRegisters(flags))) };
    }
    return { kernel, flags, extra };
  }

  #encoded(wide: number): readonly number[] {
    const last = this.#steps.length - 1;
    const place = (register: Register): number => {
      if (register < FIRST_CONSTANT) return register;
      if (register < FIRST_STEP) return RecipeField.firstScratch + register - FIRST_CONSTANT;
      return register === FIRST_STEP + last
        ? RecipeField.result
        : RecipeField.firstScratch + this.#constants.length + register - FIRST_STEP;
    };
    const shape =
      this.#steps.length |
      (this.#constants.length << RecipeField.constantShift) |
      (wide << RecipeField.wideShift);
    const steps = this.#steps.flatMap(({ kernel, extra, least, registers }, index) => {
      const places = [FIRST_STEP + index, ...registers].map(place);
      const packed = places.reduce(
        (bits, each, field) => bits | (each << (field * RecipeField.registerBits)),
        0,
      );
      return [kernel, least, extra, packed];
    });
    return [shape, ...this.#constants.flat(), ...steps];
  }
}

/** The operands with 8 bytes a row, one bit each, and the result. */
function wideRegisters(flags: number): number {
  const isWide = (shift: number) => ((flags >> shift) & Class.mask) === Class.double;
  const operands = [0, 1, 2, 3].filter((operand) => isWide(operand * Class.bits));
  const registers = isWide(Flag.resultShift) ? [...operands, RecipeField.result] : operands;
  return registers.reduce((bits, register) => bits | (1 << register), 0);
}
