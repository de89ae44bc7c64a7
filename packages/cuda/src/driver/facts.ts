// What is known of a module without asking the driver: its kernels with their parameters, and its variables. PTX tells names
// and types, a cubin places and sizes; of a fatbin nothing is known.

import { readModule } from "@mm-ptx/ptx";
import type { KernelParameter } from "@mm-ptx/types/core";
import { inspectCubin } from "../cubin/inspect.js";
import { type KernelSignature, kernelsOf } from "../ptx/kernels.js";

/** A kernel as its module describes it. */
export interface KernelFacts {
  readonly parameters: readonly KernelParameter[];
  /** As `.reqntid` says. */
  readonly requiredBlock: readonly number[] | undefined;
}

export interface ModuleFacts {
  /** By name. */
  readonly kernels: ReadonlyMap<string, KernelFacts>;
  /** Names of variables in global and constant memory. */
  readonly globals: readonly string[];
}

/** Of PTX that the driver compiles. */
export function factsOfPtx(text: string): ModuleFacts {
  const module = readModule(text, { tolerant: true });
  return {
    kernels: new Map(
      kernelsOf(text).map((kernel) => [
        kernel.name,
        { parameters: parametersOf(kernel), requiredBlock: undefined },
      ]),
    ),
    globals: module.globals
      .filter(({ space }) => space === "global" || space === "const")
      .map(({ name }) => name),
  };
}

/**
 * Of a cubin.
 * @param signatures of the PTX that it was compiled from, where that is known
 * @returns undefined for a cubin that can't be read, which is for the driver to judge
 */
export function factsOfCubin(
  cubin: Uint8Array,
  signatures: readonly KernelSignature[] = [],
): ModuleFacts | undefined {
  try {
    const { kernels, variables } = inspectCubin(cubin);
    const known = new Map(signatures.map((kernel) => [kernel.name, kernel]));
    return {
      kernels: new Map(
        kernels.map(({ name, parameters, requiredThreads }) => {
          const signature = known.get(name);
          return [
            name,
            {
              parameters: Object.freeze(
                signature === undefined ? parameters.map(fromCubin) : parametersOf(signature),
              ),
              requiredBlock: requiredThreads,
            },
          ];
        }),
      ),
      globals: variables
        .filter(({ space }) => space === "global" || space === "constant")
        .map(({ name }) => name),
    };
  } catch {
    return undefined;
  }
}

function fromCubin({ offset, bytes }: { readonly offset: number; readonly bytes: number }): KernelParameter {
  return Object.freeze({ name: undefined, type: undefined, offset, size: bytes });
}

/** Bytes of `texref` and its like, which are handles. */
const HANDLE_BYTES = 8;

/** Each parameter begins at a multiple of its alignment (PTX ISA, Kernel Function Parameters). */
function parametersOf({ params }: KernelSignature): readonly KernelParameter[] {
  let end = 0;
  return params.map(({ name, type, size = HANDLE_BYTES, align = HANDLE_BYTES, length }) => {
    const offset = Math.ceil(end / align) * align;
    end = offset + size;
    return Object.freeze({ name, type: length === undefined ? type : undefined, offset, size });
  });
}
