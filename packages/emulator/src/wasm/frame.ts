// What translated code and the engine agree on: the module's globals, which say where a launch has its areas and which block
// runs, the functions that translated code calls back, and the places that faults name.
import type { ScalarOperation } from "../arithmetic/operation.js";
import { type Step, Untranslatable } from "../control/graph.js";
import type { Loop } from "../control/loops.js";
import type { ModuleBuilder, Signature } from "./binary/module.js";
import { floatToHalfFunction, fmaHalfFunction, halfToFloatFunction } from "./half-helpers.js";
import { fma32Function, multiplyHighFunction, nan64Function } from "./helpers.js";
import type { Host } from "./host.js";

/** Globals, set by the engine before a call. Offsets are those of linear memory. */
export const GLOBALS = [
  ...(["ctaidX", "ctaidY", "ctaidZ", "ntidX", "ntidY", "ntidZ", "nctaidX", "nctaidY", "nctaidZ"] as const),
  // Saved registers, register by register; where each thread goes on; shared and local memory; parameters.
  ...(["frame", "states", "shared", "sharedBytes", "dynamicBytes", "local", "localBytes", "params"] as const),
  // Instructions until the engine is asked.
  ...(["fuel"] as const),
] as const;

export type GlobalName = (typeof GLOBALS)[number];

/** What translated code calls. All of them get the number of a site. */
export const IMPORTS = {
  /** A wrong access: site, thread, address. Does not come back. */
  fault: { parameters: ["i32", "i32", "i64"], results: [] },
  /** A trap: site, thread. Does not come back. */
  trap: { parameters: ["i32", "i32"], results: [] },
  /** The fuel is used up: site, what is left (below 0). Gives new fuel. */
  refuel: { parameters: ["i32", "i32"], results: ["i32"] },
  /** A built-in function: site, thread, where the frame of the function that calls it begins in local memory. */
  call: { parameters: ["i32", "i32", "i32"], results: [] },
  /** The threads of a block went different ways: the engine ends the block. Which segment it was, and its ends. */
  diverged: { parameters: ["i32", "i32"], results: [] },
  /** All threads of the block wait at one segment: does what they wait for, or ends the block and gives 0. */
  together: { parameters: ["i32"], results: ["i32"] },
} as const satisfies Record<string, Signature>;

export type ImportName = keyof typeof IMPORTS;

/** A place in the kernel that translated code speaks of by its number. */
export interface Site {
  /** The instruction; undefined where fuel is asked for. */
  readonly step?: Step;
  /** Of an access to memory. */
  readonly access?: {
    readonly kind: "load" | "store" | "atomic";
    readonly space: "generic" | "global" | "const" | "shared" | "local" | "param";
    readonly bytes: number;
  };
  /** Why a thread traps, where it is no trap instruction. */
  readonly detail?: string;
  /** The loop that goes back. */
  readonly loop?: Loop;
  /** Where a segment begins: the block with which it does. */
  readonly entry?: number;
}

/** The module that is made, with the numbers of what it has. */
export interface ModuleFrame {
  readonly builder: ModuleBuilder;
  readonly globals: Readonly<Record<GlobalName, number>>;
  readonly imports: Readonly<Record<ImportName, number>>;
  /** Functions of JavaScript that compute what is not translated, by opcode and number of sources. */
  readonly operations: ReadonlyMap<string, Operation>;
  readonly sites: Site[];
  /** The function that finds the NaN of an f64 operation. */
  readonly nan64: number;
  /** The function that multiplies and adds f32 with one rounding; made when it is first needed. */
  readonly fma32: () => number;
  /** Likewise the upper half of a product of 64 bits without signs. */
  readonly multiplyHigh: () => number;
  /** Likewise those of f16: to f32, from f32, and a * b + c with one rounding. */
  readonly halfToFloat: () => number;
  readonly floatToHalf: () => number;
  readonly fmaHalf: () => number;
}

/** An instruction that is computed by JavaScript. */
export interface Operation {
  readonly scalar: ScalarOperation;
  /** The imported functions: of the result, and of the second one of `setp`. */
  readonly import: number;
  readonly second: number | undefined;
}

/** What an instruction computes, as one without memory: its opcode and how many sources it has. */
function scalarForm({ source }: Step): { readonly opcode: string; readonly sources: number } {
  const { name, opcode, types, operands, results } = source;
  if (name === "atom" || name === "red") return { opcode: `add.rn.${types[0]!}`, sources: 2 };
  return { opcode, sources: operands.length - results };
}

/** The name under which an instruction's function is imported. */
export function operationKey(step: Step): string {
  const { opcode, sources } = scalarForm(step);
  return `${opcode}/${sources}`;
}

/**
 * @param foreign by its key, one step for each kind of instruction that JavaScript computes
 * @param host what computes them
 */
export function moduleFrame(
  builder: ModuleBuilder,
  foreign: ReadonlyMap<string, Step>,
  host: Host | undefined,
): ModuleFrame {
  const imports = Object.fromEntries(
    Object.entries(IMPORTS).map(([name, signature]) => [name, builder.import(name, signature)]),
  ) as Record<ImportName, number>;
  const globals = Object.fromEntries(GLOBALS.map((name) => [name, builder.global(name)])) as Record<
    GlobalName,
    number
  >;
  const operations = new Map<string, Operation>();
  for (const [key, step] of foreign) {
    const { opcode, sources } = scalarForm(step);
    const scalar = host?.scalarOperation(opcode, sources);
    if (scalar === undefined) throw new Untranslatable(`it has \`${opcode}\``);
    const signature = { parameters: scalar.args, results: [scalar.result] };
    const second = scalar.second === undefined ? undefined : builder.import(`${key}/second`, signature);
    operations.set(key, { scalar, import: builder.import(key, signature), second });
  }
  const halfToFloat = lazily(() => halfToFloatFunction(builder));
  const floatToHalf = lazily(() => floatToHalfFunction(builder));
  return {
    builder,
    globals,
    imports,
    operations,
    sites: [],
    nan64: nan64Function(builder),
    fma32: lazily(() => fma32Function(builder)),
    multiplyHigh: lazily(() => multiplyHighFunction(builder)),
    halfToFloat,
    floatToHalf,
    fmaHalf: lazily(() => fmaHalfFunction(builder, halfToFloat(), floatToHalf())),
  };
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
