// Cubins on a GPU: their results, which come from a pipeline, are compared with the emulator's. Then each cubin is launched for its time,
// and all cubins of a round with one call, which shows how many launches per second are possible.

import { CudaDevice, CudaError, capabilities } from "@mm-ptx/cuda";
import { InputData, OutputSlices, type PlanArgument } from "@mm-ptx/pipeline";
import { architecture, runsOn } from "@mm-ptx/ptx";
import type { Device, DeviceModule, LaunchArgument, PreparedLaunch } from "@mm-ptx/types/device";
import type { Compiled } from "./cubins.js";
import { inOneLine, messageOf, QuickstartError } from "./error.js";
import type { Job } from "./job.js";
import type { Kernel } from "./kernel.js";
import { launchOf } from "./launch.js";
import type { Run } from "./options.js";
import type { LaunchRecord } from "./records.js";
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

/**
 * How results compare with the emulator's: equal bit for bit; near, as approximations may be; some of them further
 * apart, where errors propagate and grow; or wrong.
 */
export const AGREEMENTS = ["equal", "near", "apart", "wrong"] as const;
export type Agreement = (typeof AGREEMENTS)[number];

/** The launches of a round. */
export interface LaunchedRound {
  /** What came of each cubin; jobs without a cubin have no record. */
  readonly records: ReadonlyMap<Job, LaunchRecord>;
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
    return { gpu: new Gpu(device, () => CudaDevice.open(0)), arch: chosen };
  const why = `${device.name} is ${device.arch}, which cannot run cubins for ${arch ?? "any known architecture"}`;
  device.dispose();
  return { why };
}

export class Gpu implements Disposable {
  /** The name that the driver reports. */
  readonly name: string;
  /** The device of a pipeline that launches cubins. */
  readonly deviceOptions: { readonly device: Device; readonly reopen: () => Device };
  #device: Device;
  #args: readonly LaunchArgument[] | undefined;

  /** @param open opens the device again after a failed launch, which makes it unusable */
  constructor(device: Device, open: () => Device) {
    this.#device = device;
    this.name = device.name;
    this.deviceOptions = {
      device,
      reopen: () => {
        this.#device.dispose();
        this.#args = undefined;
        this.#device = open();
        return this.#device;
      },
    };
  }

  dispose(): void {
    this.#device.dispose();
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Compares what cubins computed in the pipeline, launches each of them for its time, and then all of them at once. */
  async launchAll(kernel: Kernel, compiled: readonly Compiled[]): Promise<LaunchedRound> {
    const records = new Map<Job, LaunchRecord>();
    const modules: DeviceModule[] = [];
    try {
      const launches: PreparedLaunch[] = [];
      for (const [job, { module, error, outputs }] of compiled) {
        if (module === undefined) continue;
        const gpu = this.name;
        if (error !== undefined) {
          records.set(job, { gpu, gpuAgreement: "wrong", gpuDifference: inOneLine(error.message) });
          continue;
        }
        const loaded = this.#device.load(module);
        modules.push(loaded);
        const launch = await this.#prepared(kernel, loaded);
        launches.push(launch);
        const gpuMicroseconds = await this.#microseconds(launch);
        records.set(job, { gpu, ...compared(job, outputs![0] as Uint32Array), gpuMicroseconds });
      }
      const began = performance.now();
      this.#device.stream.launchMany(launches);
      await this.#device.stream.synchronize();
      return { records, milliseconds: performance.now() - began, launches: launches.length };
    } finally {
      for (const module of modules) module.dispose();
    }
  }

  async #prepared(kernel: Kernel, module: DeviceModule): Promise<PreparedLaunch> {
    const { args, ...shape } = launchOf(kernel)();
    this.#args ??= await Promise.all(args.map((argument) => this.#argument(argument)));
    return module.kernel(kernel.entries[0]!).prepare(shape, this.#args);
  }

  async #argument(argument: PlanArgument): Promise<LaunchArgument> {
    if (argument instanceof OutputSlices) return this.#device.allocate(argument.bytes);
    if (!(argument instanceof InputData)) return argument as LaunchArgument;
    const buffer = this.#device.allocate(argument.data.byteLength);
    await buffer.copyFrom(argument.data);
    return buffer;
  }

  async #microseconds(launch: PreparedLaunch): Promise<number> {
    const { stream } = this.#device;
    using start = this.#device.createEvent();
    using end = this.#device.createEvent();
    stream.record(start);
    stream.launch(launch);
    stream.record(end);
    await stream.synchronize();
    return Number((end.elapsedSince(start) * 1000).toFixed(3));
  }
}

/** How the results of a job compare with the emulator's; no agreement if there is nothing to compare with. */
export function compared(
  { stub, results: expected }: Pick<Job, "stub" | "results">,
  results: Uint32Array,
): Pick<LaunchRecord, "gpuAgreement" | "gpuDifference"> {
  if (expected === undefined) return {};
  const other = expected.findIndex((bits, i) => bits !== results[i]);
  if (other === -1) return { gpuAgreement: "equal" };
  const gpuDifference = `expected ${shown(expected[other]!)} as on the emulator, found ${shown(results[other]!)}`;
  const near = expected.filter((bits, i) => isNear(results[i]!, bits)).length;
  if (!isLoose(stub) || near < NEAR_SHARE * expected.length) return { gpuAgreement: "wrong", gpuDifference };
  return { gpuAgreement: near === expected.length ? "near" : "apart", gpuDifference };
}

/** Whether PTX leaves the exact result open. */
const isLoose = (stub: string): boolean =>
  APPROXIMATE.test(stub) || FUSIBLE.every((instruction) => instruction.test(stub));

function isNear(bits: number, expected: number): boolean {
  const [value, wanted] = [numberOf(bits), numberOf(expected)];
  if (Object.is(value, wanted) || value === wanted) return true;
  return Math.abs(value - wanted) <= TOLERANCE * Math.max(1, Math.abs(wanted));
}
