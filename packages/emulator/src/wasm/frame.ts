// The interface between translated code and the engine: the module's globals, which hold the places of a launch's areas
// and the running block, the functions that translated code calls back, and the sites that faults name.
import type { Mnemonic, ScalarOperation } from "@mm-ptx/columns/arithmetic";
import { Untranslatable } from "../control/graph.js";
import type { Loop } from "../control/loops.js";
import type { Step } from "../control/step.js";
import { itemsOf, type Operand } from "../program/operand.js";
import type { Access } from "./access.js";
import type { ModuleBuilder, Signature } from "./binary/module.js";
import { type Directed, directedFunction } from "./directed.js";
import { type ElementaryName, OF_VECTOR } from "./elementary/signature.js";
import {
  doubleToHalfFunction,
  floatToHalfFunction,
  fmaHalfFunction,
  halfToFloatFunction,
} from "./half-helpers.js";
import { fma32Function, fma64Function, multiplyHighFunction, nan64Function } from "./helpers.js";
import type { Host } from "./host.js";
import { ImageFunctions } from "./images/functions.js";
import { mappedFunction } from "./mapped.js";

/** Globals that the engine sets before a call. Offsets are in linear memory. */
export const GLOBALS = [
  ...(["ctaidX", "ctaidY", "ctaidZ", "ntidX", "ntidY", "ntidZ", "nctaidX", "nctaidY", "nctaidZ"] as const),
  // Saved registers, register by register; where each thread continues; shared and local memory; parameters.
  ...(["frame", "states", "shared", "sharedBytes", "dynamicBytes", "local", "localBytes", "params"] as const),
  // The workspace of a cooperative launch, or 0.
  ...(["workspace"] as const),
  // Instructions until translated code asks the engine.
  ...(["fuel"] as const),
  // For checks: whether each byte of shared memory was written, the block's epochs, the table of shadow pages, and the
  // last epoch of the launch.
  ...(["written", "epochs", "shadow", "clock"] as const),
  // Whether a race of two stores is to be reported once the second one has happened, and whether something was found
  // since the last wait.
  ...(["pending", "found"] as const),
  // Where races are checked, twice the first thread of the group of four that is running, plus 1 when its threads have
  // started over one by one; negative when there is no group.
  ...(["group"] as const),
] as const;

export type GlobalName = (typeof GLOBALS)[number];

/** The functions that translated code calls. The first argument of each is the number of a site. */
export const IMPORTS = {
  /**
   * Reports an invalid access: site, thread, address. With the check of memory, it returns where the access goes
   * instead.
   */
  fault: { parameters: ["i32", "i32", "i64"], results: ["i32"] },
  /** Reports a trap: site, thread. Does not return. */
  trap: { parameters: ["i32", "i32"], results: [] },
  /**
   * Reports a read of a value that was never written: site, thread, and the place in shared memory; 0 for a register.
   * It may return.
   */
  unwritten: { parameters: ["i32", "i32", "i32"], results: [] },
  /**
   * Reports a race: the place in memory, and the two accesses as shadow memory records them. It may return.
   */
  race: { parameters: ["i32", "i32", "i32"], results: [] },
  /** Reports the race of two stores, which may have stored the same value. */
  stored: { parameters: [], results: [] },
  /** Called when the threads of the block continue after a wait, and something was found before it. */
  goesOn: { parameters: [], results: [] },
  /** Called when a group of threads gives up, and something was found since the last wait: the first thread. */
  startsOver: { parameters: ["i32"], results: [] },
  /** Allocates shadow memory for a page of linear memory. */
  shadowPage: { parameters: ["i32"], results: [] },
  /** Called when the fuel is used up: site, remaining fuel (below 0). Returns new fuel. */
  refuel: { parameters: ["i32", "i32"], results: ["i32"] },
  /** Calls a built-in function: site, thread, and where the calling function's frame begins in local memory. */
  call: { parameters: ["i32", "i32", "i32"], results: [] },
  /** Returns the launch's time: remaining fuel. */
  time: { parameters: ["i32"], results: ["i64"] },
  /**
   * Called when the threads of a block have diverged: the segment and its ends. The engine runs the block to its end.
   */
  diverged: { parameters: ["i32", "i32"], results: [] },
  /**
   * Called when all threads of the block wait at one segment. Carries out the wait, or ends the block and returns 0.
   */
  together: { parameters: ["i32"], results: ["i32"] },
  /**
   * Called when all threads of the block wait at one segment and have waited often. The engine runs other blocks, which
   * may do what these threads wait for, and this block to its end.
   */
  yields: { parameters: ["i32"], results: [] },
} as const satisfies Record<string, Signature>;

