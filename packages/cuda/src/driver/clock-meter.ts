// Measures the clock rate of a multiprocessor: cycles per nanosecond while a thread spins. The driver itself reports
// only the highest rate.

import type { Device, DeviceModule, DeviceStream } from "@mm-ptx/types/device";
import { PtxCompileError } from "../error.js";

/** Much longer than the microsecond in which `%globaltimer` advances on some devices. */
const SPIN_NANOSECONDS = 1_000_000;

/** Below the ratio by which clock rates vary from one moment to the next. */
const THROTTLED = 0.95;

/** Writes both counts to `out` (PTX ISA, Special Registers: `%clock64`, `%globaltimer`). */
const SPIN = `.version 6.3
.target sm_75
.address_size 64
.visible .entry spin(.param .u64 out) {
  .reg .b64 %out, %cycle, %begin, %time, %passed;
  .reg .pred %more;
  ld.param.u64 %out, [out];
  mov.u64 %begin, %globaltimer;
  mov.u64 %cycle, %clock64;
AGAIN:
  mov.u64 %time, %globaltimer;
  sub.u64 %passed, %time, %begin;
  setp.lt.u64 %more, %passed, ${SPIN_NANOSECONDS};
  @%more bra AGAIN;
  mov.u64 %time, %clock64;
  sub.u64 %cycle, %time, %cycle;
  st.global.v2.u64 [%out], {%cycle, %passed};
  ret;
}
`;

/**
 * Measures the clock rate of a multiprocessor, which drops when a GPU gets too hot or draws too much power: a thread counts cycles for a
 * millisecond. It has a module on the device until it is disposed.
 */
export class ClockMeter implements Disposable {
  readonly #device: Device;
  readonly #module: DeviceModule | undefined;

  private constructor(device: Device, module: DeviceModule | undefined) {
    this.#device = device;
    this.#module = module;
  }

  /** A meter for a device. On an emulator, and where no PTX compiler is available, it measures nothing. @throws CudaError */
  static for(device: Device): ClockMeter {
    return new ClockMeter(device, device.kind === "cuda" ? loaded(device) : undefined);
  }

  /** The clock rate in MHz after the work that is queued on the stream; undefined where it can't be measured. @throws CudaError */
  async megahertz(stream: DeviceStream): Promise<number | undefined> {
    if (this.#module === undefined) return undefined;
    using out = this.#device.allocate(16);
    stream.launch(this.#module.kernel("spin"), { grid: 1, block: 1 }, [out]);
    using counts = out.as(BigUint64Array);
    const [cycles, nanoseconds] = await counts.read({ stream });
    return nanoseconds === 0n ? undefined : (Number(cycles) * 1000) / Number(nanoseconds);
  }

  /** Whether the clock rate dropped by more than a twentieth between two measurements; undefined where it was not measured. */
  static isThrottled(before: number | undefined, after: number | undefined): boolean | undefined {
    return before === undefined || after === undefined ? undefined : after < before * THROTTLED;
  }

  /** Frees the module. */
  dispose(): void {
    this.#module?.dispose();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

function loaded(device: Device): DeviceModule | undefined {
  try {
    return device.load(SPIN);
  } catch (error) {
    if (error instanceof PtxCompileError && error.code === "UNAVAILABLE") return undefined;
    throw error;
  }
}
