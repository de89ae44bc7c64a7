// Expressions to programs: operands first, in reading order, each written wherever it is used unless sharing is asked for.
import { type AstTable, describeValue, didYouMean } from "@mm-ptx/types/core";
import { checkNames, checkTable, invalid } from "../checks.js";
import { AstPtxError } from "../error.js";
import { InstructionType, Packed } from "../layout.js";
import { AstProgram } from "../program.js";
import { type Expression, type Operand, toExpression } from "./expression.js";
import { type Fold, foldConstants } from "./fold.js";
import { instructionFor } from "./operations.js";
import { type Stage, stagesOf, unify } from "./share.js";
import { checkTreeSize, distinctNodes } from "./walk.js";

/** What an expression may be made into a program with. */
export interface ToProgramOptions {
  /** The order of the inputs; others may stand among them. Default: as the variables appear in reading order. */
  readonly inputs?: readonly string[];
  /** Compute what is constant: `exact`, or `all` with the functions that PTX only approximates. Default: nothing. */
  readonly fold?: Fold;
  /** Compute common subexpressions once, by routines that take them as arguments. Default: false. */
  readonly share?: boolean;
}

/** The program of an expression, with what a compile of it needs. */
export interface ExpressionProgram {
  readonly program: AstProgram;
  /** The names of the inputs, as a job takes them. */
  readonly inputs: readonly string[];
  /** The routines that the program needs of its compiler; none unless `share` was asked for. */
  readonly routines: readonly AstProgram[];
}

const OPTION_NAMES = ["inputs", "fold", "share"];
const FOLDS: readonly unknown[] = ["exact", "all", undefined];

/**
 * The program of an expression for a table.
 * @throws AstPtxError UNSUPPORTED_INSTRUCTION when the table lacks an operation; INVALID_VALUE when a variable is not
 * among the given inputs, the expression has more than 2^24 nodes written out, or an argument is of the wrong kind
 */
export function toProgram(
  expression: Operand,
  table: AstTable,
  options: ToProgramOptions = {},
): ExpressionProgram {
  checkTable(table);
  checkNames("option", options, OPTION_NAMES, "options as an object");
  const { fold, share = false } = options;
  if (!FOLDS.includes(fold)) throw invalid("`exact` or `all` as `fold`", fold);
  if (typeof share !== "boolean") throw invalid("a boolean as `share`", share);
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
  if (!Array.isArray(given)) throw invalid("`inputs` as an array of names", given);
  const known = new Set<string>();
  for (const name of given as readonly unknown[]) {
    if (typeof name !== "string") throw invalid("the name of an input", name);
    if (known.has(name)) {
      throw new AstPtxError("INVALID_VALUE", `expected each input once, found \`${name}\` twice`);
    }
    known.add(name);
  }
  const missing = [...names].find((name) => !known.has(name));
  if (missing !== undefined) {
    throw new AstPtxError(
      "INVALID_VALUE",
      `expected variables among \`inputs\`, found ${describeValue(missing)}${didYouMean(missing, known)}`,
    );
  }
  return Object.freeze([...given]);
}

/** The words of one program, written behind each other. */
class Words {
  private words = new Uint32Array(64);
  private length = 0;

  constructor(
    private readonly table: AstTable,
    private readonly inputs: ReadonlyMap<string, number>,
  ) {}

  toProgram(): AstProgram {
    return AstProgram.fromWords(this.words.slice(0, this.length));
  }

  /** @param next the routine that is the next stage, if there is one */
  writeStage({ given, kept, computes }: Stage, next: number | undefined): void {
    const args = new Map(given.map((value, index) => [value, index]));
    for (const value of kept) this.push(InstructionType.routineArgument, args.get(value)!);
    for (const value of computes) this.write(value, args);
    if (next === undefined) return;
    const count = kept.length + computes.length;
    if (count > Packed.auxMax) {
      throw new AstPtxError(
        "INVALID_VALUE",
        `expected at most ${Packed.auxMax} common values at a time, found ${count}`,
      );
    }
    this.push(InstructionType.routine, next, count);
  }

  /** Writes an expression, operands first; `args` says which values are arguments of the routine that is written. */
  private write(root: Expression, args: ReadonlyMap<Expression, number>): void {
    const waiting: Expression[] = [root];
    /** Whether the operands of each that waits are written. */
    const ready: boolean[] = [false];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      const operandsAreWritten = ready.pop()!;
      const arg = args.get(node);
      if (arg !== undefined) {
        this.push(InstructionType.routineArgument, arg);
      } else if (node.kind === "variable") {
        this.push(InstructionType.input, this.inputs.get(node.name)!);
      } else if (node.kind === "constant") {
        this.push(InstructionType.constant, node.bits);
      } else if (operandsAreWritten) {
        this.push(InstructionType.ptx, instructionFor(this.table, node.operation), node.args.length);
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

  private push(type: InstructionType, payload: number, aux = 0): void {
    if (this.length === this.words.length) {
      const longer = new Uint32Array(2 * this.length);
      longer.set(this.words);
      this.words = longer;
    }
    this.words[this.length++] = type | (aux << Packed.auxShift);
    this.words[this.length++] = payload;
  }
}
