// The memory of a program, through `/proc/PID/mem`: bytes are copied straight between it and the device's memory.
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { CudaError, INVALID_VALUE } from "./cuda-errors.js";

/** The most bytes of a single read or write, which Linux limits to 2 GiB. */
const MOST_BYTES = 2 ** 30;

/** `readSync` or `writeSync`. */
type Transfer = (file: number, bytes: Uint8Array, offset: number, length: number, position: number) => number;

export class ProcessMemory {
  readonly #file: number;

  private constructor(file: number) {
    this.#file = file;
  }

  /**
   * @param probe an address and the bytes that are stored there
   * @returns undefined if the memory can't be accessed
   */
  static open(
    pid: number,
    probe: { readonly address: number; readonly value: bigint },
  ): ProcessMemory | undefined {
    try {
      const memory = new ProcessMemory(openSync(`/proc/${pid}/mem`, "r+"));
      const found = Buffer.alloc(8);
      memory.read(probe.address, found);
      return found.readBigUInt64LE() === probe.value ? memory : undefined;
    } catch {
      return undefined;
    }
  }

  /** @throws CudaError if the program has no memory there */
  read(address: number, target: Uint8Array): void {
    this.#transfer(readSync, address, target);
  }

  /** @throws CudaError if the program has no memory there */
  write(address: number, source: Uint8Array): void {
    this.#transfer(writeSync, address, source);
  }

  close(): void {
    closeSync(this.#file);
  }

  #transfer(transfer: Transfer, address: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      const wanted = Math.min(MOST_BYTES, bytes.length - done);
      let moved = 0;
      try {
        moved = transfer(this.#file, bytes, done, wanted, address + done);
      } catch {
        // The address is not one of the program's.
      }
      if (moved <= 0) throw new CudaError(INVALID_VALUE);
      done += moved;
    }
  }
}
