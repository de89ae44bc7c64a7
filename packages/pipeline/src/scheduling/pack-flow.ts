// The way of a pack: its text, its machine code, its launch, and the results of its programs. A pack that fails is split until those at
// fault stand alone.
import type { JobResult } from "@mm-ptx/cuda";
import type { MachineCode } from "@mm-ptx/types/device";
import { CompileLane, type StreamingCompiler } from "../compiling/lane.js";
import { PipelineError } from "../error.js";
import { type Candidate, type Pack, splitPack } from "../packing/pack.js";
import type { PackText } from "../packing/writer.js";
import type { ProgramOutcome, ResultOrigin } from "../results/result.js";
import type { PackAnswer, PackFault, PackRan } from "../running/work.js";
import { withTime } from "../timing/timed.js";
import {
  blamesStubs,
  compileFailure,
  culpritsOf,
  failedOutcome,
  failureOf,
  ownFailure,
  type PackFailure,
} from "./failures.js";
import { figuresOf } from "./figures.js";
import { type Intake, SINGLE } from "./intake.js";
import type { PipelineParts } from "./parts.js";
import { differenceFromAlone, failureAlone } from "./proof.js";

type Compiled = JobResult & { readonly ok: true };

export class PackFlow {
  readonly #parts: PipelineParts;
  readonly #intake: Intake;
  readonly #signal: AbortSignal;
  readonly #draft: CompileLane | undefined;
  readonly #final: CompileLane | undefined;

  constructor(parts: PipelineParts, intake: Intake, signal: AbortSignal) {
    this.#parts = parts;
    this.#intake = intake;
    this.#signal = signal;
    const { compiler, finalCompiler } = parts;
    this.#draft = compiler === undefined ? undefined : new CompileLane(compiler, signal);
    this.#final = finalCompiler === undefined ? undefined : new CompileLane(finalCompiler, signal);
  }

