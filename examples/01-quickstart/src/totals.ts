// Adds up what the programs of a run came to. It holds numbers only, so a long run stays small.

import { hash } from "node:crypto";
import type { Origin } from "@mm-ptx/cuda";
import { isCompiled, isFailed, type ProgramRecord } from "./records.js";
import { type Distributions, STAGES, type Stage, type StageTime } from "./report.js";

/** How many differences are told in words; the rest is counted. */
const TOLD = 3;

export class Totals implements Distributions {
  readonly registers: number[] = [];
  readonly cubinBytes: number[] = [];
  readonly liveInstructions: number[] = [];
  readonly failures = new Map<string, number>();
  readonly #milliseconds: Record<Stage, number> = { stub: 0, run: 0, render: 0, compile: 0 };
  /** Programs that went through a stage; a run that was stopped has made more stubs than cubins. */
  readonly #through: Record<Stage, number> = { stub: 0, run: 0, render: 0, compile: 0 };
  /** Of each stub a hash: a long run has more text than memory. */
  readonly #stubs = new Set<string>();
  done = 0;
  failed = 0;
  /** Where the cubins came from. */
  readonly origins: Record<Origin, number> = { compiled: 0, cache: 0, duplicate: 0 };
  /** Programs that were run, and those of them whose results were the reference's. */
  ran = 0;
  agreed = 0;
  /** What was wrong with the first few others. */
  readonly differences: string[] = [];
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
    if (record.spills > 0) this.spillingPrograms++;
    this.spillBytes += record.spills;
  }

  #addRun({ index, ran, agrees, difference }: ProgramRecord): void {
    if (ran === undefined) return;
    this.ran++;
    if (agrees === true) this.agreed++;
    else if (this.differences.length < TOLD) this.differences.push(`program ${index}: ${difference}`);
  }

  countStub(stub: string, liveInstructions: number): void {
    this.#stubs.add(hash("sha256", stub, "base64"));
    this.liveInstructions.push(liveInstructions);
  }

  /** Starts the clock for a stage; what is returned stops it and takes the number of programs that went through. */
  start(stage: Stage): (programs: number) => void {
    const started = performance.now();
    return (programs) => {
      this.#milliseconds[stage] += performance.now() - started;
      this.#through[stage] += programs;
    };
  }

  /** What the compiler did, and nothing that was there before; 0 when all was. */
  get compilesPerSecond(): number {
    return perSecond(this.origins.compiled, this.#milliseconds.compile);
  }

  /** Programs that are through, over the time of what makes cubins of them. */
  get programsPerSecond(): number {
    return perSecond(this.done, this.#all - this.#milliseconds.run);
  }

  /** Programs that were run, over the time of running them. */
  get runsPerSecond(): number {
    return perSecond(this.ran, this.#milliseconds.run);
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
    return { stub: time("stub"), run: time("run"), render: time("render"), compile: time("compile") };
  }
}

function perSecond(count: number, milliseconds: number): number {
  return count === 0 ? 0 : rounded(count / (milliseconds / 1000), 1);
}

/** Without the digits that no clock measures. */
function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
