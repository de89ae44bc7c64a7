// Runs operations on the emulator and on columns, and reports where their results differ.
import { javaScriptKernel } from "../../../packages/columns/src/machine/javascript.js";
import { javaScriptLanes } from "../../../packages/columns/src/machine/lanes.js";
import { EmulatedDevice } from "../../../packages/emulator/dist/index.js";
import type { PtxType } from "../../../packages/emulator/src/program/types.js";
import { columnsOf, type Instance, operationsKernel, THREADS } from "./operation-kernels.js";
import type { Source } from "./operations.js";

/** Gives the bits of a column: operands of a type at a position. All columns have as many rows. */
export type Columns = (type: PtxType, position: number) => BigUint64Array;

/** The first difference of each instance. The number of rows is a multiple of `THREADS`. */
export async function differencesOf(
  instances: readonly Instance[],
  columns: Columns,
  rows: number,
): Promise<readonly string[]> {
  const results = await emulated(instances, columns, rows);
  return instances.flatMap((instance, index) => {
    const { opcode, sources, constants, resultBits } = instance;
    const expected = results.subarray(index * rows, (index + 1) * rows);
    const found = onColumns(instance, columns, rows);
    // Of a 16-bit register, the bits by which a lane is extended are not observable.
    const visible = (value: bigint): bigint => BigInt.asUintN(resultBits, value);
    const row = expected.findIndex((value, at) => visible(value) !== visible(found[at]!));
    if (row === -1) return [];
    const hex = (value: bigint) => `0x${value.toString(16)}`;
    const operands = sources.map(({ type }, position) =>
      hex(BigInt(constants[position] ?? columns(type, position)[row]!)),
    );
    const [wanted, got] = [expected[row]!, found[row]!].map((value) => hex(visible(value)));
    return [`${opcode} ${operands.join(", ")}: expected ${wanted}, found ${got}`];
  });
}

async function emulated(
  instances: readonly Instance[],
  columns: Columns,
  rows: number,
): Promise<BigUint64Array> {
  const keys = columnsOf(instances);
  const values = new BigUint64Array(rows * keys.length);
  keys.forEach((key, index) => {
    const [type, position] = key.split(" ") as [PtxType, string];
    values.set(columns(type, Number(position)), rows * index);
  });
  using device = EmulatedDevice.open();
  const input = device.allocate(values.byteLength);
  await input.copyFrom(values);
  const output = device.allocate(8 * rows * instances.length);
  const kernel = device.load(operationsKernel(instances, rows)).kernel("operations");
  device.stream.launch(kernel, { grid: rows / THREADS, block: THREADS }, [input, output]);
  const bytes = await output.read();
  return new BigUint64Array(bytes.buffer, bytes.byteOffset, rows * instances.length);
}

/** The results of an instance on columns in memory: the operands one after the other, then the result. */
function onColumns({ word, sources, constants }: Instance, columns: Columns, rows: number): BigUint64Array {
  const kernel = javaScriptKernel(word)!;
  const memory = new ArrayBuffer(5 * 8 * rows);
  const places = [0, 1, 2, 3].map((index) => 8 * rows * index) as [number, number, number, number];
  sources.forEach((source, position) => {
    const constant = constants[position];
    const values = columns(source.type, position);
    writeLanes(
      memory,
      places[position]!,
      source,
      constant === undefined ? values : values.map(() => BigInt(constant)),
    );
  });
  const target = 4 * 8 * rows;
  kernel.run(javaScriptLanes(memory), target, ...places, rows);
  return kernel.result === "64"
    ? new BigUint64Array(memory, target, rows)
    : BigUint64Array.from(new Uint32Array(memory, target, rows), BigInt);
}

function writeLanes(memory: ArrayBuffer, place: number, { bits }: Source, values: BigUint64Array): void {
  if (bits === 64) {
    new BigUint64Array(memory, place, values.length).set(values);
    return;
  }
  const words = new Uint32Array(memory, place, values.length);
  values.forEach((value, row) => {
    // Operations on fewer bits ignore how a value is extended.
    words[row] = Number(bits === 1 || row % 3 > 0 ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value));
  });
}
