// Cubins on a GPU: each one is loaded and launched, and its results are compared with the emulator's. Then all cubins
// of a batch are launched with one call, which shows how many launches per second are possible.

import { CudaDevice, CudaError, capabilities } from "@mm-ptx/cuda";
import { architecture, runsOn } from "@mm-ptx/ptx";
import type { Device, DeviceModule, PreparedLaunch } from "@mm-ptx/types/device";
import { Arrays, SHAPE } from "./arrays.js";
import { inOneLine, messageOf, QuickstartError } from "./error.js";
import type { Kernel } from "./kernel.js";
import type { Run } from "./options.js";
import { numberOf } from "./reference.js";
import { shown } from "./runner.js";

/** How far results of approximate instructions may be off: a share of the value, or of 1 for smaller values. */
const TOLERANCE = 0.01;
/**
 * The minimum share of a program's results that must be near for the others to be allowed to be further off: propagated
 * errors grow where large values are subtracted or where a sign decides. With an error of 2^-20 in each approximation,
 * the worst of a thousand programs still had four fifths of its results near.
 */
const NEAR_SHARE = 0.5;
/**
 * Instructions that PTX only approximates, by however few units in the last place, and pairs that a compiler may fuse.
 */
const APPROXIMATE = /\.(approx|full)\b/;
const FUSIBLE = [/\bmul(\.ftz)?\.f32/, /\b(add|sub)(\.ftz)?\.f32/] as const;

/** A cubin to launch. */
export interface Candidate {
  readonly stub: string;
  readonly cubin: Uint8Array;
  /** The emulator's results; undefined if the program leaves its results open, or was not run there. */
  readonly expected: Uint32Array | undefined;
}

/**
 * How results compare with the emulator's: equal bit for bit; near, as approximations may be; some of them further
 * apart, where errors propagate and grow; or wrong.
 */
export const AGREEMENTS = ["equal", "near", "apart", "wrong"] as const;
export type Agreement = (typeof AGREEMENTS)[number];

/** The outcome of a launch. */
export interface Launched {
  /** Undefined if there is nothing to compare with. */
  readonly agreement: Agreement | undefined;
  /** The first result that differs from the emulator's, or the reason why the launch failed. */
  readonly difference?: string;
  /** The kernel's time, measured with events around it. */
  readonly microseconds?: number;
}

/** The launches of a batch. */
export interface LaunchedBatch {
  /** In the order of the candidates. */
  readonly launched: readonly Launched[];
  /** How long it took to launch all of them, one after another, and to wait once. */
  readonly milliseconds: number;
  readonly launches: number;
}

/** What launches cubins, or a few words that say why nothing does. */
export type FoundGpu = OpenedGpu | { readonly gpu: undefined; readonly why: string };

/**
 * Opens the first GPU.
 *
 * @param arch the architecture of the cubins; by default the GPU's own
 * @throws QuickstartError `RUN` if a GPU is asked for and no GPU can run cubins for the architecture
 * @throws CudaError if a GPU is asked for and cannot be used
 */
export function findGpu(run: Run, arch: string | undefined): FoundGpu {
  if (run === "none" || run === "emulator") return { gpu: undefined, why: "not requested" };
  const found = firstGpu(run, arch);
  if ("gpu" in found) return found;
  if (run === "gpu")
    throw new QuickstartError("RUN", `expected a GPU for \`--run gpu\`, found none: ${inOneLine(found.why)}`);
  // Only a user who asked for a GPU sees everything that was tried.
  return { gpu: undefined, why: found.why.split("\n")[0]!.replace(/:$/, "") };
}

type OpenedGpu = { readonly gpu: Gpu; readonly arch: string };

function firstGpu(run: Run, arch: string | undefined): OpenedGpu | { readonly why: string } {
  try {
    return CudaDevice.count() === 0 ? { why: capabilities().driver.problem ?? "no device" } : openedFor(arch);
  } catch (error) {
    if (run === "gpu" || !(error instanceof CudaError)) throw error;
    return { why: messageOf(error) };
  }
}

