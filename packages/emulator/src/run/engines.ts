// Chooses the engine of a launch: the translated kernel where possible, or the interpreter when a check or trace needs
// it or the launch would finish before its kernel could be translated.
import type { LineOrigins } from "@mm-ptx/types/core";
import type { ProgramFunction } from "../program/program.js";
import type { Engine, LaunchPlan, Refusal, TranslatingEngine } from "./launch.js";

/** The engines of a device. */
export interface Engines {
  readonly interpreter: Engine;
  /** Absent where nothing can be compiled to WebAssembly. */
  readonly translator: TranslatingEngine | undefined;
  /** Stops what the engines have started. */
  readonly close?: () => void;
}

/** The number of instructions that the interpreter executes in the time that one translation takes. */
const WORTH_TRANSLATING = 6000;

/** Chooses the engine of each launch of a device. */
export class EngineChoice {
  readonly #wanted: "auto" | "webassembly" | "interpreter";
  readonly #engines: Engines;
  /** Upper bounds of the instructions that the interpreter has executed, by kernel. */
  readonly #interpreted = new WeakMap<ProgramFunction, number>();

  constructor(wanted: "auto" | "webassembly" | "interpreter", engines: Engines) {
    this.#wanted = wanted;
    this.#engines = engines;
  }

  /**
   * @param origins where lines of rendered PTX come from
   * @throws EmulatorError UNSUPPORTED if the requested engine cannot run the launch
   */
  async engineFor(launch: LaunchPlan, origins: LineOrigins | undefined): Promise<Engine> {
    const { interpreter, translator } = this.#engines;
    if (this.#wanted === "interpreter" || (this.#wanted === "auto" && this.#isSoonOver(launch)))
      return interpreter;
    const refusal =
      closerLook(launch) ?? (translator === undefined ? NO_TRANSLATOR : await translator.refusal(launch));
    if (translator !== undefined && refusal === undefined) return translator;
    if (this.#wanted === "auto") return interpreter;
    const { refusalError } = await import("./refusal-error.js");
    throw await refusalError(refusal ?? NO_TRANSLATOR, launch, origins);
  }

  /** Whether interpreting this launch and all earlier ones of its kernel is less work than a translation. */
  #isSoonOver({ kernel, grid, block }: LaunchPlan): boolean {
    const threads = [...grid, ...block].reduce((all, one) => all * one, 1);
    const before = this.#interpreted.get(kernel) ?? 0;
    const after = before + threads * kernel.instructions.length;
    if (after > WORTH_TRANSLATING || !isStraight(kernel)) return false;
    this.#interpreted.set(kernel, after);
    return true;
  }
}

/** Whether each instruction executes at most once: there are no backward branches and no calls. */
function isStraight({ instructions }: ProgramFunction): boolean {
  return instructions.every(
    ({ operands, branchTargets, call }, at) =>
      call === undefined &&
      branchTargets === undefined &&
      operands.every((operand) => operand.kind !== "label" || operand.target > at),
  );
}

const NO_TRANSLATOR: Refusal = { found: "none" };

const NAMES = {
  trace: "a trace",
  counts: "instruction counts",
} as const;

/** The first requested hook that only the interpreter supports. */
function closerLook({ hooks, lockstep, cluster }: LaunchPlan): Refusal | undefined {
  if (lockstep === true) return { found: "one whose warps run in step" };
  if (cluster !== undefined) return { found: "one that is launched with clusters" };
  const found = Object.entries(NAMES).find(([name]) => hooks[name as keyof typeof NAMES])?.[1];
  return found === undefined ? undefined : { found };
}
