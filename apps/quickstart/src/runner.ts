// Runs programs: the kernel with the program's stub on a device, with a comparison of its results with the reference.
// Only the function that opens the device knows which one it is.

import { EmulatedDevice, EmulatorError } from "@mm-ptx/emulator";
import type { StackProgram } from "@mm-ptx/stack";
import type { KernelParameter, StackTable } from "@mm-ptx/types/core";
import type { Device } from "@mm-ptx/types/device";
import { Arrays, columnsOf, SHAPE } from "./arrays.js";
import { messageOf } from "./error.js";
import type { Kernel } from "./kernel.js";
import type { Run } from "./options.js";
import { type Column, numberOf, ReferenceMachine } from "./reference.js";

/** Far more than a launch takes. */
const TIMEOUT_MS = 60_000;
/** The outcome of running a program. */
export interface Ran {
  /** The first result that differs from the reference's, in words; undefined if all are equal. */
  readonly difference: string | undefined;
  /** The bits of each result; undefined if the program leaves them open. */
  readonly results: Uint32Array | undefined;
}

/** What runs programs, or a few words that say why nothing does. */
export type FoundRunner =
  | { readonly runner: Runner; readonly name: string }
  | { readonly runner: undefined; readonly why: string };

/**
 * The emulator, unless `run` is `none`; a GPU's results are compared with it.
 *
 * @throws EmulatorError if the emulator is asked for and cannot run the kernel
 */
export function findRunner(run: Run, kernel: Kernel, table: StackTable): FoundRunner {
  if (run === "none") return { runner: undefined, why: "not requested" };
  try {
    using device = openEmulator();
    if (!takesArrays(device.load(kernel.text).kernel(kernel.entries[0]!).parameters, kernel)) {
      const why = "the kernel's parameters are not an array for each operand and a count";
      return { runner: undefined, why };
    }
  } catch (error) {
    if (run === "emulator" || !(error instanceof EmulatorError)) throw error;
    return { runner: undefined, why: messageOf(error).split("\n")[0]! };
  }
  return { runner: new Runner(openEmulator, kernel, table), name: "emulator" };
}

const openEmulator = (): Device => EmulatedDevice.open({ limits: { timeoutMs: TIMEOUT_MS } });

/** Whether the parameters are an array for each operand, with the result's last, and a count. */
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
  readonly arrays: Arrays;
}

export class Runner implements Disposable {
  readonly #open: () => Device;
  readonly #kernel: Kernel;
  readonly #reference: ReferenceMachine;
  /** For each operand of the site, the bits of a value for each element. */
  readonly #columns: readonly Column[];
  #session: Session | undefined;

  constructor(open: () => Device, kernel: Kernel, table: StackTable) {
    this.#open = open;
    this.#kernel = kernel;
    this.#reference = new ReferenceMachine(table);
    this.#columns = columnsOf(kernel);
  }

  /** Runs the kernel with the stub of a program. @throws the device's error if that fails */
  async run(program: StackProgram, stub: string): Promise<Ran> {
    this.#session ??= await this.#begin();
    try {
      const results = await this.#results(this.#session, stub);
      const expected = this.#reference.evaluate(program, this.#columns);
      // If a program leaves nothing on the stack, the result is whatever the register contains.
      if (expected === undefined) return { difference: undefined, results: undefined };
      return { difference: this.#differenceOf(expected, results), results };
    } catch (error) {
      // After a failed launch, a device does nothing more.
      this.#end();
      throw error;
    }
  }

  dispose(): void {
    this.#end();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  async #begin(): Promise<Session> {
    const device = this.#open();
    return { device, arrays: await Arrays.on(device, this.#kernel) };
  }

  #end(): void {
    this.#session?.device.dispose();
    this.#session = undefined;
  }

  async #results({ device, arrays }: Session, stub: string): Promise<Uint32Array> {
    const { fill, entries } = this.#kernel;
    using module = device.load(fill(stub));
    await arrays.clear();
    device.stream.launch(module.kernel(entries[0]!), SHAPE, arrays.args);
    return arrays.results();
  }

  #differenceOf(expected: Column, results: Uint32Array): string | undefined {
    const wrong = expected.findIndex((bits, i) => bits !== results[i]);
    if (wrong === -1) return undefined;
    const { operands } = this.#kernel.site;
    const inputs = this.#columns.filter((_, operand) => operands[operand]!.direction === "in");
    const words = inputs.map((column) => shown(column[wrong]!)).join(", ");
    return `expected ${shown(expected[wrong]!)} for (${words}), found ${shown(results[wrong]!)}`;
  }
}

/** `2.5 (0x40200000)` */
export const shown = (bits: number): string => `${numberOf(bits)} (0x${bits.toString(16).padStart(8, "0")})`;
