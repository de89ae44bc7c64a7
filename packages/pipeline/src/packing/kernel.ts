// The module of a kernel as packing reads it: the entry, the functions with sites, and the places where parameters are loaded.
import type { AnnotatedPtx, Injection } from "@mm-ptx/inject";
import { type PtxFunction, type PtxModule, type PtxOperation, readModule } from "@mm-ptx/ptx";
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";

/** A parsed module with the entry that is launched. */
export interface PackedModule {
  readonly module: PtxModule;
  readonly entry: PtxFunction;
}

/** @throws PipelineError NOT_FOUND if the module has no such entry */
export function findEntry(text: string, name: string): PackedModule {
  const module = readModule(text, { tolerant: true });
  const entry = module.entries.find((one) => one.name === name);
  if (entry !== undefined) return { module, entry };
  const known = module.entries.map((one) => one.name);
  const message = `expected a kernel of the module (${known.map(quoted).join(", ")}), found ${quoted(name)}`;
  throw new PipelineError("NOT_FOUND", message + didYouMean(name, known));
}

/** The injections with these names. @throws PipelineError NOT_FOUND */
export function findInjections(annotated: AnnotatedPtx, names: Iterable<string>): Injection[] {
  const known = annotated.injections.map(({ name }) => name);
  return [...names].map((name) => {
    const injection = annotated.injections.find((one) => one.name === name);
    if (injection !== undefined) return injection;
    const message = `expected an injection of the kernel (${known.map(quoted).join(", ")}), found ${quoted(name)}`;
    throw new PipelineError("NOT_FOUND", message + didYouMean(name, known));
  });
}

/** The functions that contain sites of injections, in source order. */
export function functionsWithSites(module: PtxModule, injections: readonly Injection[]): PtxFunction[] {
  const found = new Set(
    injections.flatMap(({ sites }) => sites.map(({ span }) => module.functionAt(span.start))),
  );
  return module.functions.filter((one) => found.has(one));
}

/**
 * Whether the entry can add a first alternative that the host chooses: the sites of kernels see what the kernel computes,
 * those of device functions do not.
 */
export const canHaveFirst = (module: PtxModule, injections: readonly Injection[]): boolean =>
  functionsWithSites(module, injections).every(({ kind }) => kind === "entry");

/** Opcodes that load a whole parameter of 64 bits. */
const LOADS = new Set(
  ["param", "param::entry"].flatMap((space) => ["u64", "s64", "b64"].map((type) => `ld.${space}.${type}`)),
);

/** A load of a whole parameter into a register. */
export interface ParameterLoad {
  readonly parameter: string;
  readonly register: string;
}

/** What an instruction loads if it is a plain load of a whole 64-bit parameter; `undefined` for anything else. */
export function parameterLoad({ opcode, operands }: PtxOperation): ParameterLoad | undefined {
  const [target, address] = operands;
  if (!LOADS.has(opcode) || operands.length !== 2 || target?.kind !== "name" || address?.kind !== "address")
    return undefined;
  const [place] = address.items;
  if (place === undefined || address.items.length !== 1 || target.component !== undefined) return undefined;
  if (place.kind === "name" && place.component === undefined)
    return { parameter: place.name, register: target.name };
  if (place.kind === "sum" && place.offset === 0n && !place.generic && place.mask === undefined)
    return { parameter: place.base.name, register: target.name };
  return undefined;
}

/** The indices of the instructions of a function's body. */
export function* instructionsOf(
  { statements }: PtxModule,
  { scope, statement }: PtxFunction,
): Generator<number> {
  if (scope === undefined) return;
  for (let at = statement + 1; at < statements.closes[scope]!; at++) {
    if (statements.kind(at) === "instruction") yield at;
  }
}
