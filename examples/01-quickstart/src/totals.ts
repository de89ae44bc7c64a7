// Adds up what the programs of a run came to. It holds numbers only, so a long run stays small.

import { isCompiled, isFailed, type ProgramRecord } from "./records.js";
import { type Distributions, STAGES, type Stage, type StageTime } from "./report.js";

export class Totals implements Distributions {
  readonly registers: number[] = [];
  readonly cubinBytes: number[] = [];
  readonly liveInstructions: number[] = [];
  readonly failures = new Map<string, number>();
  readonly #milliseconds: Record<Stage, number> = { stub: 0, render: 0, compile: 0 };
  done = 0;
  failed = 0;
  distinctStubs = 0;
  /** Compiles that were run: programs that share a stub count once. */
  compiles = 0;
  spillingPrograms = 0;
  spillBytes = 0;

  get compiled(): number {
    return this.registers.length;
  }

  add(record: ProgramRecord): void {
    this.done++;
    if (isFailed(record)) {
      this.failed++;
      this.failures.set(record.code, (this.failures.get(record.code) ?? 0) + 1);
    }
    if (!isCompiled(record)) return;
    this.registers.push(record.registers);
    this.cubinBytes.push(record.cubinBytes);
    if (record.spills > 0) this.spillingPrograms++;
    this.spillBytes += record.spills;
  }

  /** Runs a stage and adds the time it took on the clock. */
  timed<T>(stage: Stage, work: () => T): T {
    const started = performance.now();
    try {
      return work();
    } finally {
      this.#milliseconds[stage] += performance.now() - started;
    }
  }

  /** As `timed`, for work that has to be awaited. */
  async timedAsync<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.#milliseconds[stage] += performance.now() - started;
    }
  }

  get compilesPerSecond(): number {
    return this.compiles === 0 ? 0 : this.compiles / (this.#milliseconds.compile / 1000);
  }

  stages(): Record<Stage, StageTime> {
    const all = STAGES.reduce((sum, stage) => sum + this.#milliseconds[stage], 0);
    const time = (stage: Stage): StageTime => {
      const milliseconds = this.#milliseconds[stage];
      return {
        milliseconds,
        microsecondsPerProgram: this.done === 0 ? 0 : (milliseconds * 1000) / this.done,
        share: all === 0 ? 0 : milliseconds / all,
      };
    };
    return { stub: time("stub"), render: time("render"), compile: time("compile") };
  }
}
