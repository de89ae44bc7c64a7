// What is known about two programs being equal, and how it is found out.
import { type Column, evaluateBatch, type WorkersOption } from "@mm-ptx/columns";
import { machineOf } from "@mm-ptx/columns/machine";
import { CODE_TYPES, CodeBuffer } from "@mm-ptx/types/code";
import { describeValue, TURN, turn } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { appendGraph, type Graph, rebuilt } from "./graph.js";
import { ValueClass } from "./operations.js";

/**
 * On which inputs the outputs of two programs have the same bits.
 *
 * - `rows`: on this number of rows, which is not a proof. Programs with approximate instructions are also compared with results that are
 * disturbed within what PTX permits, so that an approximate instruction is not equal to the exact one;
 * - `all-2^32`: on all inputs of a program with one operand of 32 bits, each of which was tried;
 * - `zero-one-principle`: on all inputs, because both programs consist of the minimum and maximum of one integer type alone and are
 * equal on all rows of zeros and ones (Knuth, The Art of Computer Programming, volume 3, section 5.3.4, theorem Z).
 */
export type Equality =
  | { readonly kind: "rows"; readonly rows: number }
  | { readonly kind: "all-2^32" }
  | { readonly kind: "zero-one-principle"; readonly rows: number };

/** An input on which programs differ, one value for each column; undefined if they are equal. */
export type Difference = readonly number[] | undefined;

const BLOCK = 2 ** 20;
/** Rows that stay in the processor's cache. */
const MACHINE_BLOCK = 2 ** 13;
const INPUTS = 2 ** 32;
const MOST_NETWORK_INPUTS = 20;
const APPROXIMATE = /\.(?:approx|full)\b/;
/** The seeds of the results that PTX permits. */
const DISTURBANCES = [1, 2];
const NETWORKS = [new Set(["min.u32", "max.u32"]), new Set(["min.s32", "max.s32"])];

/** Whether the 0-1 principle holds for programs: they consist of the minimum and maximum of one type, without constants. */
export function isNetwork(...graphs: readonly Graph[]): boolean {
  return NETWORKS.some((names) =>
    graphs.every(
      ({ inputs, constants, nodes }) =>
        constants.length === 0 &&
        inputs.length <= MOST_NETWORK_INPUTS &&
        inputs.every((input) => input.class === ValueClass.word) &&
        nodes.every(({ operation }) => names.has(operation.text)),
    ),
  );
}

/** The columns of all rows of zeros and ones, for codes with this number of inputs. */
export function zeroOneColumns({ inputs }: Graph, arity: number): Column[] {
  const rows = 2 ** arity;
  return Array.from({ length: arity }, (_, column) => {
    const isSigned = inputs.some(({ index, type }) => index === column && CODE_TYPES[type] === "s32");
    const bits = (_: unknown, row: number): number => (row >>> column) & 1;
    return isSigned ? Int32Array.from({ length: rows }, bits) : Uint32Array.from({ length: rows }, bits);
  });
}

/** How a comparison runs. */
export interface ComparisonOptions {
  readonly workers?: WorkersOption | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the part that has been compared, from 0 to 1. */
  readonly progress?: ((part: number) => void) | undefined;
}

/** Whether a program has instructions whose results PTX only bounds. */
export const isApproximate = ({ nodes }: Graph): boolean =>
  nodes.some(({ operation }) => APPROXIMATE.test(operation.text));

/**
 * Compares the outputs of graphs bit by bit on columns; with approximate instructions also for several results that PTX permits. The same
 * instruction has the same result for the same operands.
 */
export async function differenceOn(
  one: Graph,
  other: Graph,
  columns: readonly Column[],
  options: ComparisonOptions = {},
): Promise<Difference> {
  const rows = columns[0]?.length ?? 1;
  const codes = bothCodes(one, other, columns.length);
  const seeds = [undefined, ...(isApproximate(one) || isApproximate(other) ? DISTURBANCES : [])];
  for (let first = 0; first < rows; first += BLOCK) {
    const part = columns.map((column) => column.subarray(first, first + BLOCK) as Column);
    const count = Math.min(BLOCK, rows - first);
    for (const seed of seeds) {
      const row = await firstDifference(codes, part, count, one.outputs.length, options, seed);
      if (row >= 0) return columns.map((column) => bitsAt(column, first + row));
    }
    options.progress?.(Math.min(1, (first + BLOCK) / rows));
  }
  return undefined;
}

