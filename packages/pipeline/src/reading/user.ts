// The caller's own reduction on a device.
import type { Device, DeviceKernel, DeviceModule, DeviceStream } from "@mm-ptx/types/device";
import { describeError, didYouMean, quoted } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";
import type { OutputSlices } from "../launch/plan.js";
import { checkMemory, checkNotDisposed } from "./memory.js";
import type { OpenReduction, OutputMemory } from "./open.js";
import type { ReductionReading } from "./reading.js";
import { ResultMemory } from "./result-memory.js";

export class UserReduction implements OpenReduction {
  readonly #reading: ReductionReading;
  readonly #device: Device;
  readonly #outputs: readonly OutputSlices[];
  readonly #module: DeviceModule;
  readonly #kernel: DeviceKernel;
  readonly #memory: ResultMemory;
  #disposed = false;

  /** @throws PipelineError NOT_FOUND if the PTX has no such kernel; errors of the device */
  constructor(reading: ReductionReading, device: Device, outputs: readonly OutputSlices[]) {
    this.#reading = reading;
    this.#device = device;
    this.#outputs = outputs;
    this.#memory = new ResultMemory(device);
    this.#module = device.load(reading.ptx);
    this.#kernel = this.#found(reading.kernel);
  }

  async scores(
    outputs: readonly OutputMemory[],
    count: number,
    { stream = this.#device.stream }: { readonly stream?: DeviceStream } = {},
  ): Promise<readonly (number | string)[]> {
    checkNotDisposed(this.#disposed);
    checkMemory(this.#outputs, outputs, count);
    const { grid, block, args, scores } = this.#reading;
    const bytes = count * scores.BYTES_PER_ELEMENT;
    return this.#memory.lend(bytes, async (memory) => {
      const options = { grid: called("grid", () => grid(count)), block };
      const buffers = {
        outputs: outputs.map(({ buffer }) => buffer),
        strides: outputs.map(({ stride }) => stride),
        scores: memory,
        alternatives: count,
      };
      const given = called("args", () => args(buffers));
      const results = new scores(count);
      const launched = async () => {
        stream.launch(this.#kernel, options, given);
        await memory.copyTo(results, { stream });
      };
      await Promise.all([memory.fill(0, { byteLength: bytes, stream }), launched()]);
      return Array.from(results);
    });
  }

  #found(name: string): DeviceKernel {
    const { kernels } = this.#module;
    if (kernels.includes(name)) return this.#module.kernel(name);
    this.#module.dispose();
    const message = `expected kernel ${quoted(name)} in the PTX of \`reduction\`, found none${didYouMean(name, kernels)}`;
    throw new PipelineError("NOT_FOUND", message);
  }

  dispose(): void {
    this.#disposed = true;
    this.#module.dispose();
    this.#memory.dispose();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** @throws PipelineError INVALID_ARGUMENT if a function of the caller's throws */
function called<Result>(name: string, call: () => Result): Result {
  try {
    return call();
  } catch (cause) {
    const message = `\`${name}\` of \`reduction\` threw: ${describeError(cause)}`;
    throw new PipelineError("INVALID_ARGUMENT", message, { cause });
  }
}
