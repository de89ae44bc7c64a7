// A small table for cases written by hand, and helpers that return an error's code, message and place.
import type { StackTable } from "@mm-ptx/types/core";
import { type InstructionPlace, StackPtxError, type StackPtxErrorCode } from "../../src/index.js";

export const F32 = 0;
export const U32 = 1;

export const NEG = 0;
export const ADD = 1;

export const SMALL_TABLE: StackTable = {
  kind: "stack",
  fingerprint: "",
  bases: [],
  stackTypes: [
    { name: "F32", literalPrefix: "f32", constantType: "f32" },
    { name: "U32", literalPrefix: "u32", constantType: "u32" },
  ],
  argTypes: [
    { name: "F32", stackIndex: 0, vectorElements: 0 },
    { name: "U32", stackIndex: 1, vectorElements: 0 },
    { name: "V3_U32", stackIndex: 1, vectorElements: 3 },
  ],
  instructions: [
    { ptx: "neg.f32", name: "neg", args: [0], results: [0], aligned: false },
    { ptx: "add.f32", name: "add", args: [0, 0], results: [0], aligned: false },
  ],
  specialRegisters: [
    { ptx: "laneid", name: "laneid", argType: 1 },
    { ptx: "tid", name: "tid", argType: 2 },
  ],
};

export interface Raised {
  readonly code: StackPtxErrorCode;
  readonly message: string;
  readonly place: InstructionPlace | undefined;
}

/** The error that `run` throws. */
export function thrownBy(run: () => unknown): StackPtxError {
  try {
    run();
  } catch (error) {
    if (error instanceof StackPtxError) return error;
    throw error;
  }
  throw new Error("expected a StackPtxError, nothing was thrown");
}

/** The parts of the error that `run` throws which all errors have. */
export function raised(run: () => unknown): Raised {
  const { code, message, place } = thrownBy(run);
  return { code, message, place };
}

/** The error that `run` throws, as one line. */
export function complaint(run: () => unknown): string {
  const { code, message } = raised(run);
  return `${code}: ${message}`;
}
