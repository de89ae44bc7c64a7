// The interface between a family of instructions and the table of emitters: what generates each form.
import type { Step } from "../../control/step.js";
import type { Emitter } from "./emitter.js";

/** Emits the code of an instruction. */
export type Emit = (emitter: Emitter, step: Step) => void;

/**
 * The emitter for a form of an instruction; undefined when it is not translated. It depends only on the opcode and
 * operands.
 */
export type Select = (step: Step) => Emit | undefined;
