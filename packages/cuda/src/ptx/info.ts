// Parses the compiler's `--verbose` log for information about the kernels.

import type { Origin } from "./backend.js";
import type { Target } from "./code-options.js";
import { linesOf } from "./diagnostics.js";
import type { FarmInfo } from "./farm-info.js";
import type { BackendName } from "./options.js";

/** A function's local memory, in bytes per thread. */
export interface FunctionInfo {
  readonly name: string;
  readonly spillStores: number;
  readonly spillLoads: number;
  readonly stackFrame: number;
}

/** The requirements of a kernel. */
export interface KernelInfo extends FunctionInfo {
  /** Registers per thread. */
  readonly registers: number;
  /** Named barriers per block. */
  readonly barriers: number;
  /** Static shared memory per block, in bytes. */
  readonly sharedBytes: number;
  /** Stack bytes per thread including called functions; absent if there is no stack, or recursion is unbounded. */
  readonly cumulativeStack?: number;
  /** Bytes in all constant banks; absent from `sm_90` on, where the compiler does not report them. */
  readonly constantBytes?: number;
}

/** The contents of a log. */
export interface LogInfo {
  /** In source order. */
  readonly kernels: readonly KernelInfo[];
  /** Device functions that were not inlined, in the order of the log. */
  readonly functions: readonly FunctionInfo[];
  /** The module's variables in global memory, in bytes. */
  readonly globalBytes: number;
  /** The module's variables in constant memory, in bytes; absent if there are none, and from `sm_90` on. */
  readonly constantBytes?: number;
  /** The compiler's warnings, and ours about ignored register limits and spilled registers. */
  readonly warnings: readonly string[];
}

/** Information about a cubin. */
export interface CompileInfo extends LogInfo {
  /** The whole log. */
  readonly log: string;
  /** The time in the compiler, on its thread or in its process; 0 if the cubin came from the cache. */
  readonly milliseconds: number;
  readonly from: Origin;
  readonly backend: BackendName;
  /** Only if a worker of a farm compiled it, or an equal job in flight. */
  readonly farm?: FarmInfo;
}

