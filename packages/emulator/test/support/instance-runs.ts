// Runs instances of instructions with the interpreter, and reads what each thread leaves.
import { expect } from "vitest";
import { checkProgram } from "../../src/index.js";
import { Interpreter } from "../../src/interpreter/index.js";
import type { Program } from "../../src/program/program.js";
import { TYPES } from "../../src/program/types.js";
import { loadProgram } from "../../src/run/load.js";
import { ADDRESS_BASE } from "../../src/run/memory.js";
import { PagedMemory } from "../../src/run/paged-memory.js";
import {
  type Field,
  type Instance,
  instanceKernel,
  instanceModule,
  OUT,
  REGION,
  SLOT,
  THREADS,
  turnedPlace,
  VALUES,
} from "./instances.js";

/** What a thread leaves: its output, and its region of global memory. */
export interface Left {
  readonly out: Uint8Array;
  readonly memory: Uint8Array;
}

export type Order = Parameters<typeof instanceKernel>[2];

/** The conditions in which the kernels of instances run. */
interface Setting {
  /** Whether all memory holds the plain contents; with `false`, every bit is inverted. */
  readonly isPlain: boolean;
  readonly carry: 0 | 1;
}

let state = 1;
const random = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state >>> 16;
};
const randomBytes = (count: number) => Uint8Array.from({ length: count }, random);

/** NaNs with payloads, subnormals, infinities, zeros and ones among random values. */
const SPECIAL = [
  ...[0x7f800001, 0xffc12345, 0x7fc00001, 0x7fffffff, 0x00000001, 0x807fffff, 0x7f800000, 0xff800000],
  ...[0, 0x80000000, 0x3f800000, 0xbf800000, 0x7ff00001, 0xfff80001, 0x7f7fffff, 0x00800000],
];
export const VALUE_BYTES = (() => {
  const bytes = randomBytes(SLOT * VALUES * THREADS);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += 4) {
    if (random() % 2 === 0) view.setUint32(at, SPECIAL[random() % SPECIAL.length]!, true);
  }
  return bytes;
})();
const MEMORY_BYTES = randomBytes(REGION * THREADS);
const opposite = (bytes: Uint8Array) => bytes.map((byte) => ~byte);

const CHUNK = 200;

/** Instances as kernels of checked modules. */
interface Prepared {
  readonly instances: readonly Instance[];
  readonly program: Program;
}

export const prepare = (all: readonly Instance[], order: Order): readonly Prepared[] =>
  Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, number) => {
    const chunk = all.slice(number * CHUNK, (number + 1) * CHUNK);
    const kernels = chunk.map((instance, index) => instanceKernel(`k${index}`, instance, order));
    return { instances: chunk, program: checkProgram(instanceModule(kernels)) };
  });

/** Runs instances with the interpreter. */
export async function run(
  prepared: readonly Prepared[],
  { isPlain, carry }: Setting,
): Promise<readonly Left[]> {
  const left: Left[] = [];
  const filled = isPlain ? MEMORY_BYTES : opposite(MEMORY_BYTES);
  for (const { instances: chunk, program } of prepared) {
    const memory = new PagedMemory(2 ** 24);
    const loaded = loadProgram(program, memory);
    const [values, out, common] = [VALUE_BYTES.length, OUT.bytes * THREADS, filled.length].map((bytes) =>
      memory.take(bytes),
    ) as [number, number, number];
    // Memory grows when a kernel runs, so the view is created each time.
    const bytes = () => new Uint8Array(memory.memory.buffer);
    bytes().set(VALUE_BYTES, values);
    const constants = program.variables.findIndex(({ space }) => space === "const");
    bytes().set(filled.subarray(0, REGION), loaded.addresses[constants]!);
    for (const [index, kernel] of program.functions.entries()) {
      bytes().fill(0, out, out + OUT.bytes * THREADS);
      bytes().set(filled, common);
      const params = new Uint8Array(kernel.parameterBytes);
      const view = new DataView(params.buffer);
      const offsets = kernel.parameters.map((variable) => kernel.variables[variable]!.offset);
      [values, out, common].forEach((place, parameter) => {
        view.setBigUint64(offsets[parameter]!, BigInt(ADDRESS_BASE + place), true);
      });
      view.setUint32(offsets[3]!, carry, true);
      params.set(filled.subarray(0, REGION), offsets[4]!);
      const { fault } = await new Interpreter().run({
        ...{ loaded, kernel, grid: [1, 1, 1], block: [THREADS, 1, 1], dynamicSharedBytes: 0, params },
        limits: { instructions: Infinity, deadline: Infinity, signal: undefined },
        hooks: { print: () => {} },
      });
      const { opcode, match } = chunk[index]!;
      expect(fault?.kind, opcode).toBe(match.operation.traits.flow === "trap" ? "TRAP" : undefined);
      left.push({
        out: bytes().slice(out, out + OUT.bytes * THREADS),
        memory: bytes().slice(common, common + filled.length),
      });
    }
  }
  return left;
}

