// Cubins on a GPU: each is loaded, launched, and its results held against the emulator's. Then all of a batch are launched with
// one call, which tells how many launches a second there are.

import { CudaError, capabilities, Device } from "@mm-ptx/cuda";
import { architecture } from "@mm-ptx/ptx";
import type { Device as AnyDevice, DeviceModule, PreparedLaunch } from "@mm-ptx/types/core";
import { Arrays, SHAPE } from "./arrays.js";
import { inOneLine, messageOf, QuickstartError } from "./error.js";
import type { Kernel } from "./kernel.js";
import type { Run } from "./options.js";
import { numberOf } from "./reference.js";
import { shown } from "./runner.js";

/** A share of a value, or of 1 for smaller ones, that results of approximate instructions may be off by. */
const TOLERANCE = 0.01;
/**
 * The least share of a program's results that has to be near, for others to be further off: errors that are carried on grow
 * where large values are subtracted or a sign decides. With an error of 2^-20 put into each approximation, of a thousand
 * programs the worst one had four fifths.
 */
const NEAR_SHARE = 0.5;
/** What PTX only approximates, by however few units in the last place, and what it lets a compiler fuse. */
const APPROXIMATE = /\.(approx|full)\b/;
const FUSIBLE = [/\bmul(\.ftz)?\.f32/, /\b(add|sub)(\.ftz)?\.f32/] as const;

/** A cubin to launch. */
export interface Candidate {
  readonly stub: string;
  readonly cubin: Uint8Array;
  /** What the emulator gave; undefined where the program leaves its results open, or did not run there. */
  readonly expected: Uint32Array | undefined;
}

/**
 * How results stand to the emulator's: bit for bit; not quite, which approximations may be; some of them further off, where
 * errors are carried on and grow; or wrong.
 */
export const AGREEMENTS = ["equal", "near", "apart", "wrong"] as const;
export type Agreement = (typeof AGREEMENTS)[number];

/** What came of a launch. */
export interface Launched {
  /** Undefined where there is nothing to compare with. */
  readonly agreement: Agreement | undefined;
  /** The first result that is not the emulator's, or why the launch failed. */
  readonly difference?: string;
  /** Of the kernel, by events around it. */
  readonly microseconds?: number;
}

/** Launches of a batch. */
export interface LaunchedBatch {
  /** In the order of the candidates. */
  readonly launched: readonly Launched[];
  /** How long launching all of them took, one after the other and waited for once. */
  readonly milliseconds: number;
  readonly launches: number;
}

/** What launches cubins, or a few words that say why nothing does. */
export type FoundGpu = OpenedGpu | { readonly gpu: undefined; readonly why: string };

/**
 * The first GPU.
 *
 * @param arch that cubins shall be for; the GPU's own by default
 * @throws QuickstartError `RUN` when a GPU is asked for, and there is none, or none that runs cubins for the architecture
 * @throws CudaError when a GPU is asked for, and can't be used
 */
export function findGpu(run: Run, arch: string | undefined): FoundGpu {
  if (run === "none" || run === "emulator") return { gpu: undefined, why: "not asked for" };
  const found = firstGpu(run, arch);
  if ("gpu" in found) return found;
  if (run === "gpu")
    throw new QuickstartError("RUN", `expected a GPU for \`--run gpu\`, found none: ${inOneLine(found.why)}`);
  // What was tried is told to who asked for one.
  return { gpu: undefined, why: found.why.split("\n")[0]!.replace(/:$/, "") };
}

type OpenedGpu = { readonly gpu: Gpu; readonly arch: string };

function firstGpu(run: Run, arch: string | undefined): OpenedGpu | { readonly why: string } {
  try {
    return Device.count() === 0 ? { why: capabilities().driver.problem ?? "no device" } : openedFor(arch);
  } catch (error) {
    if (run === "gpu" || !(error instanceof CudaError)) throw error;
    return { why: messageOf(error) };
  }
}

function openedFor(arch: string | undefined): OpenedGpu | { readonly why: string } {
  const device = Device.open(0);
  const chosen = arch ?? device.arch;
  if (architecture(chosen) !== undefined && runsOn(chosen, device.arch))
    return { gpu: new Gpu(device), arch: chosen };
  const why = `${device.name} is ${device.arch}, which runs no cubins for ${arch ?? "any architecture that is known"}`;
  device.dispose();
  return { why };
}

/** Cubins run on their own architecture, and on later ones of the same major version unless they have a letter. */
function runsOn(arch: string, device: string): boolean {
  const [, number = "", letter = ""] = /(\d+)([af]?)$/.exec(arch) ?? [];
  const [, own = ""] = /(\d+)/.exec(device) ?? [];
  const sameMajor = number.slice(0, -1) === own.slice(0, -1);
  return sameMajor && (letter === "a" ? number === own : Number(number) <= Number(own));
}

export class Gpu implements Disposable {
  readonly #device: AnyDevice;
  #arrays: Arrays | undefined;

  constructor(device: AnyDevice) {
    this.#device = device;
  }

  /** As the driver calls it. */
  get name(): string {
    return this.#device.name;
  }

  [Symbol.dispose](): void {
    this.#device.dispose();
  }

  /** Launches each, and then all at once; a launch that fails is told of in its place. */
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
          // After a launch that failed a device does nothing more.
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

/** Whether PTX leaves open what exactly comes out. */
const isLoose = (stub: string): boolean =>
  APPROXIMATE.test(stub) || FUSIBLE.every((instruction) => instruction.test(stub));

function isNear(bits: number, expected: number): boolean {
  const [value, wanted] = [numberOf(bits), numberOf(expected)];
  if (Object.is(value, wanted) || value === wanted) return true;
  return Math.abs(value - wanted) <= TOLERANCE * Math.max(1, Math.abs(wanted));
}
