// Symbolic regression: the search for equations of a table, and the equations that it has found.

import { table } from "@mm-ptx/ast/f32";
import { evaluateBatch, type Loss, type WorkersOption } from "@mm-ptx/columns";
import { CodeBuffer } from "@mm-ptx/types/code";
import {
  type Check,
  isAnything,
  isBoolean,
  isListOf,
  isNumber,
  isObject,
  isWhole,
  unexpected,
} from "@mm-ptx/types/internal";
import { gridArchive } from "../archives/grid.js";
import { backpropagate } from "../emitters/backpropagation/backpropagate.js";
import { evolve } from "../emitters/evolve.js";
import { tournament } from "../emitters/select/tournament.js";
import { columnsEvaluator } from "../evaluation/columns/evaluator.js";
import { measures } from "../evaluation/measures.js";
import { invalid, readOptions } from "../options.js";
import { Search } from "../search/search.js";
import { type AstSpace, astSpace } from "../spaces/ast.js";
import type { ConstantsOptions } from "../spaces/ast-constants.js";
import type { Constraints } from "../spaces/constraints.js";
import type { FunctionDefinitions } from "../spaces/functions.js";
import type { Genome } from "../spaces/space.js";
import { withReadableConstants } from "./constants.js";
import { prepareData, type RegressionData, type RegressionRows } from "./data.js";
import { ExactOutputs, IDENTITY, isNearly, type Line, lossOf, readableLine, scaledFormula } from "./line.js";

/** The data of a regression, and what its equations may consist of. */
export interface RegressionOptions {
  /** The names of the columns that equations may use. */
  readonly inputs: readonly string[];
  /** A column for each of them. */
  readonly columns: readonly ArrayLike<number>[];
  readonly target: ArrayLike<number>;
  /** The operators and functions of equations; the default is `DEFAULT_FUNCTIONS`. */
  readonly functions?: readonly string[];
  /** Functions of your own, by name: `{ gauss: "exp(-(a * a))" }`. */
  readonly definitions?: FunctionDefinitions;
  /** The most operators and operands of an equation, before scaling; 30 by default. */
  readonly maxLength?: number;
  /** The constants of equations, or `false` for none; then equations are not scaled either. */
  readonly constants?: ConstantsOptions | false;
  /** Whether equations are judged by the best `offset + scale * equation`; true by default, unless `constants` is `false`. */
  readonly scaling?: boolean;
  readonly constraints?: Constraints;
  /**
   * Whether the archive keeps the best equation for each complexity, number of inputs and number of functions, which is the default, or
   * only the best for each complexity.
   */
  readonly map?: boolean;
  /** The share of rows to hold out; 0.2 by default, or 0 with fewer than 40 rows. */
  readonly heldOut?: number;
  readonly seed?: number;
  readonly batchSize?: number;
  readonly ahead?: 0 | 1;
  /** The number of threads, or your own threads. They do not change the equations. */
  readonly workers?: WorkersOption;
}

/** The default of `RegressionOptions.functions`. */
export const DEFAULT_FUNCTIONS: readonly string[] = [
  "+",
  "-",
  "*",
  "/",
  "square",
  "sqrt",
  "sin",
  "cos",
  "exp",
  "log",
];

/** The best equation of a complexity. */
export interface Equation {
  /** The number of operators and operands. */
  readonly complexity: number;
  /** The mean of the squared errors divided by the variance of the target: 1 - R². */
  readonly loss: number;
  /** The same for the rows that were held out. */
  readonly heldOut: number | undefined;
  /** The equation, with scale and offset. */
  readonly formula: string;
  /** The genome without scale and offset, and then scale and offset. */
  readonly words: Uint32Array;
  readonly scale: number;
  readonly offset: number;
}

