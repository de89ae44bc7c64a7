// The built-in scores on a device. The kernels write one 64-bit result for each program and part of an output, and the parts are combined
// here, in order.
import {
  type Device,
  type DeviceBuffer,
  type DeviceKernel,
  type DeviceModule,
  type DeviceStream,
  type LaunchArgument,
  u32,
} from "@mm-ptx/types/device";
import type { OutputSlices } from "../launch/plan.js";
import { errorKernel, hashKernel, KERNEL, PART, THREADS } from "./kernels.js";
import { checkMemory, checkNotDisposed } from "./memory.js";
import type { OpenReduction, OutputMemory } from "./open.js";
import type { ErrorReading, HashReading } from "./reading.js";
import { ResultMemory } from "./result-memory.js";

/** The reduction of one output. */
interface Pass {
  readonly module: DeviceModule;
  readonly kernel: DeviceKernel;
  /** The index of the output. */
  readonly output: number;
  /** The number of elements as the kernel counts them. */
  readonly length: number;
  /** The number of parts. */
  readonly parts: number;
  /** The number of parts of the passes before. */
  readonly firstPart: number;
  /** The arguments after those of all kernels. */
  readonly extra: readonly LaunchArgument[];
}

/** How the parts of a program become its score. */
type Combine = (parts: Float64Array, program: number, count: number) => number | string;

export class BuiltInReduction implements OpenReduction {
  readonly #device: Device;
  readonly #outputs: readonly OutputSlices[];
  readonly #passes: readonly Pass[];
  readonly #target: DeviceBuffer | undefined;
  readonly #memory: ResultMemory;
  readonly #combine: Combine;
  #disposed = false;

  private constructor(
    reading: ErrorReading | HashReading,
    device: Device,
    outputs: readonly OutputSlices[],
    target: DeviceBuffer | undefined,
  ) {
    this.#device = device;
    this.#outputs = outputs;
    this.#target = target;
    this.#memory = new ResultMemory(device);
    this.#passes =
      reading.kind === "outputHash"
        ? hashPasses(device, outputs)
        : [errorPass(reading, device, outputs[reading.output]!, target!)];
    this.#combine = COMBINE[reading.kind];
  }

  /** @throws errors of the device */
  static async open(
    reading: ErrorReading | HashReading,
    device: Device,
    outputs: readonly OutputSlices[],
  ): Promise<BuiltInReduction> {
    const target = reading.kind === "outputHash" ? undefined : device.allocateFloat64(reading.target.length);
    try {
      if (reading.kind !== "outputHash") await target!.copyFrom(reading.target);
      return new BuiltInReduction(reading, device, outputs, target);
    } catch (error) {
      target?.dispose();
      throw error;
    }
  }

  async scores(
    outputs: readonly OutputMemory[],
    count: number,
    { stream = this.#device.stream }: { readonly stream?: DeviceStream } = {},
  ): Promise<readonly (number | string)[]> {
    checkNotDisposed(this.#disposed);
    checkMemory(this.#outputs, outputs, count);
    const { parts, firstPart } = this.#passes.at(-1)!;
    const all = firstPart + parts;
    const bytes = 8 * all * count;
    return this.#memory.lend(bytes, async (memory) => {
      for (const pass of this.#passes) launch(stream, pass, memory, outputs[pass.output]!, count);
      const results = new Float64Array(all * count);
      await memory.copyTo(results, { stream });
      return Array.from({ length: count }, (_, program) => this.#combine(results, program, count));
    });
  }

  dispose(): void {
    this.#disposed = true;
    for (const { module } of this.#passes) module.dispose();
    this.#target?.dispose();
    this.#memory.dispose();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

function errorPass(
  reading: ErrorReading,
  device: Device,
  { elements, length }: OutputSlices,
  target: DeviceBuffer,
): Pass {
  const module = device.load(errorKernel(reading, elements));
  const parts = Math.ceil(length / PART);
  return {
    module,
    kernel: module.kernel(KERNEL),
    output: reading.output,
    length,
    parts,
    firstPart: 0,
    extra: [target],
  };
}

/** Outputs with elements of the same size share a module. */
function hashPasses(device: Device, outputs: readonly OutputSlices[]): readonly Pass[] {
  const modules = new Map<number, DeviceModule>();
  let [before, firstPart] = [0, 0];
  return outputs.map(({ elements, bytes }, output) => {
    const size = Math.min(4, elements.BYTES_PER_ELEMENT);
    const module = modules.get(size) ?? device.load(hashKernel(size));
    modules.set(size, module);
    const length = bytes / size;
    const parts = Math.ceil(length / PART);
    const extra = [u32(before % 2 ** 32)];
    const pass = { module, kernel: module.kernel(KERNEL), output, length, parts, firstPart, extra };
    before += length;
    firstPart += parts;
    return pass;
  });
}

/** The limits of an emulated device are for programs, which may never end; these kernels end. */
const UNLIMITED = { limits: { instructions: Infinity, timeoutMs: Infinity } };

function launch(
  stream: DeviceStream,
  { kernel, length, parts, firstPart, extra }: Pass,
  results: DeviceBuffer,
  { buffer, stride }: OutputMemory,
  count: number,
): void {
  const limits = stream.device.kind === "emulator" ? UNLIMITED : {};
  stream.launch(kernel, { grid: [count, parts], block: THREADS, ...limits }, [
    buffer,
    results,
    u32(stride),
    u32(length),
    u32(firstPart),
    ...extra,
  ]);
}

function sum(parts: Float64Array, program: number, count: number): number {
  let total = parts[program]!;
  for (let at = program + count; at < parts.length; at += count) total += parts[at]!;
  return total;
}

function largest(parts: Float64Array, program: number, count: number): number {
  let most = parts[program]!;
  for (let at = program + count; at < parts.length; at += count) most = Math.max(most, parts[at]!);
  return most;
}

function hash(parts: Float64Array, program: number, count: number): string {
  const words = new BigUint64Array(parts.buffer, parts.byteOffset, parts.length);
  let total = 0n;
  for (let at = program; at < words.length; at += count) total += words[at]!;
  return BigInt.asUintN(64, total).toString(16).padStart(16, "0");
}

const COMBINE: Readonly<Record<ErrorReading["kind"] | HashReading["kind"], Combine>> = {
  squaredError: sum,
  absoluteError: sum,
  maximumError: largest,
  outputHash: hash,
};