function openedFor(arch: string | undefined): OpenedGpu | { readonly why: string } {
  const device = CudaDevice.open(0);
  const chosen = arch ?? device.arch;
  if (architecture(chosen) !== undefined && runsOn(chosen, device.arch))
    return { gpu: new Gpu(device), arch: chosen };
  const why = `${device.name} is ${device.arch}, which cannot run cubins for ${arch ?? "any known architecture"}`;
  device.dispose();
  return { why };
}

export class Gpu implements Disposable {
  readonly #device: Device;
  #arrays: Arrays | undefined;

  constructor(device: Device) {
    this.#device = device;
  }

  /** The name that the driver reports. */
  get name(): string {
    return this.#device.name;
  }

  dispose(): void {
    this.#device.dispose();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Launches each cubin, and then all of them at once. A launch that fails is reported in its place. */
  async launchAll(kernel: Kernel, candidates: readonly Candidate[]): Promise<LaunchedBatch> {
    this.#arrays ??= await Arrays.on(this.#device, kernel);
    const modules: DeviceModule[] = [];
    const prepared: PreparedLaunch[] = [];
    const launched: Launched[] = [];
    let broken = false;
    try {
      for (const candidate of candidates) {
        let launch: PreparedLaunch | undefined;
        try {
          const module = this.#device.load(candidate.cubin);
          modules.push(module);
          launch = module.kernel(kernel.entries[0]!).prepare(SHAPE, this.#arrays.args);
          launched.push(await this.#launch(this.#arrays, launch, candidate));
          prepared.push(launch);
        } catch (error) {
          // After a failed launch, a device does nothing more.
          broken ||= launch !== undefined;
          launched.push({ agreement: "wrong", difference: inOneLine(messageOf(error)) });
        }
      }
      if (broken) return { launched, milliseconds: 0, launches: 0 };
      const began = performance.now();
      this.#device.stream.launchMany(prepared);
      await this.#device.stream.synchronize();
      return { launched, milliseconds: performance.now() - began, launches: prepared.length };
    } finally {
      for (const module of modules) module.dispose();
    }
  }

  async #launch(arrays: Arrays, launch: PreparedLaunch, candidate: Candidate): Promise<Launched> {
    const { stream } = this.#device;
    using start = this.#device.createEvent();
    using end = this.#device.createEvent();
    await arrays.clear();
    stream.record(start);
    stream.launch(launch);
    stream.record(end);
    const results = await arrays.results();
    const microseconds = Number((end.elapsedSince(start) * 1000).toFixed(3));
    return { microseconds, ...compared(candidate, results) };
  }
}

function compared(
  { stub, expected }: Candidate,
  results: Uint32Array,
): Pick<Launched, "agreement" | "difference"> {
  const other = expected?.findIndex((bits, i) => bits !== results[i]) ?? -1;
  if (expected === undefined) return { agreement: undefined };
  if (other === -1) return { agreement: "equal" };
  const difference = `expected ${shown(expected[other]!)} as on the emulator, found ${shown(results[other]!)}`;
  const near = expected.filter((bits, i) => isNear(results[i]!, bits)).length;
  if (!isLoose(stub) || near < NEAR_SHARE * expected.length) return { agreement: "wrong", difference };
  return { agreement: near === expected.length ? "near" : "apart", difference };
}

/** Whether PTX leaves the exact result open. */
const isLoose = (stub: string): boolean =>
  APPROXIMATE.test(stub) || FUSIBLE.every((instruction) => instruction.test(stub));

function isNear(bits: number, expected: number): boolean {
  const [value, wanted] = [numberOf(bits), numberOf(expected)];
  if (Object.is(value, wanted) || value === wanted) return true;
  return Math.abs(value - wanted) <= TOLERANCE * Math.max(1, Math.abs(wanted));
}
