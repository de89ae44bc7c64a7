// What the compiler tells about the kernels that it made, read from the log of `--verbose`.

import type { Origin } from "./backend.js";
import type { BackendName } from "./options.js";
import type { Target } from "./target.js";

/** What a function keeps in local memory, in bytes for each thread. */
export interface FunctionInfo {
  readonly name: string;
  readonly spillStores: number;
  readonly spillLoads: number;
  readonly stackFrame: number;
}

/** What one kernel needs. */
export interface KernelInfo extends FunctionInfo {
  /** For each thread. */
  readonly registers: number;
  /** Named barriers of a block. */
  readonly barriers: number;
  /** Static shared memory of a block, in bytes. */
  readonly sharedBytes: number;
  /** Bytes of stack for each thread, called functions included; absent where there is none, or recursion has no bound. */
  readonly cumulativeStack?: number;
  /** Bytes in all constant banks; absent from `sm_90` on, where the compiler does not say. */
  readonly constantBytes?: number;
}

/** What a log says. */
export interface LogInfo {
  /** In source order. */
  readonly kernels: readonly KernelInfo[];
  /** Device functions that were not inlined, in the log's order. */
  readonly functions: readonly FunctionInfo[];
  /** The module's variables in global memory, in bytes. */
  readonly globalBytes: number;
  /** Those in constant memory; absent where there are none, and from `sm_90` on. */
  readonly constantBytes?: number;
  /** In the compiler's words, and in ours about register limits that it ignored and registers that it spilled. */
  readonly warnings: readonly string[];
}

/** What came with a cubin. */
export interface CompileInfo extends LogInfo {
  /** The whole log. */
  readonly log: string;
  /** Spent in the compiler, on the thread or in the process that ran it; 0 when it came from the cache. */
  readonly milliseconds: number;
  readonly from: Origin;
  readonly backend: BackendName;
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
/** A line that goes on so is a list of sizes. */
const DIGIT = /\d/;

/** As it is while it is made. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A size in the log: what stands before and behind its number, and the property that it is. */
type Size<Property> = readonly [before: string, after: string, property: Property];

const KERNEL_SIZES = [
  ["Used ", " registers", "registers"],
  ["used ", " barriers", "barriers"],
  ["", " bytes cumulative stack size", "cumulativeStack"],
  ["", " bytes smem", "sharedBytes"],
] as const satisfies readonly Size<keyof KernelInfo>[];
const MODULE_SIZES = [["", " bytes gmem", "globalBytes"]] as const satisfies readonly Size<keyof LogInfo>[];

/**
 * Kernels, device functions, sizes and warnings of a log. The compiler lists device functions behind the entries that call
 * them. Every compile comes through here, so lines are told apart by their beginnings before any pattern is tried.
 *
 * @param target what the compiler was asked for: a kernel that uses more than `maxRegisters` gets a warning
 */
export function parseInfoLog(log: string, { maxRegisters, effort, debug }: Partial<Target> = {}): LogInfo {
  const kernels: Writable<KernelInfo>[] = [];
  const functions = new Map<string, FunctionInfo>();
  const warnings: string[] = [];
  const info: Writable<LogInfo> = { kernels, functions: [], globalBytes: 0, warnings };
  let current = "";
  for (const line of log.split("\n")) {
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
  // The optimiser takes the last kernel first; where it does nothing, they come as they stand in the text.
  if (effort !== "draft" && debug !== true) kernels.reverse();
  for (const kernel of kernels) warnings.push(...warningsOf(kernel, maxRegisters));
  for (const each of functions.values()) warnings.push(...spillsOf("function", each));
  info.functions = [...functions.values()];
  return info;
}

function emptyKernel(name: string): Writable<KernelInfo> {
  return { name, registers: 0, spillStores: 0, spillLoads: 0, stackFrame: 0, barriers: 0, sharedBytes: 0 };
}

/** Reads `Used 8 registers, 16512 bytes smem, 360 bytes cmem[0]`; constant banks are added up. */
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

/** 0 where a damaged log has no number. */
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
