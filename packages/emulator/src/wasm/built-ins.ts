// Built-in functions that kernels call: `vprintf`, `__assertfail`, `malloc` and `free`. Their arguments are variables of the caller.
import { placeOf } from "../control/graph.js";
import type { Step } from "../control/step.js";
import { formatPrintf, type PrintValues } from "../interpreter/print.js";
import type { Operand } from "../program/operand.js";
import type { FaultPlace } from "../run/fault.js";
import type { Heap } from "../run/heap.js";
import { ADDRESS_UPPER, type LinearMemory, PAGE_BYTES } from "../run/memory.js";

/** The memory and output that a built-in function works on. */
interface Surroundings {
  readonly memory: LinearMemory;
  /** Where the thread's local memory begins. */
  readonly local: number;
  readonly print: (text: string) => void;
  readonly heap: Heap | undefined;
}

/** Creates the errors that are thrown. */
interface Failures {
  /** The place of the call. */
  readonly place: () => FaultPlace;
  readonly trap: (detail: string) => Error;
  readonly outside: (address: bigint, bytes: number) => Error;
}

const LONGEST_TEXT = 65536;

/** Carries out a call. */
export function callBuiltIn(
  step: Step,
  { memory, local, print, heap }: Surroundings,
  failures: Failures,
): void {
  const { callee, args, results } = step.source.call!;
  const reader = new MemoryReader(memory, failures);
  const place = (operand: Operand) => {
    if (operand.kind !== "variable") throw failures.trap("its arguments are not variables");
    const { context, variable } = placeOf(step.context, operand.variable);
    const { offset, bytes: size } = context.body.variables[variable]!;
    return { at: local + context.frameBase + offset, size };
  };
  const values = args.map((operand) => {
    const { at, size } = place(operand);
    return size === 8 ? reader.view.getBigUint64(at, true) : BigInt(reader.view.getUint32(at, true));
  });
  if (callee.kind === "builtin" && callee.name === "__assertfail") {
    const [message = 0n, file = 0n, line = 0n, name = 0n] = values;
    const where = `${reader.text(file)}:${BigInt.asUintN(32, line)}`;
    throw failures.trap(`assertion \`${reader.text(message)}\` failed in ${reader.text(name)} at ${where}`);
  }
  const name = callee.kind === "builtin" ? callee.name : "";
  if (name === "malloc") {
    const address = heap?.allocate(values[0] ?? 0n, failures.place()) ?? 0n;
    // The memory may have grown.
    if (results[0] !== undefined)
      new DataView(memory.memory.buffer).setBigUint64(place(results[0]).at, address, true);
    return;
  }
  if (name === "free") {
    const problem = heap?.free(values[0] ?? 0n);
    if (problem !== undefined) throw failures.trap(problem);
    return;
  }
  const [format = 0n, packed = 0n] = values;
  const packedValues = new PackedValues(reader, packed);
  print(formatPrintf(reader.text(format), packedValues));
  if (results[0] !== undefined) reader.view.setUint32(place(results[0]).at, packedValues.count, true);
}

class MemoryReader {
  readonly view: DataView;
  readonly #pages: Uint16Array;
  readonly #failures: Failures;

  constructor({ memory, pageTable }: LinearMemory, failures: Failures) {
    this.view = new DataView(memory.buffer);
    this.#pages = new Uint16Array(memory.buffer, pageTable, 2 ** 32 / PAGE_BYTES);
    this.#failures = failures;
  }

  /** The offset of bytes at a generic address. Throws when they are not all inside an allocation. */
  offset(address: bigint, bytes: number): number {
    const offset = Number(address & 0xffffffffn);
    const inside = (offset % PAGE_BYTES) + bytes <= this.#pages[Math.floor(offset / PAGE_BYTES)]!;
    if (Number(address >> 32n) !== ADDRESS_UPPER || !inside) throw this.#failures.outside(address, bytes);
    return offset;
  }

  /** The zero-terminated text at a generic address. */
  text(address: bigint): string {
    const bytes: number[] = [];
    for (let at = address; bytes.length < LONGEST_TEXT; at++) {
      const byte = this.view.getUint8(this.offset(at, 1));
      if (byte === 0) break;
      bytes.push(byte);
    }
    return new TextDecoder().decode(Uint8Array.from(bytes));
  }
}

/** Values as the compiler packs them at a pointer, each aligned to its size. */
class PackedValues implements PrintValues {
  /** The number of values that were read. */
  count = 0;
  readonly #reader: MemoryReader;
  #address: bigint;

  constructor(reader: MemoryReader, address: bigint) {
    this.#reader = reader;
    this.#address = address;
  }

  integer(bytes: 4 | 8): bigint {
    const size = BigInt(bytes);
    const address = ((this.#address + size - 1n) / size) * size;
    this.#address = address + size;
    this.count++;
    const { view } = this.#reader;
    const offset = this.#reader.offset(address, bytes);
    return bytes === 4 ? BigInt(view.getUint32(offset, true)) : view.getBigUint64(offset, true);
  }

  double(): number {
    const bits = new BigUint64Array([this.integer(8)]);
    return new Float64Array(bits.buffer)[0]!;
  }

  text(): string {
    return this.#reader.text(this.integer(8));
  }
}
