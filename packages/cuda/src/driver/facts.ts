// The facts about a module that are known without asking the driver: its kernels with their parameters, and its
// variables. PTX has names and types, a cubin has offsets and sizes; nothing is known about a fatbin.

import { readModule } from "@mm-ptx/ptx";
import type { KernelParameter, KernelSignature } from "@mm-ptx/types/core";
import { describeValue, quoted } from "@mm-ptx/types/internal";
import { inspectCubin } from "../cubin/inspect.js";
import { kernelsOf } from "../ptx/kernels.js";

/** A kernel as its module describes it. */
export interface KernelFacts {
  readonly parameters: readonly KernelParameter[];
  /** The value of `.reqntid`. */
  readonly requiredBlock: readonly number[] | undefined;
}

export interface ModuleFacts {
  /** By name. */
  readonly kernels: ReadonlyMap<string, KernelFacts>;
  /** Names of variables in global and constant memory. */
  readonly globals: readonly string[];
}

/** For PTX that the driver compiles. */
export function factsOfPtx(text: string): ModuleFacts {
  const module = readModule(text, { tolerant: true });
  return {
    kernels: new Map(
      kernelsOf(text).map((kernel) => [
        kernel.name,
        { parameters: kernel.parameters, requiredBlock: undefined },
      ]),
    ),
    globals: module.globals
      .filter(({ space }) => space === "global" || space === "const")
      .map(({ name }) => name),
  };
}

/**
 * The facts of a cubin.
 * @param signatures the signatures of the PTX that it was compiled from, if known
 * @returns undefined for an unreadable cubin, which the driver will judge
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
              parameters: signature?.parameters ?? parameters,
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

/**
 * What is wrong with the kernels that came with a cubin; `undefined` if they match it, or if the cubin can't be read.
 */
export function checkSignatures(cubin: Uint8Array, signatures: unknown): string | undefined {
  if (!Array.isArray(signatures)) return `\`kernels\`: expected an array, found ${describeValue(signatures)}`;
  const facts = factsOfCubin(cubin);
  for (const [i, signature] of signatures.entries()) {
    const { name, parameters } = (signature ?? {}) as Partial<KernelSignature>;
    const place = `kernels[${i}]`;
    if (typeof name !== "string" || !Array.isArray(parameters))
      return `\`${place}\`: expected a kernel with \`name\` and \`parameters\`, found ${describeValue(signature)}`;
    const own = facts?.kernels.get(name)?.parameters;
    if (own === undefined) continue;
    if (own.length !== parameters.length)
      return `\`${place}.parameters\`: expected ${own.length} parameters, as ${quoted(name)} has in the cubin, found ${parameters.length}`;
    const wrong = own.findIndex(
      ({ offset, bytes }, j) => parameters[j]?.offset !== offset || parameters[j]?.bytes !== bytes,
    );
    if (wrong !== -1)
      return `\`${place}.parameters[${wrong}]\`: expected ${own[wrong]!.bytes} bytes at offset ${own[wrong]!.offset}, as in the cubin, found something else`;
  }
  return undefined;
}
