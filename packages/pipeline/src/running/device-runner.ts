// Runs packs on one device: loads the module, launches its programs, and reads what they wrote.
import type {
  Device,
  DeviceBuffer,
  DeviceModule,
  LaunchArgument,
  LaunchDimensions,
  PreparedLaunch,
  TypedArray,
} from "@mm-ptx/types/device";
import { TypedArgument, u32 } from "@mm-ptx/types/device";
import { ELEMENTS } from "../launch/elements.js";
import { outputsOf, type ResolvedArgument } from "../launch/resolved.js";
import { type OpenReduction, type OutputMemory, openReduction } from "../reading/open.js";
import type { Reading, ScoreReading } from "../reading/reading.js";
import { faultOf, RefusedLaunch } from "./fault.js";
import type { PackAnswer, PackRan, PackRunner, PackWork } from "./work.js";

type OutputArgument = ResolvedArgument & { readonly kind: "output" };

/** Memory of an output for some number of programs. */
interface OutputBuffer {
  readonly buffer: DeviceBuffer;
  /** What it contains before a launch; undefined for zeros. */
  readonly initial: Uint8Array | undefined;
}

export class DeviceRunner implements PackRunner {
  readonly #current: () => Device;
  readonly #reading: Reading;
  readonly #makeUsable: () => boolean;
  readonly #inputs = new Map<number, Promise<DeviceBuffer>>();
  #outputs: OutputBuffer[] = [];
  #capacity = 0;
  #reduction: OpenReduction | undefined;

  /**
   * @param device the device, which may be another one after a failure
   * @param makeUsable makes it usable again after a failure, and returns whether it is
   */
  constructor(device: () => Device, reading: Reading, makeUsable: () => boolean) {
    this.#current = device;
    this.#reading = reading;
    this.#makeUsable = makeUsable;
  }

