// The interface of vector emitters: what generates a form of an instruction for four threads at once.
import type { Step } from "../../control/step.js";
import type { Vectors } from "./vectors.js";

/** Emits a branch to the code for threads that cannot continue together; undefined when it is too late for that. */
export type GiveUp = (() => void) | undefined;

export type VectorEmit = (vectors: Vectors, step: Step, giveUp: GiveUp) => void;

/** The emitter for a form of an instruction; undefined when it is computed thread by thread. */
export type VectorSelect = (step: Step) => VectorEmit | undefined;

/** Whether an instruction has one of these words among its modifiers. */
export const refused = (step: Step, ...names: string[]): boolean => {
  const has = step.operation.words;
  return names.some((name) => has.has(name));
};
