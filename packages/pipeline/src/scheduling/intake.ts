// Takes programs in and gives results out: finds equal programs and stored results, makes stubs, and remembers who waits for what.
import type { CompiledModule } from "@mm-ptx/cuda";
import { describeValue, didYouMean, quoted } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";
import type { Candidate } from "../packing/pack.js";
import type { Prediction } from "../predicting/predictor.js";
import { copyOf } from "../results/known.js";
import type { ProgramFailure, ProgramOutcome, ResultOrigin } from "../results/result.js";
import type { BoundSite } from "../sites/bind.js";
import type { CrossBlock } from "./cross.js";
import { failedOutcome, failureOf } from "./failures.js";
import type { Outbox } from "./outbox.js";
import type { PipelineParts } from "./parts.js";

/** What a program that was never run comes from. */
export const SINGLE: ResultOrigin = { kind: "run", packing: "single", programs: 1 };

/** A program that was answered without the store. */
const ANSWERED = Symbol("answered");

/** The status of programs that were not compiled because of what was predicted. */
const SCREENED = "SCREENED";

/** Failures that another run may not have, with other limits or on another day. They are not stored. */
const DEPENDS_ON_LIMITS: ReadonlySet<string> = new Set([
  ...["TIMEOUT", "BUDGET", "OUT_OF_MEMORY", "CRASHED", "ABORTED", "DISPOSED", "FAILED"],
  ...["DEVICE_LOST", "WORKER_LOST", "UNAVAILABLE", "CACHE", "OUTPUT_CHANGED", "SCREENED"],
]);

interface MadeStub {
  readonly signature: string;
  readonly stub: string;
}

export class Intake {
  readonly #parts: PipelineParts;
  readonly #outbox: Outbox;
  /** Programs whose results are on their way, by signature. */
  readonly #inFlight = new Map<string, Candidate>();
  #index = 0;
  /** Programs that were taken and whose results have not been consumed. */
  outstanding = 0;
  /** Programs that have a result. */
  answered = 0;

  constructor(parts: PipelineParts, outbox: Outbox) {
    this.#parts = parts;
    this.#outbox = outbox;
  }

  /** Takes a program. Returns it with its stubs if it has to be run. */
  take(program: unknown): Candidate | undefined {
    const index = this.#index++;
    this.outstanding++;
    const { counts, sites, predictor } = this.#parts;
    const { milliseconds } = counts;
    counts.taken++;
    const began = performance.now();
    let candidate: Candidate | undefined;
    let made = began;
    let site = 0;
    try {
      const programs = this.#programsOf(program);
      const own: string[] = [];
      for (; site < sites.length; site++) own.push(sites[site]!.writer.signature(programs[site]));
      const signature = own.length === 1 ? own[0]! : sites[0]!.join(own);
      made = performance.now();
      const stored = this.#answer(index, signature);
      if (stored !== undefined && stored !== ANSWERED && predictor !== undefined)
        this.#learn(predictor.predict(programs), stored, this.#isAlone);
      if (stored !== undefined) return undefined;
      const stubs: string[] = [];
      const prediction = predictor?.predict(programs);
      if (prediction?.failure !== undefined && !prediction.explores) {
        const { failure: error, figures } = prediction;
        // It is not remembered: a model that has learned more may decide otherwise.
        this.#give(index, { status: error.code, error, ...figures }, SINGLE);
        return undefined;
      }
      if (prediction?.explores) counts.explored++;
      candidate = this.#candidate(index, signature, stubs, prediction);
      for (site = 0; site < sites.length; site++) stubs.push(sites[site]!.writer.stub(programs[site]));
      return candidate;
    } catch (error) {
      const outcome = failedOutcome(failureOf(error, sites[site]?.name));
      if (candidate === undefined) this.#give(index, outcome, SINGLE);
      else this.finish(candidate, outcome, SINGLE);
      return undefined;
    } finally {
      milliseconds.signatures += made - began;
      milliseconds.stubs += performance.now() - made;
    }
  }

