// What happens to a device after a failure: an emulated one is cleared, an isolated GPU starts a new process with the next call, and a
// GPU of this process is opened again by the caller's function.
import { CudaDevice } from "@mm-ptx/cuda";
import type { EmulatedDevice } from "@mm-ptx/emulator";
import type { Device } from "@mm-ptx/types/device";
import { describeError, describeValue } from "@mm-ptx/types/internal";
import { quietly } from "./quietly.js";

/** The device of a runner, which may be another one after a failure. */
export interface RunnerDevice extends Disposable {
  readonly current: Device;
  /** Whether it failed, so that everything on it is lost. */
  readonly isLost: boolean;
  /**
   * Makes the device usable after a failure. Everything on it is to be made again.
   *
   * @returns why it can't be used any more, as a part of a sentence, or undefined
   */
  recover(): Promise<string | undefined>;
}

export const emulated = (device: EmulatedDevice): RunnerDevice => ({
  current: device,
  isLost: false,
  async recover() {
    device.recover();
    return undefined;
  },
  [Symbol.dispose]() {},
});

/** How often an isolated device is tried: its first call may still report the failure that lost it. */
const TRIES = 2;

export class GpuDevice implements RunnerDevice {
  readonly #reopen: (() => Device | Promise<Device>) | undefined;
  readonly #hasOwnBuffers: boolean;
  #current: Device;
  /** Whether `reopen` has opened the current device. */
  #isReopened = false;

  /** @param hasOwnBuffers whether launches use buffers of the caller's, which end with the device */
  constructor(device: Device, reopen: (() => Device | Promise<Device>) | undefined, hasOwnBuffers: boolean) {
    this.#current = device;
    this.#reopen = reopen;
    this.#hasOwnBuffers = hasOwnBuffers;
  }

  get current(): Device {
    return this.#current;
  }

  get isLost(): boolean {
    const { current } = this;
    return current instanceof CudaDevice && current.failure !== undefined;
  }

  async recover(): Promise<string | undefined> {
    const device = this.#current;
    if (device.disposed) return "it was disposed";
    if (!(device instanceof CudaDevice) || !this.isLost) return undefined;
    if (this.#hasOwnBuffers) return "buffers of the launch plan were lost with it";
    return device.isolated ? problemOf(device, TRIES) : this.#openAgain();
  }

  /** Disposes the device if `reopen` has opened it. */
  dispose(): void {
    if (this.#isReopened) quietly(() => this.#current.dispose());
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  async #openAgain(): Promise<string | undefined> {
    if (this.#reopen === undefined)
      return "it runs in this process: open it with `isolate: true`, or give the option `reopen`";
    try {
      // The driver keeps a context that failed until its last user has released it.
      await this.#current.disposeAsync();
      const opened: unknown = await this.#reopen();
      if (typeof (opened as Partial<Device> | null | undefined)?.load !== "function")
        return `expected a device from \`reopen\`, found ${describeValue(opened)}`;
      this.#isReopened = true;
      this.#current = opened as Device;
    } catch (error) {
      return `\`reopen\` failed: ${describeError(error)}`;
    }
    return problemOf(this.#current, 1);
  }
}

/** Why a device does not work, or undefined. */
async function problemOf(device: Device, tries: number): Promise<string | undefined> {
  let problem: string | undefined;
  for (let i = 0; i < tries; i++) {
    try {
      using memory = device.allocate(256);
      await memory.fill(0);
      return undefined;
    } catch (error) {
      problem = `it failed again at once: ${describeError(error)}`;
    }
  }
  return problem;
}
