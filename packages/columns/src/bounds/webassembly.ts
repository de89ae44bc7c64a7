// Disturbed instructions on columns in WebAssembly: those of f32 are in a module that shares the memory and the table of `core`, the others
// run in JavaScript, and so do all if there is no memory for the module.
import { operandsOf } from "@mm-ptx/types/code";
import { addKernel, type Kernel } from "../machine/core-kernels.js";
import type { ExternalKernels } from "../machine/external.js";
import { instantiate } from "../machine/instance.js";
import { Flag } from "../machine/layout.js";
import type { OperationEntry } from "../machine/operations.js";
import { MODULE } from "../wasm/bounds.js";
import { disturbedKernel, floatBounds } from "./javascript.js";
import { Approximate } from "./limits.js";

type Functions = Readonly<
  Record<"div" | "divFull" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanhApprox", Kernel>
>;

interface Exports extends Functions {
  setSeed(seed: number): void;
}

const FUNCTIONS: Readonly<Partial<Record<Approximate, keyof Functions>>> = {
  [Approximate.div]: "div",
  [Approximate.divFull]: "divFull",
  [Approximate.rcp]: "rcp",
  [Approximate.sqrt]: "sqrt",
  [Approximate.rsqrt]: "rsqrt",
  [Approximate.sin]: "sin",
  [Approximate.cos]: "cos",
  [Approximate.lg2]: "lg2",
  [Approximate.ex2]: "ex2",
  [Approximate.tanh]: "tanhApprox",
};

/** The functions of `core` that the module needs. */
export interface CoreFunctions {
  readonly table: WebAssembly.Table;
  readonly sine: (x: number) => number;
  readonly cosine: (x: number) => number;
  readonly log2: (x: number) => number;
  readonly exp2: (x: number) => number;
  readonly tanh: (x: number) => number;
}

/** The disturbed kernels of a machine. */
export class DisturbedKernels {
  readonly #exports: Exports | undefined;
  readonly #table: WebAssembly.Table;
  readonly #external: ExternalKernels;
  readonly #externalFunction: number;
  readonly #entries = new Map<number, OperationEntry | undefined>();
  #seed = 0;

  constructor(
    memory: WebAssembly.Memory,
    { table, ...functions }: CoreFunctions,
    external: ExternalKernels,
    externalFunction: number,
  ) {
    const { sine, cosine, log2, exp2, tanh } = functions;
    const exports = instantiate(MODULE, { env: { memory, sine, cosine, log2, exp2, tanh } });
    this.#exports = exports as unknown as Exports | undefined;
    this.#table = table;
    this.#external = external;
    this.#externalFunction = externalFunction;
  }

  set seed(seed: number) {
    this.#seed = seed;
    this.#exports?.setSeed(seed);
  }

  /** How the planner treats an approximate instruction, or `undefined` for one that is not. */
  entryOf(word: number): OperationEntry | undefined {
    if (this.#entries.has(word)) return this.#entries.get(word);
    const entry = this.#makeEntry(word);
    this.#entries.set(word, entry);
    return entry;
  }

  #makeEntry(word: number): OperationEntry | undefined {
    const float = floatBounds(word);
    const flushing = Flag.clean | Flag.flushes;
    if (float === undefined || this.#exports === undefined) {
      const kernel = disturbedKernel(word, () => this.#seed);
      if (kernel === undefined) return undefined;
      const entry = this.#external.add(word, kernel, this.#externalFunction);
      return kernel.flushes ? { ...entry, flags: entry.flags | flushing } : entry;
    }
    const kernel = this.#exports[FUNCTIONS[float.bounded.operation]!];
    const flags = Flag.loose | (float.flushes ? flushing : 0);
    return {
      kernel: addKernel(this.#table, kernel),
      flags: flags | (operandsOf(word) << Flag.arityShift),
      extra: 0,
    };
  }
}
