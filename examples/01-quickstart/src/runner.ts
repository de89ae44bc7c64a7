// Programs that run: the rendered kernel on a device, and its results held against the reference. Which device it is matters
// only where it is opened.

import { EmulatedDevice, EmulatorError } from "@mm-ptx/emulator";
import type { StackProgram } from "@mm-ptx/stack";
import { Random } from "@mm-ptx/stack/random";
import {
  type Device,
  type DeviceBuffer,
  type KernelParameter,
  type StackTable,
  sourceMap,
  u32,
} from "@mm-ptx/types/core";
import { messageOf, QuickstartError } from "./error.js";
import type { Kernel } from "./kernel.js";
import type { Run } from "./options.js";
import { bitsOf, type Column, numberOf, ReferenceMachine } from "./reference.js";

/** Two blocks, whose last threads have nothing to do. */
const SHAPE = { grid: 2, block: 32 };
/** Elements that each program is run on. */
const ELEMENTS = 50;
/** Far more than a launch takes. */
const TIMEOUT_MS = 60_000;
/** Numbers that instructions have rules of their own for. */
const SPECIAL = [0, -0, 1, -1, Infinity, -Infinity, NaN, 1e-40, -1e-40, 2 ** -126, 3.4e38, -3.4e38];

/** What came of running a program. */
export interface Ran {
  /** The first result that is not the reference's, in words; undefined when all are. */
  readonly difference: string | undefined;
}

/** What runs programs, or a few words that say why nothing does. */
export type FoundRunner =
  | { readonly runner: Runner; readonly name: string }
  | { readonly runner: undefined; readonly why: string };

/**
 * @throws QuickstartError `RUN` when a GPU is asked for, and there is none
 * @throws EmulatorError when the emulator is asked for, and can't run the kernel
 */
export function findRunner(run: Run, kernel: Kernel, table: StackTable): FoundRunner {
  if (run === "none") return { runner: undefined, why: "not asked for" };
  if (run === "gpu") {
    throw new QuickstartError("RUN", "expected a GPU for `--run gpu`, found none that this version can use");
  }
  try {
    using device = openEmulator();
    if (!takesArrays(device.load(kernel.text).kernel(kernel.entries[0]!).parameters, kernel)) {
      const why = "the kernel takes other parameters than an array for each operand and a count";
      return { runner: undefined, why };
    }
  } catch (error) {
    if (run === "emulator" || !(error instanceof EmulatorError)) throw error;
    return { runner: undefined, why: messageOf(error).split("\n")[0]! };
  }
  return { runner: new Runner(openEmulator, kernel, table), name: "emulator" };
}

/** The one line that another device needs. */
const openEmulator = (): Device => EmulatedDevice.open({ limits: { timeoutMs: TIMEOUT_MS } });

/** Whether the parameters are an array for each operand, the result's last, and a count. */
function takesArrays(parameters: readonly KernelParameter[], { site }: Kernel): boolean {
  const results = site.operands.filter(({ direction }) => direction === "out").length;
  const reads = site.operands.filter(({ direction }) => direction === "in").length;
  const types = parameters.map(({ type }) => type).join(" ");
  return (
    results === 1 && reads + results === site.operands.length && types === `${"u64 ".repeat(reads + 1)}u32`
  );
}

/** A device with the kernel's arrays. */
interface Session {
  readonly device: Device;
  readonly inputs: readonly DeviceBuffer[];
  readonly results: DeviceBuffer<Uint32Array>;
}

export class Runner implements Disposable {
  readonly #open: () => Device;
  readonly #kernel: Kernel;
  readonly #reference: ReferenceMachine;
  /** For each operand of the site the bits of a value for each element. */
  readonly #columns: readonly Column[];
  #session: Session | undefined;

  constructor(open: () => Device, kernel: Kernel, table: StackTable) {
    const random = new Random(1);
    this.#open = open;
    this.#kernel = kernel;
    this.#reference = new ReferenceMachine(table);
    this.#columns = kernel.site.operands.map(() =>
      Uint32Array.from({ length: ELEMENTS }, () => drawBits(random)),
    );
  }

  /** Runs the kernel with the stub of a program. @throws what the device does when that fails */
  async run(program: StackProgram, stub: string): Promise<Ran> {
    this.#session ??= await this.#begin();
    try {
      return { difference: this.#differenceOf(program, await this.#results(this.#session, stub)) };
    } catch (error) {
      // After a launch that failed a device does nothing more.
      this.#end();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#end();
  }

  async #begin(): Promise<Session> {
    const device = this.#open();
    const inputs: DeviceBuffer[] = [];
    for (const [operand, { direction }] of this.#kernel.site.operands.entries()) {
      if (direction === "out") continue;
      const buffer = device.allocateUint32(ELEMENTS);
      await buffer.copyFrom(this.#columns[operand]!);
      inputs.push(buffer);
    }
    return { device, inputs, results: device.allocateUint32(ELEMENTS) };
  }

  #end(): void {
    this.#session?.device.dispose();
    this.#session = undefined;
  }

  async #results({ device, inputs, results }: Session, stub: string): Promise<Uint32Array> {
    const { render, template, entries } = this.#kernel;
    using module = device.load(render(stub), { sourceMap: sourceMap(template, [stub]) });
    // What the kernel leaves out must not look like a result of the program before.
    await results.fill(0xff);
    device.stream.launch(module.kernel(entries[0]!), SHAPE, [...inputs, results, u32(ELEMENTS)]);
    return results.read();
  }

  #differenceOf(program: StackProgram, results: Uint32Array): string | undefined {
    const expected = this.#reference.evaluate(program, this.#columns);
    // Where a program leaves nothing on the stack the result is whatever the register holds.
    const wrong = expected?.findIndex((bits, i) => bits !== results[i]) ?? -1;
    if (expected === undefined || wrong === -1) return undefined;
    const { operands } = this.#kernel.site;
    const inputs = this.#columns.filter((_, operand) => operands[operand]!.direction === "in");
    const words = inputs.map((column) => shown(column[wrong]!)).join(", ");
    return `expected ${shown(expected[wrong]!)} for (${words}), found ${shown(results[wrong]!)}`;
  }
}

function drawBits(random: Random): number {
  return bitsOf(
    random.below(4) === 0 ? random.pick(SPECIAL) : (random.fraction() - 0.5) * 2 ** random.below(12),
  );
}

/** `2.5 (0x40200000)` */
const shown = (bits: number): string => `${numberOf(bits)} (0x${bits.toString(16).padStart(8, "0")})`;
