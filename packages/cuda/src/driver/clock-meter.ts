// Measures the clock rate of a multiprocessor: cycles per nanosecond while a thread spins. The driver itself reports
// only the highest rate.

import type { Device, DeviceModule, DeviceStream } from "@mm-ptx/types/device";
import { PtxCompileError } from "../error.js";

/** Much longer than the microsecond in which `%globaltimer` advances on some devices. */
const SPIN_NANOSECONDS = 1_000_000;

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

export class ClockMeter implements Disposable {
  readonly #device: Device;
  readonly #module: DeviceModule | undefined;

  private constructor(device: Device, module: DeviceModule | undefined) {
    this.#device = device;
    this.#module = module;
  }

  /** On an emulator, and where no PTX compiler is available, the meter measures nothing. @throws CudaError */
  static for(device: Device): ClockMeter {
    return new ClockMeter(device, device.kind === "cuda" ? loaded(device) : undefined);
  }

  /** Measures after the work that is queued on the stream; undefined where it can't be measured. @throws CudaError */
  async megahertz(stream: DeviceStream): Promise<number | undefined> {
    if (this.#module === undefined) return undefined;
    using out = this.#device.allocate(16);
    stream.launch(this.#module.kernel("spin"), { grid: 1, block: 1 }, [out]);
    using counts = out.as(BigUint64Array);
    const [cycles, nanoseconds] = await counts.read({ stream });
    return nanoseconds === 0n ? undefined : (Number(cycles) * 1000) / Number(nanoseconds);
  }

  dispose(): void {
    this.#module?.dispose();
  }

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
