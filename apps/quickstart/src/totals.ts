// Adds up the results of a run. It holds only numbers, so a long run stays small.

import { hash } from "node:crypto";
import type { Origin } from "@mm-ptx/cuda";
import { AGREEMENTS, type Agreement, type LaunchedRound } from "./gpu.js";
import { type CompiledRecord, isCompiled, isFailed, type ProgramRecord } from "./records.js";
import { type Distributions, STAGES, type Stage, type StageTime } from "./report.js";

/** How many differences are reported in words; the others are only counted. */
const TOLD = 3;

export class Totals implements Distributions {
  readonly registers: number[] = [];
  readonly cubinBytes: number[] = [];
  readonly liveInstructions: number[] = [];
  readonly failures = new Map<string, number>();
  readonly #milliseconds = zeroes();
  /** The number of programs that went through a stage. An interrupted run has made more stubs than cubins. */
  readonly #through = zeroes();
  /** A hash of each stub, because the text of a long run does not fit into memory. */
  readonly #stubs = new Set<string>();
  done = 0;
  failed = 0;
  /** Where the cubins came from. */
  readonly origins: Record<Origin, number> = { compiled: 0, cache: 0, duplicate: 0 };
  /** The number of programs that were drafted in packs. */
  drafted = 0;
  /** The number of programs that were run, and of those whose results equal the reference's. */
  ran = 0;
  agreed = 0;
  /** What is wrong with the first few others. */
  readonly differences: string[] = [];
  /** The number of cubins that a GPU launched, and how many of them compare in each way with the emulator's results. */
  launched = 0;
  readonly agreements = Object.fromEntries(AGREEMENTS.map((agreement) => [agreement, 0])) as Record<
    Agreement,
    number
  >;
  readonly launchDifferences: string[] = [];
  /** The time of each kernel, measured with events. */
  readonly kernelMicroseconds: number[] = [];
  readonly #bursts = { launches: 0, milliseconds: 0 };
  spillingPrograms = 0;
  spillBytes = 0;

  get distinctStubs(): number {
    return this.#stubs.size;
  }

  get compiled(): number {
    return this.registers.length;
  }

  add(record: ProgramRecord): void {
    this.done++;
    if (isFailed(record)) {
      this.failed++;
      this.failures.set(record.code, (this.failures.get(record.code) ?? 0) + 1);
    }
    this.#addRun(record);
    if (!isCompiled(record)) return;
    this.registers.push(record.registers);
    this.cubinBytes.push(record.cubinBytes);
    this.#addLaunch(record);
    if (record.spills > 0) this.spillingPrograms++;
    this.spillBytes += record.spills;
  }

  #addRun({ index, ran, agrees, difference }: ProgramRecord): void {
    if (ran === undefined) return;
    this.ran++;
    if (agrees === true) this.agreed++;
    else if (this.differences.length < TOLD) this.differences.push(`program ${index}: ${difference}`);
  }

  #addLaunch({ index, gpu, gpuAgreement, gpuDifference, gpuMicroseconds }: CompiledRecord): void {
    if (gpu === undefined) return;
    this.launched++;
    if (gpuMicroseconds !== undefined) this.kernelMicroseconds.push(gpuMicroseconds);
    if (gpuAgreement === undefined) return;
    this.agreements[gpuAgreement]++;
    if (gpuAgreement !== "wrong" || this.launchDifferences.length >= TOLD) return;
    this.launchDifferences.push(`program ${index}: ${gpuDifference}`);
  }

  /** Counts launches that were made with one call. */
  addLaunches({ launches, milliseconds }: Omit<LaunchedRound, "records">): void {
    this.#bursts.launches += launches;
    this.#bursts.milliseconds += milliseconds;
  }

  countStub(stub: string, liveInstructions: number): void {
    this.#stubs.add(hash("sha256", stub, "base64"));
    this.liveInstructions.push(liveInstructions);
  }

  /** Starts the clock of a stage. The returned function stops it and takes the number of programs that went through. */
  start(stage: Stage): (programs: number) => void {
    const started = performance.now();
    return (programs) => {
      this.#milliseconds[stage] += performance.now() - started;
      this.#through[stage] += programs;
    };
  }

  /** The compiler's own rate, without cubins that already existed; 0 if all did. */
  get compilesPerSecond(): number {
    return perSecond(this.origins.compiled, this.#milliseconds.compile);
  }

  /** Programs per second when they are packed and drafted; 0 if none was. */
  get draftsPerSecond(): number {
    return perSecond(this.drafted, this.#milliseconds.draft);
  }

  /** Finished programs per second of the stages that make cubins. */
  get programsPerSecond(): number {
    const { run, draft, launch } = this.#milliseconds;
    return perSecond(this.done, this.#all - run - draft - launch);
  }

  /** Programs per second of the run stage. */
  get runsPerSecond(): number {
    return perSecond(this.ran, this.#milliseconds.run);
  }

  /** GPU launches that were made with one call, per second until all were done. */
  get launchesPerSecond(): number {
    return perSecond(this.#bursts.launches, this.#bursts.milliseconds);
  }

  get #all(): number {
    return STAGES.reduce((sum, stage) => sum + this.#milliseconds[stage], 0);
  }

  stages(): Record<Stage, StageTime> {
    const all = this.#all;
    const time = (stage: Stage): StageTime => {
      const milliseconds = this.#milliseconds[stage];
      return {
        milliseconds: rounded(milliseconds, 3),
        microsecondsPerProgram: rounded((milliseconds * 1000) / Math.max(1, this.#through[stage]), 3),
        share: all === 0 ? 0 : rounded(milliseconds / all, 6),
      };
    };
    return Object.fromEntries(STAGES.map((stage) => [stage, time(stage)])) as Record<Stage, StageTime>;
  }
}

const zeroes = () => Object.fromEntries(STAGES.map((stage) => [stage, 0])) as Record<Stage, number>;

function perSecond(count: number, milliseconds: number): number {
  return count === 0 ? 0 : rounded(count / (milliseconds / 1000), 1);
}

/** Removes digits beyond the precision of the clock. */
function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