// ptxas info    : 24 bytes gmem, 8 bytes cmem[4]
// ptxas info    : Compiling entry function 'k' for 'sm_90'
// ptxas info    : Function properties for k
// ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads     (ptxas itself: blanks alone)
// ptxas info    : Used 8 registers, used 0 barriers, 16512 bytes smem, 360 bytes cmem[0]
const INFO = "ptxas info    : ";
const ENTRY = "Compiling entry function '";
const PROPERTIES = "Function properties for ";
const USED = "Used ";
const FRAME = /^(?:ptxas +\.)? +(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads/;
const WARNING = /^ptxas (?:.*?, line \d+; )?warning\s*: (.*)$/;
/** A line that continues this way is a list of sizes. */
const DIGIT = /\d/;

/** A mutable version, for construction. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A size in the log: the text before and after its number, and the property it sets. */
type Size<Property> = readonly [before: string, after: string, property: Property];

const KERNEL_SIZES = [
  ["Used ", " registers", "registers"],
  ["used ", " barriers", "barriers"],
  ["", " bytes cumulative stack size", "cumulativeStack"],
  ["", " bytes smem", "sharedBytes"],
] as const satisfies readonly Size<keyof KernelInfo>[];
const MODULE_SIZES = [["", " bytes gmem", "globalBytes"]] as const satisfies readonly Size<keyof LogInfo>[];

/**
 * Kernels, device functions, sizes and warnings of a log. The compiler lists device functions after the entries that
 * call them. Because this runs for every compile, lines are distinguished by their prefixes before any pattern is
 * tried.
 *
 * @param target the target of the compile: a kernel that uses more than `maxRegisters` gets a warning
 */
export function parseInfoLog(log: string, { maxRegisters, effort, debug }: Partial<Target> = {}): LogInfo {
  const kernels: Writable<KernelInfo>[] = [];
  const functions = new Map<string, FunctionInfo>();
  const warnings: string[] = [];
  const info: Writable<LogInfo> = { kernels, functions: [], globalBytes: 0, warnings };
  let current = "";
  for (const line of linesOf(log)) {
    if (!line.startsWith(INFO)) {
      const frame = current === "" ? null : FRAME.exec(line);
      const kernel = kernels.at(-1);
      if (frame !== null) {
        let one = kernel as Writable<FunctionInfo> | undefined;
        if (one?.name !== current) {
          one = { name: current, spillStores: 0, spillLoads: 0, stackFrame: 0 };
          functions.set(current, one);
        }
        one.stackFrame = numberOf(frame[1]!);
        one.spillStores = numberOf(frame[2]!);
        one.spillLoads = numberOf(frame[3]!);
      } else {
        const warning = WARNING.exec(line);
        if (warning !== null) warnings.push(warning[1]!);
      }
    } else if (line.startsWith(ENTRY, INFO.length)) {
      const start = INFO.length + ENTRY.length;
      kernels.push(emptyKernel(line.slice(start, line.indexOf("'", start))));
    } else if (line.startsWith(PROPERTIES, INFO.length)) {
      current = line.slice(INFO.length + PROPERTIES.length).trimEnd();
    } else if (line.startsWith(USED, INFO.length)) {
      const kernel = kernels.at(-1);
      if (kernel !== undefined) readSizes(line.slice(INFO.length), KERNEL_SIZES, kernel);
    } else if (DIGIT.test(line[INFO.length] ?? "")) {
      readSizes(line.slice(INFO.length), MODULE_SIZES, info);
    }
  }
  // The optimizer processes the last kernel first; without it, kernels are in source order.
  if (effort !== "draft" && debug !== true) kernels.reverse();
  for (const kernel of kernels) warnings.push(...warningsOf(kernel, maxRegisters));
  for (const each of functions.values()) warnings.push(...spillsOf("function", each));
  info.functions = [...functions.values()];
  return info;
}

function emptyKernel(name: string): Writable<KernelInfo> {
  return { name, registers: 0, spillStores: 0, spillLoads: 0, stackFrame: 0, barriers: 0, sharedBytes: 0 };
}

/** Parses `Used 8 registers, 16512 bytes smem, 360 bytes cmem[0]`; constant banks are summed. */
function readSizes<Property extends string>(
  text: string,
  sizes: readonly Size<Property>[],
  into: { [Key in Property | "constantBytes"]?: number },
): void {
  for (const piece of text.split(", ")) {
    const bank = piece.indexOf(" bytes cmem[");
    if (bank !== -1) {
      into.constantBytes = (into.constantBytes ?? 0) + numberOf(piece.slice(0, bank));
      continue;
    }
    for (const [before, after, property] of sizes) {
      const end = piece.startsWith(before) ? piece.indexOf(after) : -1;
      if (end !== -1) into[property] = numberOf(piece.slice(before.length, end));
    }
  }
}

/** 0 if a corrupt log has no number. */
function numberOf(text: string): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}

function warningsOf(kernel: KernelInfo, maxRegisters: number | undefined): string[] {
  const { name, registers } = kernel;
  const spills = spillsOf("kernel", kernel);
  if (maxRegisters === undefined || registers <= maxRegisters) return spills;
  const ignored = `kernel \`${name}\` uses ${registers} registers: the compiler ignored \`maxRegisters\` ${maxRegisters}, as it does for kernels with \`.maxntid\``;
  return [ignored, ...spills];
}

function spillsOf(kind: string, { name, spillStores, spillLoads }: FunctionInfo): string[] {
  if (spillStores === 0 && spillLoads === 0) return [];
  return [
    `${kind} \`${name}\` spills registers to local memory: ${spillStores} bytes of stores, ${spillLoads} bytes of loads`,
  ];
}
