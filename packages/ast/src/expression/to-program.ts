// Converts expressions to programs: operands first, in reading order. Every expression is written wherever it is used,
// unless sharing is requested.
import type { AstTable } from "@mm-ptx/types/core";
import { type Checks, describeValue, didYouMean, isBoolean, isListOf, isOneOf } from "@mm-ptx/types/internal";
import { checkOptions, checkTable } from "../checks.js";
import { AstPtxError } from "../error.js";
import { InstructionType, Packed } from "../layout.js";
import { AstProgram } from "../program.js";
import { type Expression, type Operand, toExpression } from "./expression.js";
import { type Fold, foldConstants } from "./fold.js";
import { instructionFor } from "./operations.js";
import { type Stage, stagesOf, unify } from "./share.js";
import { checkTreeSize, distinctNodes } from "./walk.js";

/** Options of the conversion. */
export interface ToProgramOptions {
  /**
   * The order of the inputs; it may contain names that the expression does not use. By default inputs are ordered as
   * their variables appear.
   */
  readonly inputs?: readonly string[];
  /**
   * Fold constants: `exact`, or `all` to include the functions that PTX only approximates. By default nothing is
   * folded.
   */
  readonly fold?: Fold;
  /** Compute common subexpressions once, with routines that take them as arguments. The default is false. */
  readonly share?: boolean;
}

/** The program of an expression, and everything needed to compile it. */
export interface ExpressionProgram {
  readonly program: AstProgram;
  /** The names of the inputs, for the job of a compile. */
  readonly inputs: readonly string[];
  /** The routines that the program needs; empty unless `share` is true. */
  readonly routines: readonly AstProgram[];
}

const OPTIONS: Checks = {
  inputs: isListOf("names", (value) => typeof value === "string"),
  fold: isOneOf(["exact", "all"]),
  share: isBoolean,
};

/**
 * Converts an expression to a program for a table.
 * @throws AstPtxError UNSUPPORTED_INSTRUCTION when the table lacks an operation; INVALID_ARGUMENT when a variable is not
 * among the given inputs, the expression has more than 2^24 nodes when written out, or an argument is of the wrong kind
 */
export function toProgram(
  expression: Operand,
  table: AstTable,
  options: ToProgramOptions = {},
): ExpressionProgram {
  checkTable(table);
  checkOptions(options, OPTIONS);
  const { fold, share = false } = options;
  const written = toExpression(expression);
  const root = fold === undefined ? written : foldConstants(written, table, fold);
  const inputs = inputsOf(root, options.inputs);
  if (!share) checkTreeSize(root);
  const stages = share ? stagesOf(unify(root)) : [{ given: [], kept: [], computes: [root] }];
  const indices = new Map(inputs.map((name, index) => [name, index]));
  const [program, ...routines] = stages.map((stage, index) => {
    const words = new Words(table, indices);
    words.writeStage(stage, index === stages.length - 1 ? undefined : index);
    return words.toProgram();
  });
  return { program: program!, inputs, routines };
}

function inputsOf(root: Expression, given: readonly string[] | undefined): readonly string[] {
  const names = new Set<string>();
  for (const node of distinctNodes(root)) if (node.kind === "variable") names.add(node.name);
  if (given === undefined) return Object.freeze([...names]);
  const known = new Set<string>();
  for (const name of given) {
    if (known.has(name)) {
      throw new AstPtxError("INVALID_ARGUMENT", `expected each input once, found \`${name}\` twice`);
    }
    known.add(name);
  }
  const missing = [...names].find((name) => !known.has(name));
  if (missing !== undefined) {
    throw new AstPtxError(
      "INVALID_ARGUMENT",
      `expected variables among \`inputs\`, found ${describeValue(missing)}${didYouMean(missing, known)}`,
    );
  }
  return Object.freeze([...given]);
}

/** The words of one program, written one after the other. */
class Words {
  #words = new Uint32Array(64);
  #length = 0;

  readonly #table: AstTable;
  readonly #inputs: ReadonlyMap<string, number>;

  constructor(table: AstTable, inputs: ReadonlyMap<string, number>) {
    this.#table = table;
    this.#inputs = inputs;
  }

  toProgram(): AstProgram {
    return AstProgram.fromWords(this.#words.slice(0, this.#length));
  }

  /** @param next the routine that is the next stage, if there is one */
  writeStage({ given, kept, computes }: Stage, next: number | undefined): void {
    const args = new Map(given.map((value, index) => [value, index]));
    for (const value of kept) this.#push(InstructionType.routineArgument, args.get(value)!);
    for (const value of computes) this.#write(value, args);
    if (next === undefined) return;
    const count = kept.length + computes.length;
    if (count > Packed.auxMax) {
      throw new AstPtxError(
        "INVALID_ARGUMENT",
        `expected at most ${Packed.auxMax} common values at a time, found ${count}`,
      );
    }
    this.#push(InstructionType.routine, next, count);
  }

  /** Writes an expression, operands first; `args` says which values are arguments of the routine being written. */
  #write(root: Expression, args: ReadonlyMap<Expression, number>): void {
    const waiting: Expression[] = [root];
    /** For each waiting node, whether its operands have been written. */
    const ready: boolean[] = [false];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      const operandsAreWritten = ready.pop()!;
      const arg = args.get(node);
      if (arg !== undefined) {
        this.#push(InstructionType.routineArgument, arg);
      } else if (node.kind === "variable") {
        this.#push(InstructionType.input, this.#inputs.get(node.name)!);
      } else if (node.kind === "constant") {
        this.#push(InstructionType.constant, node.bits);
      } else if (operandsAreWritten) {
        this.#push(InstructionType.ptx, instructionFor(this.#table, node.operation), node.args.length);
      } else {
        waiting.push(node);
        ready.push(true);
        for (let index = node.args.length - 1; index >= 0; index--) {
          waiting.push(node.args[index]!);
          ready.push(false);
        }
      }
    }
  }

  #push(type: InstructionType, payload: number, aux = 0): void {
    if (this.#length === this.#words.length) {
      const longer = new Uint32Array(2 * this.#length);
      longer.set(this.#words);
      this.#words = longer;
    }
    this.#words[this.#length++] = type | (aux << Packed.auxShift);
    this.#words[this.#length++] = payload;
  }
}
