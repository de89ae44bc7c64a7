// Runs packs on one device: loads the module, launches its programs, and reads what they wrote.
import type {
  Device,
  DeviceBuffer,
  DeviceModule,
  LaunchArgument,
  LaunchDimensions,
  PreparedLaunch,
  TypedArray,
  TypedArrayClass,
} from "@mm-ptx/types/device";
import { TypedArgument, u32 } from "@mm-ptx/types/device";
import { outputsOf, type ResolvedArgument, type ResolvedPlan } from "../launch/resolved.js";
import { type OpenReduction, type OutputMemory, openReduction } from "../reading/open.js";
import type { Reading, ScoreReading } from "../reading/reading.js";
import { faultOf, RefusedLaunch } from "./fault.js";
import { type OutputArgument, OutputBuffers } from "./output-buffers.js";
import type { PackAnswer, PackRan, PackRunner, PackWork } from "./work.js";

export class DeviceRunner implements PackRunner {
  readonly #current: () => Device;
  readonly #reading: Reading;
  readonly #makeUsable: () => boolean;
  readonly #inputs = new Map<number, Promise<DeviceBuffer>>();
  /** The outputs of programs that are alternatives of one launch. */
  readonly #shared = new OutputBuffers();
  /** The outputs of programs that are launched one by one. */
  readonly #own: OutputBuffers[] = [];
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
      const args = outputArguments(work.plan);
      const memories = await this.#memories(args, work);
      await this.#launch(module, memories, work);
      await this.#device.stream.synchronize();
      const launched = performance.now();
      const read = await this.#read(args, memories, work);
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

  /** The memory of the outputs: one for all alternatives, or one for each program that is launched by itself. */
  async #memories(
    args: readonly OutputArgument[],
    { packing, count }: PackWork,
  ): Promise<readonly OutputBuffers[]> {
    if (packing.kind === "alternatives") {
      await this.#shared.prepare(this.#device, args, count);
      return [this.#shared];
    }
    while (this.#own.length < count) this.#own.push(new OutputBuffers());
    const memories = this.#own.slice(0, count);
    await Promise.all(memories.map((memory) => memory.prepare(this.#device, args, 1)));
    return memories;
  }

  /** Queues the launches of all programs. */
  async #launch(module: DeviceModule, memories: readonly OutputBuffers[], work: PackWork): Promise<void> {
    const { plan, packing, entries, count, hasFirst } = work;
    const fixed = await this.#fixedArguments(plan.args, memories);
    const { stream } = this.#device;
    const { block, sharedBytes } = plan;
    const args = hasFirst ? [...fixed(0), u32(0)] : undefined;
    const launches = entries.map((entry, i) => {
      const grid = [...plan.grid] as [number, number, number];
      if (packing.kind === "alternatives") grid[packing.axis === "z" ? 2 : 1] = count;
      return this.#prepared(module, entry, { grid, block, sharedBytes }, args ?? fixed(i));
    });
    stream.launchMany(launches);
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

  /** The arguments of the launch of a program. */
  async #fixedArguments(
    args: readonly ResolvedArgument[],
    memories: readonly OutputBuffers[],
  ): Promise<(first: number) => readonly LaunchArgument[]> {
    const buffers = await Promise.all(
      args.map((argument) => (argument.kind === "input" ? this.#input(argument) : undefined)),
    );
    return (first) => {
      const outputs = [...memories[first]!.buffers];
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

  async #read(
    args: readonly OutputArgument[],
    memories: readonly OutputBuffers[],
    { plan, count }: PackWork,
  ): Promise<Pick<PackRan, "outputs" | "scores">> {
    const each = count / memories.length;
    if (this.#reading.kind !== "outputs") {
      const scores: (number | string)[] = [];
      for (const { buffers } of memories) {
        const outputs = args.map(({ stride }, i) => ({ buffer: buffers[i]!, stride }));
        scores.push(...(await this.#scores(this.#reading, outputs, { plan, count: each })));
      }
      return { outputs: [], scores };
    }
    const parts = await Promise.all(memories.map((memory) => memory.read(args, each)));
    return { outputs: parts.length === 1 ? parts[0]! : joined(parts), scores: undefined };
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
  ): Promise<readonly (number | string)[]> {
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
    const reduction = this.#reduction;
    for (const uploaded of this.#inputs.values())
      uploaded.then((buffer) => quietly(() => buffer.dispose())).catch(() => {});
    quietly(() => reduction?.[Symbol.dispose]());
    this.#inputs.clear();
    for (const memory of [this.#shared, ...this.#own]) memory.forget();
    this.#reduction = undefined;
  }
}

const outputArguments = ({ args }: ResolvedPlan): readonly OutputArgument[] =>
  args.filter((argument): argument is OutputArgument => argument.kind === "output");

/** An argument of the launch of a program whose part of the caller's buffers begins at `first`. */
function argumentAt(
  argument: Exclude<ResolvedArgument, { readonly kind: "input" }>,
  first: number,
  nextOutput: () => DeviceBuffer,
): LaunchArgument {
  if (argument.kind === "value") return new TypedArgument(argument.type, argument.bytes);
  if (argument.kind === "buffer") return argument.buffer;
  if (argument.kind === "output") return nextOutput();
  return first === 0 ? argument.buffer : argument.buffer.part(first * argument.stride);
}

async function upload(device: Device, data: TypedArray): Promise<DeviceBuffer> {
  const buffer = device.allocate(Math.max(1, data.byteLength));
  await buffer.copyFrom(data);
  return buffer;
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It was lost with its device.
  }
}

/** The outputs of programs that each have their own memory. */
function joined(parts: readonly PackRan["outputs"][]): PackRan["outputs"] {
  return parts[0]!.map(({ data, length }, output) => {
    const Elements = data.constructor as TypedArrayClass<TypedArray>;
    const all = new Elements(parts.length * length);
    for (const [i, part] of parts.entries())
      (all as Uint8Array).set(part[output]!.data as Uint8Array, i * length);
    return { data: all, step: length, length };
  });
}
