// What a run needs of its pipeline.
import type { MachineCode } from "@mm-ptx/types/device";
import type { StreamingCompiler } from "../compiling/lane.js";
import type { ChosenPacking } from "../packing/chosen.js";
import type { Pack } from "../packing/pack.js";
import type { PackText } from "../packing/writer.js";
import type { CostPredictor } from "../predicting/predictor.js";
import type { KnownResults } from "../results/known.js";
import type { PipelineResult, ProgramOutcome } from "../results/result.js";
import type { PackWork, TimeAnswer } from "../running/work.js";
import type { BoundSite } from "../sites/bind.js";
import type { StoredResult } from "../store/result.js";
import type { Counts } from "./counts.js";
import type { RunningRun } from "./left.js";
import type { RunnerPool } from "./runner-pool.js";
import type { SizeTuner } from "./tuner.js";

/** Where results of earlier runs are. */
export interface RunStore {
  get(signature: string): StoredResult | undefined;
  put(signature: string, outcome: ProgramOutcome): void;
  flush(): void;
}

export interface PipelineParts {
  readonly sites: readonly BoundSite[];
  readonly compiler: StreamingCompiler | undefined;
  readonly finalCompiler: StreamingCompiler | undefined;
  /** The effort of `compiler`, where that is known. */
  readonly effort: ProgramOutcome["effort"];
  /** The effort of `finalCompiler`. */
  readonly finalEffort: ProgramOutcome["effort"];
  readonly runners: RunnerPool | undefined;
  readonly isEmulated: boolean;
  readonly tuner: SizeTuner;
  readonly chosen: ChosenPacking;
  /** How programs are packed that cannot be alternatives. */
  readonly apartKind: "alternatives" | "kernels" | "single";
  readonly withModules: boolean;
  readonly counts: Counts;
  /** The runs that are going on. */
  readonly runs: Set<RunningRun>;
  readonly known: KnownResults | undefined;
  readonly store: RunStore | undefined;
  readonly dedupe: boolean;
  /** Predicts what programs cost, if that is wanted. */
  readonly predictor: CostPredictor | undefined;
  /** How many packs can be worked on at once. */
  readonly lanes: number;
  /** For each parameter, the bytes between the parts of two of this many programs. Throws if the launch plan is wrong. */
  strides(count: number): readonly (number | undefined)[];
  /** Makes the PTX of a pack. */
  write(pack: Pack, strides: readonly (number | undefined)[]): PackText;
  /** What a runner needs to run a pack. */
  work(pack: Pack, text: PackText, source: string | MachineCode): PackWork;
  /** Why a stub of the site with this index cannot be one of several alternatives. */
  obstacle(site: number, stub: string): string | undefined;
  isFinalist(result: PipelineResult): boolean;
  /** Times a finalist, whose module it is alone in; undefined if finalists are not timed. */
  readonly time: ((work: PackWork, signal: AbortSignal) => Promise<TimeAnswer>) | undefined;
}