const FEW_ROWS = 40;
const HELD_OUT = 0.2;
const MAX_LENGTH = 30;
const MOST_FUNCTIONS = 4;
const MOST_INPUTS = 4;
/** Losses below this are noise of f32: equations are not better for it. */
const PERFECT = 1e-14;
/** The share of candidates that semantic backpropagation makes: they take longer, and are better. */
const BACKPROPAGATED = 0.05;
const SCALING_NODES = 4;

const isColumn = (value: unknown): boolean =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);

const OPTIONS: Readonly<Record<keyof RegressionOptions, Check>> = {
  inputs: isListOf("names", (name) => typeof name === "string"),
  columns: isListOf("lists of numbers", isColumn),
  target: (value, name) => (isColumn(value) ? undefined : unexpected(name, "a list of numbers", value)),
  functions: isListOf("names of operators", (name) => typeof name === "string"),
  definitions: isObject,
  maxLength: isWhole(1, 1000),
  constants: isAnything,
  scaling: isBoolean,
  constraints: isObject,
  map: isBoolean,
  heldOut: isNumber(0, 0.9),
  seed: isWhole(0, 2 ** 32 - 1),
  batchSize: isWhole(1, 2 ** 22),
  ahead: isWhole(0, 1),
  workers: isAnything,
};

/** Functions that archives keep apart: equations with more of them are another kind. */
const CURVED = ["sin", "cos", "tanh", "ex2", "lg2", "sqrt", "rsqrt", "rcp"];

/** A symbolic regression: a search whose archive has the best equations of each complexity, number of inputs and of functions. */
export class Regression {
  readonly search: Search;
  readonly space: AstSpace;
  readonly data: RegressionData;
  readonly isScaled: boolean;
  /** The space of the formulas of equations, with scale and offset: `formulaSpace.parse(equation.formula)` is a genome of it. */
  readonly formulaSpace: AstSpace;

  /** @throws SearchError INVALID_ARGUMENT, BAD_DATA */
  constructor(options: RegressionOptions) {
    const taken = readOptions<RegressionOptions>(options, OPTIONS, {
      required: ["inputs", "columns", "target"],
      of: "regression",
    });
    const { inputs, columns, target, functions = DEFAULT_FUNCTIONS, maxLength = MAX_LENGTH } = taken;
    const {
      constants,
      scaling = constants !== false,
      constraints,
      definitions,
      map = true,
      seed = 0,
      workers,
    } = taken;
    if (columns.length !== inputs.length) throw invalid(`${inputs.length} columns`, columns.length);
    const { heldOut = target.length < FEW_ROWS ? 0 : HELD_OUT } = taken;
    this.data = prepareData(inputs, columns, target, heldOut, seed);
    this.isScaled = scaling;
    const spaceOf = (length: number) =>
      astSpace(table, {
        inputs: this.data.inputs,
        operators: [...functions],
        maxLength: length,
        ...(definitions && { functions: definitions }),
        ...(constants !== undefined && { constants }),
        ...(constraints && { constraints }),
      });
    this.space = spaceOf(maxLength);
    this.formulaSpace = astSpace(table, {
      inputs: this.data.inputs,
      operators: [...new Set(["+", "-", "*", ...functions])],
      maxLength: maxLength + SCALING_NODES,
      ...(definitions && { functions: definitions }),
    });
    const archive = gridArchive({
      // The loss of a constant, so that the QD score is a sum of R².
      qdOffset: -1,
      axes: [
        { name: "complexity", min: 1, max: maxLength },
        ...(map
          ? [
              { name: "inputs", min: 0, max: Math.min(MOST_INPUTS, this.data.inputs.length) },
              { name: "functions", min: 0, max: MOST_FUNCTIONS },
            ]
          : []),
      ],
    });
    const evaluator = columnsEvaluator({
      space: this.space,
      columns: this.data.training.columns,
      loss: this.#loss(this.data.training),
      measures: [
        measures.complexity(),
        ...(map ? [measures.inputs(), measures.operations(CURVED, "functions")] : []),
      ],
      ...(constants !== false && {
        tuning: [{ method: "lm", iterations: 5, within: 2 }],
      }),
      ...(workers !== undefined && { workers }),
    });
    this.search = new Search({
      ...{ space: this.space, archive, evaluator, seed },
      emitters: [
        evolve({ select: tournament({ size: 4 }) }),
        backpropagate({ ...this.data.training, scaled: scaling }),
      ],
      shares: [1 - BACKPROPAGATED, BACKPROPAGATED],
      ...(taken.batchSize !== undefined && { batchSize: taken.batchSize }),
      ...(taken.ahead !== undefined && { ahead: taken.ahead }),
    });
  }

