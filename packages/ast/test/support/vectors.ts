// The conformance cases: programs with the exact text, or the error, that mm-ptx 1.1.1 returns for them.
import { readFileSync } from "node:fs";
import type { AstTable } from "@mm-ptx/types/core";

export interface Vector {
  readonly inputs: readonly string[];
  readonly output: string;
  readonly routines: readonly (readonly number[])[];
  readonly program: readonly number[];
  readonly ptx?: string;
  readonly error?: string;
}

const file = JSON.parse(readFileSync(new URL("../vectors/ast.json", import.meta.url), "utf8")) as {
  instructions: readonly { readonly ptx: string; readonly args: number }[];
  cases: Vector[];
};

export const VECTORS: readonly Vector[] = file.cases;

export const VECTOR_TABLE: AstTable = {
  kind: "ast",
  fingerprint: "",
  bases: [],
  instructions: file.instructions.map(({ ptx, args }) => ({ ptx, name: ptx, args })),
};

/** The name of the error's code in this package. */
export function codeOf({ error }: Vector): string | undefined {
  return error?.replace("AST_PTX_ERROR_", "");
}
