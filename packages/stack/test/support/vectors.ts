// The conformance cases: programs with the exact text, or the error, that mm-ptx 1.1.1 returns for them.
import { readFileSync } from "node:fs";
import { parseStackDescription } from "@mm-ptx/types";

export interface Vector {
  /** Execution limit, then the five limits of a compiler. */
  readonly limits: readonly [number, number, number, number, number, number];
  readonly registers: readonly (readonly [string, number])[];
  readonly routines: readonly (readonly number[])[];
  readonly program: readonly number[];
  readonly requests: readonly number[];
  readonly ptx?: string;
  readonly error?: string;
  /** Whether the reference's text reads a register that it overwrote. */
  readonly hazard?: boolean;
}

const file = JSON.parse(readFileSync(new URL("../vectors/stack.json", import.meta.url), "utf8")) as {
  description: unknown;
  cases: Vector[];
};

export const VECTORS: readonly Vector[] = file.cases;
export const VECTOR_TABLE = parseStackDescription(file.description);

/** The name of the error's code in this package. */
export function codeOf({ error }: Vector): string | undefined {
  return error?.replace("STACK_PTX_ERROR_", "");
}