export type ImportName = keyof typeof IMPORTS;

/** A place in the kernel to which translated code refers by number. */
export interface Site {
  /** The instruction; undefined where fuel is requested. */
  readonly step?: Step;
  /** The access to memory, if it is one. */
  readonly access?: Access;
  /** Why a thread traps, if not because of a trap instruction. */
  readonly detail?: string;
  /** The register of the instruction's function that was not written. */
  readonly register?: number | undefined;
  /** The loop whose back edge this is. */
  readonly loop?: Loop;
  /** The block with which a segment begins, if this is the beginning of one. */
  readonly entry?: number;
}

/** An access that an instruction makes. */
export interface RecordedAccess {
  readonly step: Step;
  readonly access: Access;
}

/** The module being built, with the indices of its functions and globals. */
export interface ModuleFrame {
  readonly builder: ModuleBuilder;
  readonly globals: Readonly<Record<GlobalName, number>>;
  readonly imports: Readonly<Record<ImportName, number>>;
  /** JavaScript functions for instructions that are not translated, by opcode and number of sources. */
  readonly operations: ReadonlyMap<string, HostFunction>;
  /** JavaScript functions that carry out procedures, by their numbers of sources and results. */
  readonly procedures: ReadonlyMap<string, number>;
  readonly sites: Site[];
  /** The accesses that shadow memory records, by number. */
  readonly accesses: RecordedAccess[];
  /** The function of four f32 that approximate instructions of a name compute. */
  readonly elementary: (name: ElementaryName) => number;
  /** The function that computes the NaN result of an f64 operation. */
  readonly nan64: number;
  /** The function for f32 fused multiply-add, created on first use. */
  readonly fma32: () => number;
  /** The function for f64 fused multiply-add where f64x2.relaxed_madd rounds once, created on first use. */
  readonly fma64: () => number;
  /** The function for multiply-add of four f32 that is rounded in a direction, created on first use. */
  readonly directed: (mode: Directed) => number;
  /** The function that checks a range of addresses of a memory with a page table, created on first use. */
  readonly mapped: (pageTable: number) => number;
  /** The function for the upper half of an unsigned 64-bit product, created on first use. */
  readonly multiplyHigh: () => number;
  /** The functions for f16, created on first use: conversion to f32, conversions from f32 and f64, and fused multiply-add. */
  readonly halfToFloat: () => number;
  readonly floatToHalf: () => number;
  readonly doubleToHalf: () => number;
  readonly fmaHalf: () => number;
  /** The functions for textures and surfaces. */
  readonly images: ImageFunctions;
}

/** An instruction that is computed by JavaScript. */
export interface HostFunction {
  readonly scalar: ScalarOperation;
  /** The imported functions: for the result, and for the second result of `setp`. */
  readonly import: number;
  readonly second: number | undefined;
}

/** The operation that an instruction computes, without its memory access, and the number of its sources. */
function scalarForm({ source, operation }: Step): { readonly mnemonic: Mnemonic; readonly sources: number } {
  const { traits, types, results } = operation;
  if (traits.atomic) return { mnemonic: { name: "add", words: NEAREST, types }, sources: 2 };
  return { mnemonic: operation, sources: source.operands.length - results };
}

