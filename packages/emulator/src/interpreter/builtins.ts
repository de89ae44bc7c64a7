// Functions that every kernel can call without defining them: `vprintf`, `__assertfail`, `malloc` and `free`.
import type { Call } from "../program/program.js";
import type { Builder } from "./builder.js";
import { bytesOf, placeOf, type ValuePlace } from "./call-values.js";
import type { Machine } from "./machine.js";
import { formatPrintf } from "./print.js";

/** A built-in function: its arguments are 64-bit values and its result is an integer of 32 bits, or one of 64 as a bigint. */
type Builtin = (machine: Machine, args: readonly bigint[]) => number | bigint;

const BUILTINS: Readonly<Record<string, Builtin>> = {
  vprintf(machine, [format = 0n, values = 0n]) {
    const text = textAt(machine, format);
    const reader = new PackedValues(machine, values);
    machine.launch.hooks.print(formatPrintf(text, reader));
    return reader.count;
  },
  malloc(machine, [bytes = 0n]) {
    const address = machine.launch.hooks.heap?.allocate(bytes, machine.place()) ?? 0n;
    // The memory may have grown.
    machine.refresh();
    return address;
  },
  free(machine, [address = 0n]) {
    const problem = machine.launch.hooks.heap?.free(address);
    if (problem !== undefined) throw machine.trap(problem);
    return 0;
  },
  __assertfail(machine, [message = 0n, file = 0n, line = 0n, name = 0n]) {
    const place = `${textAt(machine, file)}:${BigInt.asUintN(32, line)}`;
    throw machine.trap(
      `assertion \`${textAt(machine, message)}\` failed in ${textAt(machine, name)} at ${place}`,
    );
  },
};

/** The step of a call to a built-in function. */
export function builtinStep(builder: Builder, name: string, { args, results }: Call): () => void {
  const { machine } = builder;
  const builtin = BUILTINS[name];
  const from = args.map((operand) => placeOf(builder, operand));
  const [result] = results.map((operand) => placeOf(builder, operand));
  return () => {
    if (builtin === undefined) throw machine.trap(`\`${name}\` is not available`);
    const value = builtin(
      machine,
      from.map((place) => valueAt(machine, place)),
    );
    if (result !== undefined) setResult(machine, result, value);
  };
}

function valueAt(machine: Machine, place: ValuePlace): bigint {
  return bytesOf(machine, machine.frame, place).reduceRight(
    (value, byte) => (value << 8n) | BigInt(byte),
    0n,
  );
}

function setResult(machine: Machine, place: ValuePlace, value: number | bigint): void {
  const target = bytesOf(machine, machine.frame, place);
  const words = typeof value === "bigint" ? new BigUint64Array([value]) : new Uint32Array([value]);
  target.set(new Uint8Array(words.buffer).subarray(0, target.length));
}

const LONGEST_TEXT = 65536;

/** The NUL-terminated text at a generic address. @throws KernelFault if it runs past its allocation */
function textAt(machine: Machine, address: bigint): string {
  const bytes: number[] = [];
  for (let at = address; bytes.length < LONGEST_TEXT; at++) {
    const byte = machine.bytes[offsetOf(machine, at, 1)]!;
    if (byte === 0) break;
    bytes.push(byte);
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

function offsetOf(machine: Machine, address: bigint, bytes: number): number {
  return machine.generic(Number(address & 0xffffffffn), Number(address >> 32n), 0, bytes, "load", "generic");
}

/** Values as the compiler packs them in memory: each is aligned to its size. */
class PackedValues {
  /** How many values have been read. */
  count = 0;

  readonly #machine: Machine;
  #address: bigint;

  constructor(machine: Machine, address: bigint) {
    this.#machine = machine;
    this.#address = address;
  }

  integer(bytes: 4 | 8): bigint {
    const size = BigInt(bytes);
    this.#address = ((this.#address + size - 1n) / size) * size;
    const offset = offsetOf(this.#machine, this.#address, bytes);
    this.#address += size;
    this.count++;
    const { view } = this.#machine;
    return bytes === 4 ? BigInt(view.getUint32(offset, true)) : view.getBigUint64(offset, true);
  }

  double(): number {
    const bits = new BigUint64Array([this.integer(8)]);
    return new Float64Array(bits.buffer)[0]!;
  }

  text(): string {
    return textAt(this.#machine, this.integer(8));
  }
}
