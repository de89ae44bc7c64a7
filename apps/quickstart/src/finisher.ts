// What happens to a program at the end of its way: it is counted, its line goes to results.jsonl, and its files are kept.

import { hash } from "node:crypto";
import type { PipelineResult } from "@mm-ptx/pipeline";
import { codeOf, messageOf } from "./error.js";
import type { Job } from "./job.js";
import type { Kernel } from "./kernel.js";
import type { Progress } from "./progress.js";
import {
  type CompiledRecord,
  type FailedRecord,
  isFailed,
  type LaunchRecord,
  type ProgramRecord,
  type RunRecord,
} from "./records.js";
import type { KeptFiles, ResultsFile } from "./results.js";
import type { StubMaker } from "./stubs.js";
import type { Totals } from "./totals.js";

/** What came of compiling a stub; `undefined` if nothing compiles. */
type Outcome =
  | Omit<CompiledRecord, "index" | "program" | "stub" | keyof RunRecord | keyof LaunchRecord>
  | Pick<FailedRecord, "code" | "message">
  | undefined;

/** Where results go. */
export interface Sinks {
  readonly totals: Totals;
  readonly progress: Progress;
  readonly results: ResultsFile;
  /** Absent unless the files of single programs are kept. */
  readonly kept: KeptFiles | undefined;
}

export class Finisher {
  readonly #sinks: Sinks;
  readonly #kernel: Kernel;
  readonly #stubs: StubMaker;

  constructor(sinks: Sinks, kernel: Kernel, stubs: StubMaker) {
    this.#sinks = sinks;
    this.#kernel = kernel;
    this.#stubs = stubs;
  }

  /** Records a program that did not even become a stub. */
  reject(index: number, program: string, error: unknown): void {
    this.#record({ index, program, code: codeOf(error), message: messageOf(error) });
  }

  /** Records a program with what came of compiling and launching it; without a result it was only rendered. */
  async finish(job: Job, result?: PipelineResult, launched?: LaunchRecord): Promise<void> {
    const { index, program, stub, ran } = job;
    const { kept, totals } = this.#sinks;
    if (kept !== undefined) {
      await kept.ptx(index, this.#kernel.render(stub));
      if (result?.module !== undefined) await kept.cubin(index, result.module.cubin);
    }
    // Stubs are counted only here, because a run that is stopped has made stubs that came to nothing.
    totals.countStub(stub, this.#stubs.liveInstructions(stub));
    this.#record({ index, program, stub, ...outcomeOf(result), ...ran, ...launched });
  }

  #record(record: ProgramRecord): void {
    const { totals, results, progress } = this.#sinks;
    totals.add(record);
    results.add(record);
    progress.count(isFailed(record));
  }
}

function outcomeOf(result: PipelineResult | undefined): Outcome {
  if (result === undefined) return undefined;
  const { module, error } = result;
  if (module === undefined) return { code: error!.code, message: error!.message };
  const { kernels, milliseconds, from } = module.info;
  return {
    registers: Math.max(0, ...kernels.map((kernel) => kernel.registers)),
    spills: kernels.reduce((sum, kernel) => sum + kernel.spillStores + kernel.spillLoads, 0),
    cubinBytes: module.cubin.length,
    cubinSha256: hash("sha256", module.cubin),
    milliseconds: from === "compiled" ? Math.round(milliseconds * 1000) / 1000 : 0,
  };
}