const NEAREST: ReadonlySet<string> = new Set(["rn"]);

/** The name under which an instruction's function is imported. */
export function operationKey(step: Step): string {
  return `${step.operation.opcode}/${scalarForm(step).sources}`;
}

/** The values that pass between translated code and a procedure: those of vectors one by one, all as 64 bits. */
export function procedureShape({ source: { operands }, operation }: Step): {
  /** The name of the import, which is the same for all procedures with the same numbers of values. */
  readonly key: string;
  readonly sources: number;
  readonly results: number;
} {
  const { results } = operation;
  const count = (list: readonly Operand[]) => list.flatMap(itemsOf).length;
  const shape = { sources: count(operands.slice(results)), results: count(operands.slice(0, results)) };
  return { key: `procedure/${shape.sources}/${shape.results}`, ...shape };
}

/**
 * @param elementary the elementary functions that it calls
 * @param foreign one step for each kind of instruction that JavaScript computes, by key
 * @param procedures the steps that procedures carry out
 * @param host computes them
 */
export function moduleFrame(
  builder: ModuleBuilder,
  elementary: Iterable<ElementaryName>,
  foreign: ReadonlyMap<string, Step>,
  procedures: readonly Step[],
  host: Host | undefined,
): ModuleFrame {
  const imports = Object.fromEntries(
    Object.entries(IMPORTS).map(([name, signature]) => [name, builder.import(name, signature)]),
  ) as Record<ImportName, number>;
  const globals = Object.fromEntries(GLOBALS.map((name) => [name, builder.global(name)])) as Record<
    GlobalName,
    number
  >;
  const functions = new Map([...elementary].map((name) => [name, builder.import(name, OF_VECTOR)]));
  const operations = new Map<string, HostFunction>();
  for (const [key, step] of foreign) {
    const { mnemonic, sources } = scalarForm(step);
    const scalar = host?.scalarOperation(mnemonic, sources);
    if (scalar === undefined) throw new Untranslatable(`it has \`${step.operation.opcode}\``);
    const signature = { parameters: scalar.args, results: [scalar.result] };
    const second = scalar.second === undefined ? undefined : builder.import(`${key}/second`, signature);
    operations.set(key, { scalar, import: builder.import(key, signature), second });
  }
  let mapped: number | undefined;
  const directed = {
    rz: lazily(() => directedFunction(builder, "rz")),
    rm: lazily(() => directedFunction(builder, "rm")),
    rp: lazily(() => directedFunction(builder, "rp")),
  };
  const called = new Map(
    procedures.map((step) => {
      const { key, sources, results } = procedureShape(step);
      const parameters = ["i32", "i32", ...Array<"i64">(sources).fill("i64")] as const;
      return [key, builder.import(key, { parameters, results: Array<"i64">(results).fill("i64") })] as const;
    }),
  );
  const halfToFloat = lazily(() => halfToFloatFunction(builder));
  const floatToHalf = lazily(() => floatToHalfFunction(builder));
  const doubleToHalf = lazily(() => doubleToHalfFunction(builder, floatToHalf()));
  const nan64 = nan64Function(builder);
  return {
    builder,
    globals,
    imports,
    operations,
    procedures: called,
    sites: [],
    accesses: [],
    elementary: (name) => functions.get(name)!,
    nan64,
    fma64: lazily(() => fma64Function(builder, nan64)),
    fma32: lazily(() => fma32Function(builder)),
    directed: (mode) => directed[mode](),
    mapped: (pageTable) => {
      mapped ??= mappedFunction(builder, pageTable);
      return mapped;
    },
    multiplyHigh: lazily(() => multiplyHighFunction(builder)),
    halfToFloat,
    floatToHalf,
    doubleToHalf,
    fmaHalf: lazily(() => fmaHalfFunction(builder, halfToFloat(), doubleToHalf())),
    images: new ImageFunctions(builder, halfToFloat),
  };
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
