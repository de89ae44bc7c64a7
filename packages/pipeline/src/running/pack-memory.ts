// The memory of packs on one device: inputs, which are uploaded once, and outputs for as many programs as the largest pack so far.
import { MmPtxError } from "@mm-ptx/types/core";
import type { Device, DeviceBuffer, LaunchArgument, TypedArray, TypedArrayClass } from "@mm-ptx/types/device";
import { TypedArgument } from "@mm-ptx/types/device";
import type { ResolvedArgument, ResolvedPlan } from "../launch/resolved.js";
import { type OutputArgument, OutputBuffers } from "./output-buffers.js";
import { quietly } from "./quietly.js";
import type { PackWork, ProgramReadings } from "./work.js";

export class PackMemory implements Disposable {
  readonly #device: Device;
  readonly #inputs = new Map<number, DeviceBuffer>();
  /** Whether the last pack may have written to inputs. */
  #mayDiffer = false;
  /** The outputs of programs that are alternatives of one launch. */
  readonly #shared = new OutputBuffers();
  /** The outputs of programs that are launched one by one. */
  readonly #own: OutputBuffers[] = [];
  /** Parts of buffers that were made for launches. They keep the whole buffer. */
  #parts: DeviceBuffer[] = [];

  constructor(device: Device) {
    this.#device = device;
  }

  /**
   * Makes room for the outputs of a pack, writes what they contain before the launch, and uploads inputs that the device does not have
   * yet.
   */
  async prepare(work: PackWork): Promise<void> {
    const { plan, count, restoresInputs } = work;
    for (const argument of plan.args) {
      if (argument.kind !== "input") continue;
      const buffer = this.#inputs.get(argument.id);
      if (buffer === undefined) this.#inputs.set(argument.id, await upload(this.#device, argument.data));
      else if (restoresInputs || this.#mayDiffer) await buffer.copyFrom(argument.data);
    }
    this.#mayDiffer = restoresInputs;
    const args = outputArguments(plan);
    const memories = this.#memories(work);
    const each = count / memories.length;
    const prepareAll = () => Promise.all(memories.map((memory) => memory.prepare(this.#device, args, each)));
    try {
      await prepareAll();
    } catch (error) {
      if (!(error instanceof MmPtxError && error.code === "OUT_OF_MEMORY")) throw error;
      // What packs of the other kind have left may be in the way.
      this.#forgetOutputs();
      await prepareAll();
    }
  }

  /** The arguments of the launch of all alternatives, or of a program that is launched by itself; usable until `freeParts` is called. */
  arguments({ args }: ResolvedPlan, program?: number): readonly LaunchArgument[] {
    const { buffers } = program === undefined ? this.#shared : this.#own[program]!;
    let output = 0;
    return args.map((argument) => {
      if (argument.kind === "value") return new TypedArgument(argument.type, argument.bytes);
      if (argument.kind === "input") return this.#inputs.get(argument.id)!;
      if (argument.kind === "output") return buffers[output++]!;
      if (argument.kind === "buffer" || program === undefined) return argument.buffer;
      return this.#partOf(argument, program);
    });
  }

  /** Frees the parts of buffers that launches were prepared with; launches that are queued may still use them. */
  freeParts(): void {
    for (const part of this.#parts) quietly(() => part.dispose());
    this.#parts = [];
  }

  /** Copies of what the programs of a pack wrote. */
  async read(work: PackWork): Promise<ProgramReadings["outputs"]> {
    const args = outputArguments(work.plan);
    const memories = this.#memories(work);
    const parts = await Promise.all(
      memories.map((memory) => memory.read(args, work.count / memories.length)),
    );
    return parts.length === 1 ? parts[0]! : joined(parts);
  }

  /** The outputs of a pack where they are: in one memory for all alternatives, or one for each program that is launched by itself. */
  outputs(
    work: PackWork,
  ): readonly (readonly { readonly buffer: DeviceBuffer; readonly stride: number }[])[] {
    const args = outputArguments(work.plan);
    return this.#memories(work).map(({ buffers }) =>
      args.map(({ stride }, i) => ({ buffer: buffers[i]!, stride })),
    );
  }

  /** Frees everything, also on a device that is lost. */
  dispose(): void {
    this.freeParts();
    for (const buffer of this.#inputs.values()) quietly(() => buffer.dispose());
    this.#inputs.clear();
    this.#forgetOutputs();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #forgetOutputs(): void {
    for (const memory of [this.#shared, ...this.#own]) memory.forget();
  }

  #memories({ packing, count }: PackWork): readonly OutputBuffers[] {
    if (packing.kind === "alternatives") return [this.#shared];
    while (this.#own.length < count) this.#own.push(new OutputBuffers());
    return this.#own.slice(0, count);
  }

  #partOf({ buffer, stride }: ResolvedArgument & { readonly kind: "slices" }, program: number): DeviceBuffer {
    const part = buffer.part(program * stride, stride);
    this.#parts.push(part);
    return part;
  }
}

const outputArguments = ({ args }: ResolvedPlan): readonly OutputArgument[] =>
  args.filter((argument): argument is OutputArgument => argument.kind === "output");

async function upload(device: Device, data: TypedArray): Promise<DeviceBuffer> {
  const buffer = device.allocate(Math.max(1, data.byteLength));
  try {
    await buffer.copyFrom(data);
    return buffer;
  } catch (error) {
    quietly(() => buffer.dispose());
    throw error;
  }
}

/** The outputs of programs that each have their own memory. */
function joined(parts: readonly ProgramReadings["outputs"][]): ProgramReadings["outputs"] {
  return parts[0]!.map(({ data, length }, output) => {
    const Elements = data.constructor as TypedArrayClass<TypedArray>;
    const all = new Elements(parts.length * length);
    for (const [i, part] of parts.entries())
      (all as Uint8Array).set(part[output]!.data as Uint8Array, i * length);
    return { data: all, step: length, length };
  });
}