  /** The best equations, from the simplest to the most exact: each is better than all simpler ones. */
  async front(): Promise<Equation[]> {
    const { archive } = this.search;
    const best = new Map<number, number>();
    for (let elite = 0; elite < archive.count; elite++) {
      const complexity = archive.measure(elite, 0);
      const other = best.get(complexity);
      if (other === undefined || archive.objective(elite) > archive.objective(other))
        best.set(complexity, elite);
    }
    const chosen: { complexity: number; words: Uint32Array }[] = [];
    let least = Number.POSITIVE_INFINITY;
    const genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
    for (const [complexity, elite] of [...best].sort(([a], [b]) => a - b)) {
      const loss = -archive.objective(elite);
      if (!(loss < least) || least <= PERFECT) continue;
      least = loss;
      archive.genome(elite, genome);
      chosen.push({ complexity, words: genome.words.slice(genome.start, genome.end) });
    }
    return this.#equations(chosen);
  }

  async #equations(found: readonly { complexity: number; words: Uint32Array }[]): Promise<Equation[]> {
    if (found.length === 0) return [];
    const { training, heldOut } = this.data;
    const exact = new ExactOutputs(this.space, training.columns);
    const exactLoss = (words: Uint32Array) => {
      const outputs = exact.of(words);
      return outputs && lossOf(outputs, this.#lineOf(outputs), training.target);
    };
    const chosen = found.map(({ complexity, words }) => ({
      complexity,
      words: withReadableConstants(words, exactLoss),
    }));
    const known = await this.#outputs(chosen, training);
    const unseen = heldOut && (await this.#outputs(chosen, heldOut));
    let least = Number.POSITIVE_INFINITY;
    return chosen.flatMap(({ complexity, words }, index) => {
      const line = this.#lineOf(known[index]!);
      const loss = lossOf(known[index]!, line, training.target);
      // Fewer digits can undo a small advantage.
      if (!(loss < least)) return [];
      const outputs = exact.of(words);
      // An equation that needs the rounding of f32 is not true elsewhere.
      if (outputs !== undefined && !isNearly(lossOf(outputs, line, training.target), loss)) return [];
      least = loss;
      const text = this.space.text({ words, start: 0, end: words.length });
      return [
        {
          ...{ complexity, words, loss, formula: scaledFormula(text, line), ...line },
          heldOut: unseen && lossOf(unseen[index]!, line, heldOut!.target),
        },
      ];
    });
  }

  /** The scale and offset of an equation with these outputs. */
  #lineOf(outputs: Float64Array): Line {
    return this.isScaled ? readableLine(outputs, this.data.training.target) : IDENTITY;
  }

  /** What equations compute, before scaling. */
  async #outputs(
    chosen: readonly { words: Uint32Array }[],
    { columns, target }: RegressionRows,
  ): Promise<Float64Array[]> {
    const codes = new CodeBuffer();
    for (const { words } of chosen) this.space.compile({ words, start: 0, end: words.length }, codes);
    const { outputs } = await evaluateBatch(codes, columns, { rows: target.length, outputs: true });
    return chosen.map((_, code) => Float64Array.from(outputs!.column(code) as Float32Array));
  }

  #loss({ target }: RegressionRows): Loss {
    return { kind: this.isScaled ? "nmse" : "r2", target };
  }
}