export const threads = Array.from({ length: THREADS }, (_, thread) => thread);

export const wordOf = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);

/** The bits of values, one after another. */
export function itemsIn(bytes: Uint8Array, start: number, fields: readonly Field[]): readonly bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return fields.flatMap(({ type, items, slot }) =>
    Array.from({ length: Math.max(1, items) }, (_, item) => {
      const at = start + SLOT * (slot + item);
      const whole = view.getBigUint64(at, true) | (view.getBigUint64(at + 8, true) << 64n);
      return BigInt.asUintN(TYPES[type].bits, whole);
    }),
  );
}

export const resultsOf = (
  { out }: Left,
  thread: number,
  results: readonly Field[],
  which = OUT.first as number,
) => itemsIn(out, thread * OUT.bytes + which, results);

/** Everything that stores can change, before the run. */
export const memoryBefore = (isPlain: boolean): Uint8Array => {
  const filled = isPlain ? MEMORY_BYTES : opposite(MEMORY_BYTES);
  const turned = filled.map((_, at) => filled[turnedPlace(at)]!);
  return Uint8Array.from([...filled, ...turned, ...turned, ...turned]);
};

/** The same memory after the run. */
export function memoryAfter({ out, memory }: Left): Uint8Array {
  const after = new Uint8Array(4 * memory.length);
  after.set(memory);
  [OUT.shared, OUT.local, OUT.param].forEach((offset, kind) => {
    for (const thread of threads) {
      const start = thread * OUT.bytes + offset;
      after.set(out.subarray(start, start + REGION), (kind + 1) * memory.length + thread * REGION);
    }
  });
  return after;
}

/** Splits values into parts of a number of bits. Predicates are not split. */
export function partsOf(
  values: readonly bigint[],
  fields: readonly Field[],
  size: number,
): readonly bigint[] {
  const types = fields.flatMap(({ type, items }) => Array.from({ length: Math.max(1, items) }, () => type));
  return values.flatMap((value, index) => {
    const { bits } = TYPES[types[index]!];
    return Array.from({ length: Math.floor(bits / size) * Number(bits > 1) }, (_, part) =>
      BigInt.asUintN(size, value >> BigInt(size * part)),
    );
  });
}

export function partsOfRegion(thread: number, size: number): readonly bigint[] {
  const view = new DataView(MEMORY_BYTES.buffer, thread * REGION, REGION);
  const bytes = Array.from({ length: REGION / 8 }, (_, index) => view.getBigUint64(8 * index, true));
  const whole = bytes.reduce((all, part, index) => all | (part << BigInt(64 * index)), 0n);
  return Array.from({ length: (8 * REGION) / size }, (_, part) =>
    BigInt.asUintN(size, whole >> BigInt(size * part)),
  );
}
