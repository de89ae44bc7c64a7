// What the functions of this folder are called with: a cubin or a compiled module, and the PTX that it comes from.
import { type CubinInspection, inspectCubin } from "@mm-ptx/cuda";
import { checkFilledKernel, type FilledKernel } from "@mm-ptx/types/core";
import { describeValue, isFilledKernel, isLocatedPtx } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";
import type { FilledPtx } from "./ranges.js";

/** A compiled module, such as a result of `PtxCompiler`: its cubin, and the PTX, which is a filled kernel if one was compiled. */
export interface CompiledCode {
  readonly cubin: Uint8Array;
  readonly source?: string | Uint8Array | FilledKernel;
}

/** Machine code whose cost is asked for. */
export type MachineCodeSource = Uint8Array | CompiledCode;

/** Machine code with the PTX that it comes from. */
export interface CodeWithOrigins {
  readonly cubin: Uint8Array;
  readonly inspection: CubinInspection;
  /** Given by the caller, or the compiled module's own. */
  readonly filled: FilledPtx | undefined;
}

/**
 * Reads a source.
 *
 * @param given what the caller names as the filled kernel, which has to have lines then
 * @throws PipelineError INVALID_ARGUMENT
 * @throws CubinError INVALID_CUBIN
 * @throws FilledKernelError INVALID_ARGUMENT
 */
export function readSource(source: unknown, given: unknown): CodeWithOrigins {
  const { cubin, source: ptx } = codeOf(source);
  const inspection = inspectCubin(cubin);
  if (given !== undefined) {
    const filled = filledOf(given);
    if (!hasLines(inspection)) throw new PipelineError("INVALID_ARGUMENT", WITHOUT_LINES);
    return { cubin, inspection, filled };
  }
  const filled = isFilledKernel(ptx) && hasLines(inspection) ? checkFilledKernel(ptx) : undefined;
  return { cubin, inspection, filled };
}

const WITHOUT_LINES =
  "expected a cubin with the lines of its PTX, compiled with `lineInfo: true`, found one without";

const hasLines = ({ kernels, functions }: CubinInspection): boolean =>
  [...kernels, ...functions].some(({ ptxLines }) => ptxLines.length > 0);

function codeOf(source: unknown): CompiledCode {
  if (source instanceof Uint8Array) return { cubin: source };
  const { cubin } = (source ?? {}) as Partial<CompiledCode>;
  if (cubin instanceof Uint8Array) return source as CompiledCode;
  throw wrong("a cubin or a compiled module", source);
}

function filledOf(value: unknown): FilledPtx {
  if (isLocatedPtx(value)) return value;
  if (isFilledKernel(value)) return checkFilledKernel(value);
  throw wrong("a filled kernel or a pack as `filled`", value);
}

const wrong = (expected: string, found: unknown): PipelineError =>
  new PipelineError("INVALID_ARGUMENT", `expected ${expected}, found ${describeValue(found)}`);
