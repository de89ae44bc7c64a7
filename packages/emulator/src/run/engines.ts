// Which engine runs a launch: the translated kernel where it can, the interpreter where somebody looks closer, or where a
// launch is over before a kernel could be translated.
import { quoted } from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";
import type { ProgramFunction } from "../program/program.js";
import type { Engine, LaunchPlan, TranslatingEngine } from "./launch.js";

/** The engines of a device. */
export interface Engines {
  readonly interpreter: Engine;
  /** Absent where nothing may be compiled to WebAssembly. */
  readonly translator: TranslatingEngine | undefined;
  /** Ends what they have started. */
  readonly close?: () => void;
}

/** Instructions that the interpreter executes in the time that a translation takes. */
const WORTH_TRANSLATING = 6000;

/** Chooses for the launches of one device. */
export class EngineChoice {
  readonly #wanted: "auto" | "webassembly" | "interpreter";
  readonly #engines: Engines;
  /** By kernel, how many instructions the interpreter has executed at most. */
  readonly #interpreted = new WeakMap<ProgramFunction, number>();

  constructor(wanted: "auto" | "webassembly" | "interpreter", engines: Engines) {
    this.#wanted = wanted;
    this.#engines = engines;
  }

  /** @throws EmulatorError UNSUPPORTED when the engine that was asked for can't run the launch */
  async engineFor(launch: LaunchPlan): Promise<Engine> {
    const { interpreter, translator } = this.#engines;
    if (this.#wanted === "interpreter" || (this.#wanted === "auto" && this.#isSoonOver(launch)))
      return interpreter;
    const refusal =
      closerLook(launch) ?? (translator === undefined ? "none" : await translator.refusal(launch));
    if (translator !== undefined && refusal === undefined) return translator;
    if (this.#wanted === "auto") return interpreter;
    const kernel = quoted(launch.kernel.name);
    throw new EmulatorError(
      "UNSUPPORTED",
      `expected kernel ${kernel} as WebAssembly can run it, found ${refusal}`,
    );
  }

  /** Whether this launch, with those before it, is less work than a translation. */
  #isSoonOver({ kernel, grid, block }: LaunchPlan): boolean {
    const threads = [...grid, ...block].reduce((all, one) => all * one, 1);
    const before = this.#interpreted.get(kernel) ?? 0;
    const after = before + threads * kernel.instructions.length;
    if (after > WORTH_TRANSLATING || !isStraight(kernel)) return false;
    this.#interpreted.set(kernel, after);
    return true;
  }
}

/** Whether each instruction is executed once at most: no jump leads back, and nothing is called. */
function isStraight({ instructions }: ProgramFunction): boolean {
  return instructions.every(
    ({ operands, branchTargets, call }, at) =>
      call === undefined &&
      branchTargets === undefined &&
      operands.every((operand) => operand.kind !== "label" || operand.target > at),
  );
}

const NAMES = {
  trace: "a trace",
  counts: "counts of instructions",
  races: "the check for races",
  uninitialized: "the check for uninitialised reads",
} as const;

/** What only the interpreter tells. */
function closerLook({ hooks }: LaunchPlan): string | undefined {
  return Object.entries(NAMES).find(([name]) => hooks[name as keyof typeof NAMES])?.[1];
}