  /**
   * Takes all combinations of some programs of each site. Returns those that have to be run, and whether these are all of them.
   */
  takeBlock(block: CrossBlock): { readonly candidates: readonly Candidate[]; readonly isWhole: boolean } {
    const { counts, sites } = this.#parts;
    const made = sites.map((site, i) => block.programs[i]!.map((program) => this.#made(site, program)));
    const candidates: Candidate[] = [];
    let isWhole = true;
    for (const chosen of block.combinations()) {
      const index = block.indexOf(chosen);
      this.outstanding++;
      counts.taken++;
      const parts = chosen.map((one, site) => made[site]![one]!);
      const wrong = parts.find((part) => "code" in part);
      if (wrong !== undefined) {
        isWhole = false;
        this.#give(index, failedOutcome(wrong as ProgramFailure), SINGLE);
        continue;
      }
      const own = parts as readonly MadeStub[];
      const signature = sites[0]!.join(own.map((part) => part.signature));
      if (this.#answer(index, signature) !== undefined) isWhole = false;
      else {
        const stubs = own.map(({ stub }) => stub);
        candidates.push(this.#candidate(index, signature, stubs));
      }
    }
    return { candidates, isWhole };
  }

  /** Gives the result of a program to all that wait for it. */
  finish(candidate: Candidate, found: ProgramOutcome, origin: ResultOrigin, compiled?: CompiledModule): void {
    const { known, store, withModules, counts, predictor } = this.#parts;
    const { index, signature, duplicates, prediction } = candidate;
    const outcome = prediction === undefined ? found : { ...found, ...prediction.figures };
    if (prediction !== undefined) {
      const isAlone = origin.kind === "run" && (origin.packing !== "alternatives" || origin.programs === 1);
      this.#learn(prediction, outcome, isAlone);
      if (prediction.explores && outcome.status === "ok" && predictor!.isWithin(outcome)) counts.misjudged++;
    }
    this.#inFlight.delete(signature);
    known?.add(signature, { run: this, index, outcome: copyOf(outcome) });
    if (!DEPENDS_ON_LIMITS.has(outcome.status)) store?.put(signature, outcome);
    this.#give(index, outcome, origin, withModules ? compiled : undefined);
    for (const other of duplicates) this.#give(other, copyOf(outcome), { kind: "duplicate", index });
  }

  /** The program of each site. @throws PipelineError INVALID_ARGUMENT */
  #programsOf(program: unknown): readonly unknown[] {
    const { sites } = this.#parts;
    const isByName =
      typeof program === "object" && program !== null && Object.getPrototypeOf(program) === Object.prototype;
    if (sites.length === 1 && !(isByName && sites[0]!.name in program)) return [program];
    if (!isByName) {
      const names = sites.map(({ name }) => `\`${name}\``).join(", ");
      const message = `expected an object with a program for each site (${names}), found ${describeValue(program)}`;
      throw new PipelineError("INVALID_ARGUMENT", message);
    }
    const unknown = Object.keys(program).find((name) => !sites.some((site) => site.name === name));
    if (unknown !== undefined) {
      const names = sites.map(({ name }) => name);
      const message = `expected programs for the sites ${names.map(quoted).join(", ")}, found one for ${quoted(unknown)}${didYouMean(unknown, names)}`;
      throw new PipelineError("INVALID_ARGUMENT", message);
    }
    return sites.map(({ name }) => (program as Readonly<Record<string, unknown>>)[name]);
  }

  /** A program that has to be run. Equal ones that come later wait for it. */
  #candidate(index: number, signature: string, stubs: readonly string[], prediction?: Prediction): Candidate {
    const candidate: Candidate = { index, signature, stubs, duplicates: [], prediction };
    if (this.#parts.dedupe) this.#inFlight.set(signature, candidate);
    return candidate;
  }

  /** Whether figures in the store are those of single programs, as far as can be known: those of alternatives are not. */
  get #isAlone(): boolean {
    const { tuner } = this.#parts;
    return tuner.kind !== "alternatives" || tuner.size === 1;
  }

  /** Figures of finalists are those of another compiler. */
  #learn(prediction: Prediction, outcome: ProgramOutcome, isAlone: boolean): void {
    const { predictor, effort } = this.#parts;
    if (outcome.status === "ok" && outcome.effort === effort) predictor!.learn(prediction, outcome, isAlone);
  }

  /**
   * Answers a program that equals an earlier one, or whose result is in the store. Returns the stored result, `ANSWERED` for another
   * answer, or `undefined` without one.
   */
  #answer(index: number, signature: string): ProgramOutcome | typeof ANSWERED | undefined {
    const { counts, known, store, dedupe } = this.#parts;
    const running = dedupe ? this.#inFlight.get(signature) : undefined;
    if (running !== undefined) {
      counts.duplicates++;
      running.duplicates.push(index);
      return ANSWERED;
    }
    const found = known?.get(signature);
    if (found !== undefined) {
      counts.duplicates++;
      const origin: ResultOrigin =
        found.run === this ? { kind: "duplicate", index: found.index } : { kind: "remembered" };
      this.#give(index, copyOf(found.outcome), origin);
      return ANSWERED;
    }
    const stored = store?.get(signature) as ProgramOutcome | undefined;
    if (stored === undefined) return undefined;
    counts.stored++;
    known?.add(signature, { run: this, index, outcome: copyOf(stored) });
    this.#give(index, stored, { kind: "store" });
    return stored;
  }

  /** The stub of a program of one site, or why it has none. */
  #made({ name, writer }: BoundSite, program: unknown): MadeStub | ProgramFailure {
    const { milliseconds } = this.#parts.counts;
    const began = performance.now();
    try {
      return { signature: writer.signature(program), stub: writer.stub(program) };
    } catch (error) {
      return failureOf(error, name);
    } finally {
      milliseconds.stubs += performance.now() - began;
    }
  }

  #give(index: number, outcome: ProgramOutcome, from: ResultOrigin, module?: CompiledModule): void {
    const { counts } = this.#parts;
    this.answered++;
    if (outcome.status === "ok") counts.done++;
    else if (outcome.status === SCREENED) counts.screened++;
    else counts.failed++;
    const own = { ...outcome, index, from };
    this.#outbox.add(module === undefined ? own : { ...own, module });
  }
}
