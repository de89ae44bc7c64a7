// Compares two programs as far as their inputs allow.
import type { Column } from "@mm-ptx/columns";
import { type CodeBatch, codeType } from "@mm-ptx/types/code";
import { isAnything, isBoolean, isFunction, isSignal, isWhole } from "@mm-ptx/types/internal";
import { Draws } from "../draws.js";
import { invalid, readOptions } from "../options.js";
import {
  type ComparisonOptions,
  differenceOn,
  differenceOnAll,
  type Equality,
  isApproximate,
  isNetwork,
  zeroOneColumns,
} from "./equality.js";
import { type Graph, type GraphInput, graphOf } from "./graph.js";
import { ValueClass } from "./operations.js";
import { drawRows, type Rows } from "./rows.js";

/** How programs are compared. */
export interface CompareOptions extends ComparisonOptions {
  /** The rows to compare them on. By default they are compared on all inputs, or on random rows where that is not possible. */
  readonly columns?: readonly Column[] | undefined;
  /** Whether programs with one operand of 32 bits are compared on all 2^32 inputs, which takes up to a minute. The default is true. */
  readonly exhaustive?: boolean | undefined;
  /** The number of random rows on which others are compared. The default is 2^20. */
  readonly rows?: number | undefined;
  /** The seed of random rows, from 0 to 2^32 - 1. The default is 0. */
  readonly seed?: number;
}

/** What a comparison found: how far programs are equal, or the inputs of a row on which they are not, as bits. */
export type Comparison = Equality | { readonly difference: readonly number[] };

const DEFAULT_ROWS = 2 ** 20;

/**
 * Compares the outputs of two codes bit by bit.
 * @param one a batch of one code on values of 32 bits and predicates
 * @param other another one with the same inputs and outputs
 * @throws SearchError (as a rejection) INVALID_ARGUMENT; UNSUPPORTED for values of other types
 */
export async function comparePrograms(
  one: CodeBatch,
  other: CodeBatch,
  options: CompareOptions = {},
): Promise<Comparison> {
  const taken = readOptions<CompareOptions>(options, {
    columns: isAnything,
    exhaustive: isBoolean,
    rows: isWhole(1, 2 ** 24),
    seed: isWhole(0, 2 ** 32 - 1),
    workers: isAnything,
    signal: isSignal,
    progress: isFunction,
  });
  taken.signal?.throwIfAborted();
  const [first, second] = [one, other].map((batch) => {
    if (batch?.offsets?.length !== 2) throw invalid("two batches of one code each", batch);
    return graphOf(batch.words, batch.offsets[0]);
  });
  if (first!.outputTypes.join() !== second!.outputTypes.join()) {
    throw invalid(
      "two codes with the same outputs",
      `${first!.outputs.length} and ${second!.outputs.length}`,
    );
  }
  const inputs = joinInputs(first!, second!);
  const arity = Math.max(0, taken.columns?.length ?? 0, ...inputs.map(({ index }) => index + 1));
  const draws = new Draws();
  draws.start(taken.seed ?? 0, 0, 0);
  return compareGraphs(first!, second!, arity, draws, taken);
}

/** The inputs that either of two graphs has. */
function joinInputs(one: Graph, other: Graph): readonly GraphInput[] {
  const isNew = ({ index }: GraphInput): boolean => !one.inputs.some((input) => input.index === index);
  return [...one.inputs, ...other.inputs.filter(isNew)];
}

/** The same with graphs and a generator for random rows. */
export async function compareGraphs(
  one: Graph,
  other: Graph,
  arity: number,
  draws: Draws,
  { columns, exhaustive = true, rows = DEFAULT_ROWS, ...options }: Omit<CompareOptions, "seed">,
): Promise<Comparison> {
  const inputs = joinInputs(one, other);
  const [input, ...more] = inputs;
  const isUnary = more.length === 0 && input?.class !== ValueClass.pred;
  const [difference, equality] = await (async (): Promise<
    readonly [readonly number[] | undefined, Equality]
  > => {
    if (columns !== undefined) {
      return [await differenceOn(one, other, columns, options), { kind: "rows", rows: columns[0]!.length }];
    }
    if (isNetwork(one, other)) {
      const all = zeroOneColumns(one, arity);
      const found = await differenceOn(one, other, all, options);
      return [found, { kind: "zero-one-principle", rows: all[0]?.length ?? 1 }];
    }
    if (exhaustive && isUnary && !isApproximate(one) && !isApproximate(other))
      return [await differenceOnAll(one, other, options), { kind: "all-2^32" }];
    const drawn = columnsOf(inputs, drawRows(inputs, rows, draws), arity);
    return [await differenceOn(one, other, drawn, options), { kind: "rows", rows }];
  })();
  return difference === undefined ? equality : { difference };
}

/** Rows as columns for codes. */
function columnsOf(inputs: readonly GraphInput[], { count, values }: Rows, arity: number): Column[] {
  const columns: Column[] = Array.from({ length: arity }, () => new Uint32Array(count));
  inputs.forEach(({ index, type }, input) => {
    const words = Int32Array.from({ length: count }, (_, row) => values[row * inputs.length + input]!);
    columns[index] =
      type === codeType("pred")
        ? Uint8Array.from(words)
        : type === codeType("f32")
          ? new Float32Array(words.buffer)
          : type === codeType("s32")
            ? words
            : new Uint32Array(words.buffer);
  });
  return columns;
}