  /** Waits for the compilers; no packs may follow. */
  async end(): Promise<void> {
    await Promise.all([this.#draft?.end(), this.#final?.end()]);
  }

  /**
   * Runs a pack, and gives the results of all its programs out.
   *
   * @throws PipelineError DEVICE_LOST, INVALID_ARGUMENT for a launch plan that does not fit; the error of the compiler's stream
   */
  async process(pack: Pack): Promise<void> {
    if (this.#signal.aborted) return;
    const { counts, tuner } = this.#parts;
    const { milliseconds } = counts;
    counts.packs++;
    const began = performance.now();
    // Errors of the launch plan end the run; those of the text belong to the pack.
    const strides = this.#parts.strides(pack.members.length);
    let text: PackText;
    try {
      text = this.#parts.write(pack, strides);
    } catch (error) {
      return this.#failed(pack, undefined, { ...failureOf(error, undefined), lines: [] });
    } finally {
      milliseconds.packing += performance.now() - began;
    }
    const [compiled, ran] = await this.#compileAndRun(pack, text);
    if (this.#signal.aborted) return;
    if (compiled?.ok === false) return this.#failed(pack, text, compileFailure(compiled.error));
    if (ran?.ok === false) {
      checkFault(ran);
      if (ran.code === "OUT_OF_MEMORY") tuner.limit(Math.ceil(pack.members.length / 2));
      if (await this.#allFailAlone(pack, text, ran)) return this.#apart(pack);
      return this.#failed(pack, text, ran, compiled);
    }
    const compileMs = compiled?.info.milliseconds ?? 0;
    const { load = 0, launch = 0, read = 0, timing = 0 } = ran?.times ?? {};
    milliseconds.timing += timing;
    milliseconds.compile += compileMs;
    milliseconds.load += load;
    milliseconds.launch += launch;
    milliseconds.read += read;
    if (ran !== undefined && !(await this.#isProven(pack, text, ran))) return this.#apart(pack);
    if (pack.apart !== true) tuner.record(pack.members.length, compileMs, load + launch + read);
    await this.#results(pack, text, compiled, ran);
  }

  /** Runs each program of a pack by itself. */
  async #apart({ members }: Pack): Promise<void> {
    await Promise.all(members.map((member) => this.process({ members: [member] })));
  }

  /**
   * Whether programs compute in packs what they compute alone. This is tried with a program of the first pack, on the emulator: two
   * launches of a GPU may run different machine code. If it is not so, each program is run by itself from now on.
   */
  async #isProven(pack: Pack, text: PackText, ran: PackRan): Promise<boolean> {
    const { chosen } = this.#parts;
    if (!this.#needsProof(text)) return text.packing.kind === "single" || chosen.packing.kind !== "single";
    const member = pack.members.length >> 1;
    const [alone] = await this.#alone(pack.members[member]!);
    const difference = differenceFromAlone(ran, member, alone);
    chosen.isProven = true;
    if (difference !== undefined && !this.#signal.aborted) this.#giveUp(pack.members[member]!, difference);
    return difference === undefined;
  }

  /**
   * Whether programs of a pack that failed also fail alone although nothing says that they are at fault: then the launch itself is wrong,
   * and splitting the pack would find one program after the other.
   */
  async #allFailAlone({ members }: Pack, text: PackText, fault: PackFault): Promise<boolean> {
    if (!this.#needsProof(text) || blamesStubs(fault.lines, text)) return false;
    const culprits = culpritsOf(fault, text);
    const others = members.filter((_, i) => !culprits.has(i));
    const tried = [0, others.length >> 1, others.length - 1].map((i) => others[i]);
    let found: string | undefined;
    for (const member of new Set(tried)) {
      if (member === undefined) return false;
      const [answer, own] = await this.#alone(member);
      if (answer.ok || answer.code !== fault.code || this.#signal.aborted) return false;
      if (blamesStubs(answer.lines, own)) return false;
      found = failureAlone(answer);
    }
    this.#giveUp(others[0]!, found!);
    return true;
  }

  #needsProof({ packing }: PackText): boolean {
    const { chosen, isEmulated } = this.#parts;
    return isEmulated && packing.kind !== "single" && !chosen.isProven;
  }

  async #alone(member: Candidate): Promise<[PackAnswer, PackText]> {
    const pack: Pack = { members: [member] };
    const text = this.#parts.write(pack, this.#parts.strides(1));
    const work = this.#parts.work(pack, text, text.text());
    return [await this.#parts.runners!.use(this.#signal, (runner) => runner.run(work, this.#signal)), text];
  }

  #giveUp({ index }: Candidate, difference: string): void {
    const { chosen, tuner } = this.#parts;
    chosen.giveUp(`program ${index} ${difference}`);
    tuner.giveUp();
  }

  /** The emulator runs PTX, so it need not wait for the compiler. */
  async #compileAndRun(
    pack: Pack,
    text: PackText,
  ): Promise<[JobResult | undefined, PackRan | PackFault | undefined]> {
    const { runners, isEmulated } = this.#parts;
    const compiling = this.#draft?.compile(text.source);
    if (runners === undefined) return [await compiling, undefined];
    const run = (source: string | MachineCode): Promise<PackRan | PackFault> =>
      runners.use(this.#signal, (runner) => runner.run(this.#parts.work(pack, text, source), this.#signal));
    if (isEmulated) return Promise.all([compiling, run(text.text())]);
    const compiled = await compiling!;
    if (!compiled.ok || this.#signal.aborted) return [compiled, undefined];
    return [compiled, await run(compiled)];
  }

  /** Finds who is at fault. The others run again without them. */
  async #failed(
    pack: Pack,
    text: PackText | undefined,
    failure: PackFailure,
    compiled?: Compiled,
  ): Promise<void> {
    if (pack.members.length === 1) {
      const outcome = failedOutcome(ownFailure(failure, text));
      this.#intake.finish(pack.members[0]!, outcome, SINGLE, compiled);
      return;
    }
    this.#parts.counts.splits++;
    const parts = splitPack(pack, culpritsOf(failure, text));
    await Promise.all(parts.map((part) => this.process(part)));
  }

  async #results(
    { members }: Pack,
    text: PackText,
    compiled: Compiled | undefined,
    ran: PackRan | undefined,
  ): Promise<void> {
    const began = performance.now();
    const { counts, compiler, effort, isFinalist } = this.#parts;
    const origin: ResultOrigin = { kind: "run", packing: text.packing.kind, programs: members.length };
    const figures =
      compiled === undefined ? undefined : figuresOf(compiled, text, effort, hasLines(compiler));
    const waiting: Promise<void>[] = [];
    for (const [i, member] of members.entries()) {
      const read = withReading(figures?.(i) ?? OK, ran, i);
      const outcome = withTime(read, ran?.timed?.[i]);
      if (this.#final !== undefined && isFinalist({ ...outcome, index: member.index, from: origin }))
        waiting.push(this.#finalize(member, outcome, origin));
      else this.#intake.finish(member, outcome, origin, compiled);
    }
    counts.milliseconds.results += performance.now() - began;
    await Promise.all(waiting);
  }

  /** Compiles a program alone at full effort, and times it where that is asked for. */
  async #finalize(member: Candidate, outcome: ProgramOutcome, origin: ResultOrigin): Promise<void> {
    const { finalCompiler, finalEffort } = this.#parts;
    const pack = { members: [member] };
    const text = this.#parts.write(pack, this.#parts.strides(1));
    const compiled = await this.#final!.compile(text.source);
    if (this.#signal.aborted) return;
    if (!compiled.ok) {
      const failure = ownFailure(compileFailure(compiled.error), text);
      this.#intake.finish(member, failedOutcome(failure), SINGLE);
      return;
    }
    const figures = figuresOf(compiled, text, finalEffort, hasLines(finalCompiler))(0);
    const figured = { ...outcome, ...figures };
    const timed = await this.#parts.time?.(this.#parts.work(pack, text, compiled), this.#signal);
    if (this.#signal.aborted) return;
    if (timed?.ok === false) {
      checkFault(timed);
      this.#intake.finish(member, failedOutcome(ownFailure(timed, text)), SINGLE);
      return;
    }
    this.#parts.counts.milliseconds.timing += timed?.milliseconds ?? 0;
    this.#intake.finish(member, withTime(figured, timed?.timed), origin, compiled);
  }
}

const hasLines = (compiler: StreamingCompiler | undefined): boolean => compiler?.options?.lineInfo === true;

/** @throws PipelineError DEVICE_LOST, INVALID_ARGUMENT for a failure that no program caused */
function checkFault({ isLost, isCallers, message }: PackFault): void {
  if (isLost) throw new PipelineError("DEVICE_LOST", `the device failed: ${message}`);
  if (isCallers) throw new PipelineError("INVALID_ARGUMENT", message);
}

const OK: ProgramOutcome = Object.freeze({ status: "ok" });

/** An outcome with what was read back of a member. */
function withReading(outcome: ProgramOutcome, ran: PackRan | undefined, member: number): ProgramOutcome {
  if (ran === undefined) return outcome;
  const score = ran.scores?.[member];
  if (score !== undefined) return { ...outcome, score };
  const outputs = ran.outputs.map(({ data, step, length }) =>
    data.slice(member * step, member * step + length),
  );
  return { ...outcome, outputs };
}
