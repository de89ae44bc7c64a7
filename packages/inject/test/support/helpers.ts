// Helpers for several tests: errors as values, texts with sites, tools on PATH.
import { spawnSync } from "node:child_process";
import { PtxInjectError } from "../../src/index.js";

/** The PtxInjectError that `run` throws; anything else fails the test. */
export function errorOf(run: () => unknown): PtxInjectError {
  try {
    run();
  } catch (error) {
    if (error instanceof PtxInjectError) return error;
    throw error;
  }
  throw new Error("expected a PtxInjectError, found no error");
}

/** A site as nvcc prints it, from its start marker on. */
export function site(name: string, ...operands: readonly string[]): string {
  return [
    `\t// PTX_INJECT_START ${name}`,
    ...operands.map((line) => `\t// ${line}`),
    "\t// PTX_INJECT_END",
    "",
  ].join("\n");
}

export const hasTool = (name: string): boolean =>
  spawnSync(name, ["--version"], { stdio: "ignore" }).error === undefined;
