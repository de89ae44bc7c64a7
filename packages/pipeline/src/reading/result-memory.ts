// Memory that kernels write scores to. It is used again, because allocating and freeing memory makes a GPU wait.
import type { Device, DeviceBuffer } from "@mm-ptx/types/device";

export class ResultMemory {
  readonly #device: Device;
  readonly #idle: DeviceBuffer<Uint8Array>[] = [];
  #disposed = false;

  constructor(device: Device) {
    this.#device = device;
  }

  /** Lends memory of at least this many bytes to a function until its promise is settled. Uses at the same time have different memory. */
  async lend<Result>(
    bytes: number,
    use: (memory: DeviceBuffer<Uint8Array>) => Promise<Result>,
  ): Promise<Result> {
    const memory = this.#take(bytes);
    let isIdle = false;
    try {
      const result = await use(memory);
      isIdle = !this.#disposed;
      return result;
    } finally {
      // After a failure, queued work may still write to it.
      if (isIdle) this.#idle.push(memory);
      else memory.dispose();
    }
  }

  dispose(): void {
    this.#disposed = true;
    for (const memory of this.#idle.splice(0)) memory.dispose();
  }

  #take(bytes: number): DeviceBuffer<Uint8Array> {
    const idle = this.#idle.pop();
    if (idle !== undefined && idle.byteLength >= bytes) return idle;
    idle?.dispose();
    return this.#device.allocate(bytes);
  }
}
