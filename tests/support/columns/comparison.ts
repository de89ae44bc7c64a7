// Runs operations on the emulator and on columns, and reports where their results differ.
import { javaScriptKernel } from "../../../packages/columns/src/machine/javascript.js";
import { javaScriptLanes, type LaneClass } from "../../../packages/columns/src/machine/lanes.js";
import type { InputColumn, Machine } from "../../../packages/columns/src/machine/machine.js";
import { webAssemblyMachine } from "../../../packages/columns/src/machine/webassembly.js";
import { EmulatedDevice } from "../../../packages/emulator/dist/index.js";
import type { PtxType } from "../../../packages/emulator/src/program/types.js";
import { codeType, inputOperation, StraightLineCode } from "../../../packages/types/dist/code/index.js";
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
  const machine = webAssemblyMachine()!;
  await machine.load();
  const compared = instances.flatMap((instance, index) => [
    { instance, index, found: onColumns(instance, columns, rows) },
    { instance, index, found: onMachine(machine, instance, columns, rows) },
  ]);
  return compared.flatMap(({ instance, index, found }) => {
    const { opcode, sources, constants, resultBits } = instance;
    const expected = results.subarray(index * rows, (index + 1) * rows);
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

/** The places of four columns one after the other, and of one after them. */
const placesOf = (rows: number) =>
  [0, 1, 2, 3, 4].map((index) => 8 * rows * index) as [number, number, number, number, number];

/** Memory with the operands of an instance, at the first places. */
function operandMemory({ sources, constants }: Instance, columns: Columns, rows: number): ArrayBuffer {
  const memory = new ArrayBuffer(5 * 8 * rows);
  sources.forEach((source, position) => {
    const constant = constants[position];
    const values = columns(source.type, position);
    writeLanes(
      memory,
      placesOf(rows)[position]!,
      source,
      constant === undefined ? values : values.map(() => BigInt(constant)),
    );
  });
  return memory;
}

const valuesOf = (memory: ArrayBuffer, at: number, rows: number, lanes: LaneClass): BigUint64Array =>
  lanes === "64"
    ? new BigUint64Array(memory, at, rows)
    : BigUint64Array.from(new Uint32Array(memory, at, rows), BigInt);

/** The results of the kernel in JavaScript. */
function onColumns(instance: Instance, columns: Columns, rows: number): BigUint64Array {
  const kernel = javaScriptKernel(instance.word)!;
  const memory = operandMemory(instance, columns, rows);
  const [a, b, c, d, target] = placesOf(rows);
  kernel.run(javaScriptLanes(memory), target, a, b, c, d, rows);
  return valuesOf(memory, target, rows, kernel.result);
}

const TYPES: Readonly<Record<LaneClass, number>> = {
  "32": codeType("b32"),
  "64": codeType("b64"),
  pred: codeType("pred"),
};

/** The results of a machine that runs a code with this instruction only. */
function onMachine(machine: Machine, instance: Instance, columns: Columns, rows: number): BigUint64Array {
  const { args, result } = javaScriptKernel(instance.word)!;
  const memory = operandMemory(instance, columns, rows);
  const inputs = args.map((lanes, position): InputColumn => {
    const bytes = new Uint8Array(memory, placesOf(rows)[position]!, rows * (lanes === "64" ? 8 : 4));
    return { bytes, isDouble: lanes === "64", types: 1 << TYPES[lanes] };
  });
  const items = args.flatMap((lanes, position) => [inputOperation(TYPES[lanes]), position]);
  const code = Uint32Array.of(
    StraightLineCode.magic,
    args.length + 1,
    args.length | (1 << StraightLineCode.outputShift),
    ...[...items, instance.word, ...args.keys()],
    args.length | (TYPES[result] << StraightLineCode.typeShift),
  );
  const target = new Uint8Array(rows * (result === "64" ? 8 : 4));
  machine.compute(code, { rows, columns: inputs }, target);
  return valuesOf(target.buffer, 0, rows, result);
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
