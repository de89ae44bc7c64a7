// A small table for cases written by hand, and helpers that return an error's code, message and place.
import type { AstTable } from "@mm-ptx/types/core";
import {
  AstPtxError,
  type AstPtxErrorCode,
  type Instruction,
  type InstructionPlace,
  ptxInstruction,
} from "../../src/index.js";

export const SMALL_TABLE: AstTable = {
  kind: "ast",
  fingerprint: "",
  bases: [],
  instructions: [
    { ptx: "neg.f32", name: "neg", args: 1 },
    { ptx: "add.f32", name: "add", args: 2 },
    { ptx: "fma.rn.f32", name: "fma", args: 3 },
    { ptx: "mov_clock.f32", name: "clock", args: 0 },
  ],
};

export const neg = ptxInstruction(0, 1);
export const add = ptxInstruction(1, 2);
export const fma = ptxInstruction(2, 3);
export const clock = ptxInstruction(3, 0);

export const JOB = { inputs: ["x", "y"], output: "z" };

/** An instruction that no encoder produces. */
export const raw = (type: number, aux = 0, payload = 0): Instruction => ({
  head: type + aux * 65536,
  payload,
});

export interface Raised {
  readonly code: AstPtxErrorCode;
  readonly message: string;
  readonly place: InstructionPlace | undefined;
}

/** The error that `run` throws. */
export function raised(run: () => unknown): Raised {
  try {
    run();
  } catch (error) {
    if (!(error instanceof AstPtxError)) throw error;
    const { code, message, place } = error;
    return { code, message, place };
  }
  throw new Error("expected an AstPtxError, nothing was thrown");
}

/** The error that `run` throws, as one line. */
export function complaint(run: () => unknown): string {
  const { code, message } = raised(run);
  return `${code}: ${message}`;
}

/** The view after its memory was transferred away. */
export function transferred<View extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  view: View,
): View {
  structuredClone(view, { transfer: [view.buffer] });
  return view;
}