  get #device(): Device {
    return this.#current();
  }

  async run(work: PackWork): Promise<PackAnswer> {
    let module: DeviceModule | undefined;
    try {
      const began = performance.now();
      module = this.#device.load(work.source);
      const loaded = performance.now();
      const outputs = await this.#launch(module, work);
      await this.#device.stream.synchronize();
      const launched = performance.now();
      const read = await this.#read(outputs, work);
      const times = {
        load: loaded - began,
        launch: launched - loaded,
        read: performance.now() - launched,
      };
      return { ok: true, ...read, times };
    } catch (error) {
      return faultOf(error, !this.#recover());
    } finally {
      try {
        module?.dispose();
      } catch {
        // A lost device has freed it.
      }
    }
  }

  dispose(): void {
    this.#forget();
  }

  /** Queues the launches of all programs. */
  async #launch(module: DeviceModule, work: PackWork): Promise<readonly OutputArgument[]> {
    const { plan, packing, entries, count, hasFirst } = work;
    const arguments_ = plan.args.filter((argument): argument is OutputArgument => argument.kind === "output");
    await this.#prepareOutputs(arguments_, count);
    const fixed = await this.#fixedArguments(plan.args);
    const { stream } = this.#device;
    const { block, sharedBytes } = plan;
    const args = hasFirst ? [...fixed(0), u32(0)] : undefined;
    const launches = entries.map((entry, i) => {
      const grid = [...plan.grid] as [number, number, number];
      if (packing.kind === "alternatives") grid[packing.axis === "z" ? 2 : 1] = count;
      return this.#prepared(module, entry, { grid, block, sharedBytes }, args ?? fixed(i));
    });
    stream.launchMany(launches);
    return arguments_;
  }

  /** @throws RefusedLaunch if the device refuses the launch plan */
  #prepared(
    module: DeviceModule,
    entry: string,
    options: {
      readonly grid: LaunchDimensions;
      readonly block: LaunchDimensions;
      readonly sharedBytes: number;
    },
    args: readonly LaunchArgument[],
  ): PreparedLaunch {
    const kernel = module.kernel(entry);
    try {
      if (options.sharedBytes > this.#device.limits.sharedBytesPerBlock)
        kernel.setDynamicShared(options.sharedBytes);
      return kernel.prepare(options, args);
    } catch (cause) {
      throw new RefusedLaunch("the launch plan does not fit the kernel", { cause });
    }
  }

  /** The arguments of the launch of a program, whose parts of buffers begin at `first`. */
  async #fixedArguments(
    args: readonly ResolvedArgument[],
  ): Promise<(first: number) => readonly LaunchArgument[]> {
    const buffers = await Promise.all(
      args.map((argument) => (argument.kind === "input" ? this.#input(argument) : undefined)),
    );
    return (first) => {
      const outputs = this.#outputs.map(({ buffer }) => buffer);
      return args.map(
        (argument, i) =>
          buffers[i] ??
          argumentAt(
            argument as Exclude<ResolvedArgument, { readonly kind: "input" }>,
            first,
            () => outputs.shift()!,
          ),
      );
    };
  }

  #input({ id, data }: ResolvedArgument & { readonly kind: "input" }): Promise<DeviceBuffer> {
    let uploaded = this.#inputs.get(id);
    if (uploaded === undefined) {
      uploaded = upload(this.#device, data);
      this.#inputs.set(id, uploaded);
    }
    return uploaded;
  }

  /** Makes room for the outputs of all programs, and writes what they contain before the launch. */
  async #prepareOutputs(args: readonly OutputArgument[], count: number): Promise<void> {
    if (count > this.#capacity) {
      for (const { buffer } of this.#outputs) buffer.dispose();
      this.#outputs = [];
      this.#capacity = 0;
      for (const argument of args) {
        const bytes = argument.stride * count;
        this.#outputs.push({ buffer: this.#device.allocate(bytes), initial: initialBytes(argument, count) });
      }
      this.#capacity = count;
    }
    const written = args.map(({ stride }, i) => {
      const { buffer, initial } = this.#outputs[i]!;
      const byteLength = stride * count;
      if (initial === undefined) return buffer.fill(0, { byteLength });
      return buffer.copyFrom(initial.subarray(0, byteLength));
    });
    await Promise.all(written);
  }

  async #read(
    args: readonly OutputArgument[],
    { plan, count }: PackWork,
  ): Promise<Pick<PackRan, "outputs" | "scores">> {
    const buffers = args.map(({ stride }, i) => ({ buffer: this.#outputs[i]!.buffer, stride }));
    if (this.#reading.kind !== "outputs") {
      return { outputs: [], scores: await this.#scores(this.#reading, buffers, { plan, count }) };
    }
    const outputs = await Promise.all(
      args.map(async ({ elements, stride, length }, i) => {
        const type = ELEMENTS[elements]!;
        const data = await buffers[i]!.buffer.part(0, stride * count)
          .as(type)
          .read();
        return { data, step: stride / type.BYTES_PER_ELEMENT, length };
      }),
    );
    return { outputs, scores: undefined };
  }

  /**
   * The programs have run before, so they are not at fault if this fails.
   *
   * @throws RefusedLaunch
   */
  async #scores(
    reading: ScoreReading,
    buffers: readonly OutputMemory[],
    { plan, count }: Pick<PackWork, "plan" | "count">,
  ): Promise<PackRan["scores"]> {
    try {
      this.#reduction ??= await openReduction(reading, this.#device, outputsOf(plan));
      return await this.#reduction.scores(buffers, count);
    } catch (cause) {
      throw new RefusedLaunch("the scores can't be computed", { cause });
    }
  }

  /** Returns whether the device works again. */
  #recover(): boolean {
    this.#forget();
    return this.#makeUsable();
  }

  /** After a failure, memory may be lost or have been written by whoever failed. */
  #forget(): void {
    const owned = [
      ...this.#outputs.map(({ buffer }) => buffer),
      ...(this.#reduction ? [this.#reduction] : []),
    ];
    for (const uploaded of this.#inputs.values())
      uploaded.then((buffer) => quietly(() => buffer.dispose())).catch(() => {});
    for (const one of owned) quietly(() => one[Symbol.dispose]());
    this.#inputs.clear();
    this.#outputs = [];
    this.#capacity = 0;
    this.#reduction = undefined;
  }
}

/** An argument of the launch of a program whose parts of buffers begin at `first`. */
function argumentAt(
  argument: Exclude<ResolvedArgument, { readonly kind: "input" }>,
  first: number,
  nextOutput: () => DeviceBuffer,
): LaunchArgument {
  if (argument.kind === "value") return new TypedArgument(argument.type, argument.bytes);
  if (argument.kind === "buffer") return argument.buffer;
  const buffer = argument.kind === "output" ? nextOutput() : argument.buffer;
  return first === 0 ? buffer : buffer.part(first * argument.stride);
}

async function upload(device: Device, data: TypedArray): Promise<DeviceBuffer> {
  const buffer = device.allocate(Math.max(1, data.byteLength));
  await buffer.copyFrom(data);
  return buffer;
}

function initialBytes({ initial, stride }: OutputArgument, count: number): Uint8Array | undefined {
  if (initial === undefined) return undefined;
  const bytes = new Uint8Array(stride * count);
  const own = new Uint8Array(initial.buffer, initial.byteOffset, initial.byteLength);
  for (let i = 0; i < count; i++) bytes.set(own, i * stride);
  return bytes;
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It was lost with its device.
  }
}