/** Compares graphs with one input of 32 bits on all values of it. */
export async function differenceOnAll(
  one: Graph,
  other: Graph,
  { signal, progress }: ComparisonOptions = {},
): Promise<Difference> {
  const input = one.inputs[0] ?? other.inputs[0];
  if (input === undefined) return differenceOn(one, other, [], {});
  const machine = machineOf(true);
  await machine.load();
  const bits = new Uint32Array(MACHINE_BLOCK);
  const column = { bytes: new Uint8Array(bits.buffer), isDouble: false, types: 1 << input.type };
  const data = { rows: MACHINE_BLOCK, columns: Array.from({ length: input.index + 1 }, () => column) };
  const results = [new Uint32Array(MACHINE_BLOCK), new Uint32Array(MACHINE_BLOCK)] as const;
  const pairs = one.outputs.map((_, output) =>
    [one, other].map((graph) => singleCode(graph, output, input.index + 1)),
  );
  let until = performance.now() + TURN;
  for (let first = 0; first < INPUTS; first += MACHINE_BLOCK) {
    for (let row = 0; row < MACHINE_BLOCK; row++) bits[row] = first + row;
    for (const codes of pairs) {
      codes.forEach((code, side) => {
        machine.compute(code, data, new Uint8Array(results[side]!.buffer));
      });
      const [found, expected] = results;
      for (let row = 0; row < MACHINE_BLOCK; row++) {
        if (found[row] !== expected[row]) return data.columns.map(() => (first + row) | 0);
      }
    }
    if (performance.now() < until) continue;
    progress?.((first + MACHINE_BLOCK) / INPUTS);
    await turn();
    signal?.throwIfAborted();
    until = performance.now() + TURN;
  }
  return undefined;
}

/** The code of one output. */
function singleCode(graph: Graph, output: number, arity: number): Uint32Array {
  const codes = new CodeBuffer();
  const single = { outputs: [graph.outputs[output]!], outputTypes: [graph.outputTypes[output]!] };
  appendGraph(rebuilt({ ...graph, ...single }), arity, codes);
  return codes.words.slice();
}

function bothCodes(one: Graph, other: Graph, arity: number): CodeBuffer {
  const codes = new CodeBuffer();
  appendGraph(one, arity, codes);
  appendGraph(other, arity, codes);
  return codes;
}

/** The first row in which the outputs of two codes differ, or -1. */
async function firstDifference(
  codes: CodeBuffer,
  columns: readonly Column[],
  rows: number,
  outputs: number,
  { workers, signal }: ComparisonOptions,
  seed: number | undefined,
): Promise<number> {
  const disturbed = seed === undefined ? {} : ({ bounds: "ptx", seed } as const);
  const options = {
    outputs: true,
    rows,
    ...disturbed,
    ...(workers && { workers }),
    ...(signal && { signal }),
  };
  const result = await evaluateBatch(codes, columns, options);
  let first = -1;
  for (let output = 0; output < outputs; output++) {
    const [a, b] = [wordsOf(result.outputs!.column(0, output)), wordsOf(result.outputs!.column(1, output))];
    const end = first < 0 ? rows : first;
    for (let row = 0; row < end; row++) {
      if (a[row] === b[row]) continue;
      first = row;
      break;
    }
  }
  return first;
}

const wordsOf = ({
  buffer,
  byteOffset,
  length,
}: ArrayBufferView & { readonly length: number }): Uint32Array =>
  new Uint32Array(buffer as ArrayBuffer, byteOffset, length);

function bitsAt(column: Column, row: number): number {
  if (column.BYTES_PER_ELEMENT === 1) return Number(column[row]);
  if (column.BYTES_PER_ELEMENT !== 4) {
    throw new SearchError(
      "UNSUPPORTED",
      `expected columns of 32 bits or predicates, found ${describeValue(column)}`,
    );
  }
  return new Int32Array(column.buffer as ArrayBuffer, column.byteOffset, column.length)[row]!;
}
