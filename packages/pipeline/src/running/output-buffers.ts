// Device memory of the outputs of some programs: one buffer for each output, in which each program has its part. The memory of a single
// program is as long as its outputs, so that the emulator finds accesses beyond them.
import type { Device, DeviceBuffer } from "@mm-ptx/types/device";
import { ELEMENTS } from "../launch/elements.js";
import type { ResolvedArgument } from "../launch/resolved.js";
import { quietly } from "./quietly.js";
import type { ProgramReadings } from "./work.js";

export type OutputArgument = ResolvedArgument & { readonly kind: "output" };

interface OutputBuffer {
  readonly buffer: DeviceBuffer;
  /** What it contains before a launch; undefined for zeros. */
  readonly initial: Uint8Array | undefined;
}

export class OutputBuffers {
  #outputs: OutputBuffer[] = [];
  /** The number of programs that it has room for. */
  #capacity = 0;

  /** The buffers in the order of the outputs. */
  get buffers(): readonly DeviceBuffer[] {
    return this.#outputs.map(({ buffer }) => buffer);
  }

  /** Makes room for the outputs of some programs, and writes what they contain before the launch. */
  async prepare(device: Device, args: readonly OutputArgument[], count: number): Promise<void> {
    if (count > this.#capacity) {
      this.forget();
      for (const argument of args) {
        const initial = initialBytes(argument, count);
        this.#outputs.push({ buffer: device.allocate(bytesFor(argument, count)), initial });
      }
      this.#capacity = count;
    }
    const written = args.map((argument, i) => {
      const { buffer, initial } = this.#outputs[i]!;
      const byteLength = bytesFor(argument, count);
      if (initial === undefined) return buffer.fill(0, { byteLength });
      return buffer.copyFrom(initial.subarray(0, byteLength));
    });
    await Promise.all(written);
  }

  /** Copies of what the programs wrote. */
  async read(args: readonly OutputArgument[], count: number): Promise<ProgramReadings["outputs"]> {
    return Promise.all(
      args.map(async (argument, i) => {
        const { elements, stride, length } = argument;
        const type = ELEMENTS[elements]!;
        // They keep the whole buffer until they are disposed.
        using part = this.#outputs[i]!.buffer.part(0, bytesFor(argument, count));
        using typed = part.as(type);
        return { data: await typed.read(), step: stride / type.BYTES_PER_ELEMENT, length };
      }),
    );
  }

  /** Frees the memory, which may be lost. */
  forget(): void {
    const outputs = this.#outputs;
    this.#outputs = [];
    this.#capacity = 0;
    for (const { buffer } of outputs) quietly(() => buffer.dispose());
  }
}

/** The part of the last program ends with its output. */
const bytesFor = ({ elements, stride, length }: OutputArgument, count: number): number =>
  stride * (count - 1) + length * ELEMENTS[elements]!.BYTES_PER_ELEMENT;

function initialBytes(argument: OutputArgument, count: number): Uint8Array | undefined {
  const { initial, stride } = argument;
  if (initial === undefined) return undefined;
  const bytes = new Uint8Array(bytesFor(argument, count));
  const own = new Uint8Array(initial.buffer, initial.byteOffset, initial.byteLength);
  for (let i = 0; i < count; i++) bytes.set(own, i * stride);
  return bytes;
}
