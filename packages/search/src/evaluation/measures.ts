// Measures of programs: what the axes of an archive say about them.
import { CODE_NAMES } from "@mm-ptx/types/code";
import { isFunction, isListOf, isText } from "@mm-ptx/types/internal";
import { invalid } from "../options.js";
import type { Plain } from "../plain.js";
import type { Genome, ProgramSpace } from "../spaces/space.js";
import { CodeShape } from "./code-shape.js";
import { type MachineCost, MachineCostModel } from "./machine/cost.js";

/** What a measure may look at. The objects are reused for the next program. */
export interface MeasuredProgram {
  readonly space: ProgramSpace;
  readonly genome: Genome;
  /** Memory with the program's code, which begins at the index `start`. */
  readonly words: Uint32Array;
  readonly start: number;
  readonly shape: CodeShape;
  /** What the code costs in machine instructions, which is counted when it is read first. */
  readonly machine: MachineCost;
}

/** A number that says something about a program besides how good it is. */
export interface Measure {
  readonly name: string;
  /** What determines the number, for the description of a run. */
  readonly description: Plain;
  /** The number of a program. */
  of(program: MeasuredProgram): number;
}

/** A function that makes a measure, whose name can be chosen. */
const simple =
  (measure: string, of: Measure["of"], standard = measure) =>
  (name = standard): Measure => {
    if (isText(name, "name") !== undefined) throw invalid("the name of a measure", name);
    return { name, description: { measure }, of };
  };

/**
 * Measures of programs. Instructions that do not contribute to the result are not counted. The axes of an archive have the names of the
 * measures, in the same order; other names than the usual ones can be given.
 */
export const measures = {
  /** What the space says about the genome: the sum of the costs of its parts. */
  complexity: simple("complexity", ({ space, genome }) => space.complexity(genome)),
  /** The number of PTX instructions. */
  instructions: simple("instructions", ({ shape }) => shape.instructions),
  /** The number of `machine instructions`, as `MachineCostModel` counts them. */
  machineInstructions: simple(
    "machineInstructions",
    ({ machine }) => machine.instructions,
    "machine instructions",
  ),
  /** The number of `special instructions`: machine instructions that use the unit for special functions. */
  specialInstructions: simple(
    "specialInstructions",
    ({ machine }) => machine.special,
    "special instructions",
  ),
  /** The number of constants. */
  constants: simple("constants", ({ shape }) => shape.constants),
  /** The number of different inputs that are used. */
  inputs: simple("inputs", ({ shape }) => shape.inputs),
  /** The greatest number of instructions that need one another's results. */
  depth: simple("depth", ({ shape }) => shape.depth),
  /**
   * The number of instructions with one of these names, such as `["sin", "cos"]`.
   * @throws SearchError INVALID_ARGUMENT when a name is not that of an instruction
   */
  operations: (names: readonly string[], name = "operations"): Measure => {
    const indices = readNames(names);
    const of = ({ shape }: MeasuredProgram): number => {
      let sum = 0;
      for (const index of indices) sum += shape.names[index]!;
      return sum;
    };
    return { name, description: { measure: "operations", names: [...names] }, of };
  },
  /**
   * What a function returns. The name identifies the function in the description of a run, so change it whenever the function changes.
   * @throws SearchError INVALID_ARGUMENT
   */
  custom: (name: string, of: Measure["of"]): Measure => {
    if (isText(name, "name") !== undefined) throw invalid("the name of a measure", name);
    if (isFunction(of, "of") !== undefined) throw invalid("a function", of);
    return { name, description: { measure: "custom", name }, of };
  },
};

function readNames(names: readonly string[]): number[] {
  if (isListOf("texts", (each) => typeof each === "string")(names, "names") !== undefined) {
    throw invalid("a list of names of instructions", names);
  }
  return names.map((name) => {
    const index = CODE_NAMES.indexOf(name);
    if (index < 3) throw invalid("the name of an instruction, such as `sin`", name);
    return index;
  });
}

/** The program whose measures are being written; what they look at is computed when the first of them does. */
class Program implements MeasuredProgram {
  genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  words: Uint32Array = new Uint32Array(0);
  start = 0;
  readonly space: ProgramSpace;
  readonly shape: CodeShape = new CodeShape();
  readonly #machine = new MachineCostModel();
  #isCounted = false;

  constructor(space: ProgramSpace) {
    this.space = space;
  }

  begin(genome: Genome, words: Uint32Array, start: number): void {
    this.genome = genome;
    this.words = words;
    this.start = start;
    this.shape.read(words, start);
    this.#isCounted = false;
  }

  get machine(): MachineCost {
    if (!this.#isCounted) this.#machine.count(this.words, this.start);
    this.#isCounted = true;
    return this.#machine;
  }
}

/** Writes the measures of programs, one after the other. */
export class MeasureWriter {
  readonly #measures: readonly Measure[];
  readonly #program: Program;

  constructor(space: ProgramSpace, list: readonly Measure[]) {
    this.#measures = list;
    this.#program = new Program(space);
  }

  /** Writes the measures of the genome and its code to `out` from the index `to` on. */
  write(genome: Genome, words: Uint32Array, start: number, out: Float64Array, to: number): void {
    this.#program.begin(genome, words, start);
    for (let axis = 0; axis < this.#measures.length; axis++)
      out[to + axis] = this.#measures[axis]!.of(this.#program);
  }
}
