// Assembles many PTX modules at once, and reports the errors of those that fail.

import { type BackendName, capabilities, PtxCompiler } from "../../packages/cuda/dist/index.js";

/** The backends that this machine has. */
export const BACKENDS: readonly BackendName[] = capabilities().backends.flatMap(({ name, available }) =>
  available ? [name] : [],
);

export interface Module {
  /** A name for messages. */
  readonly what: string;
  readonly ptx: string;
}

export interface Assembled {
  readonly cubins: ReadonlyMap<string, Uint8Array>;
  /** The compiler's messages, each beginning with `what`. */
  readonly failures: readonly string[];
}

/** Compiles all texts; the cubins are returned by `what`. */
export async function assemble(
  modules: readonly Module[],
  arch: string,
  backend: BackendName,
): Promise<Assembled> {
  const compiler = new PtxCompiler({ arch, backend });
  try {
    const results = await compiler.compileAll(modules);
    const cubins = new Map<string, Uint8Array>();
    const failures: string[] = [];
    for (const [index, result] of results.entries()) {
      const { what } = modules[index]!;
      if (result.ok) cubins.set(what, result.cubin);
      else failures.push(`${what}: ${result.error.message}`);
    }
    return { cubins, failures };
  } finally {
    compiler.dispose();
  }
}
