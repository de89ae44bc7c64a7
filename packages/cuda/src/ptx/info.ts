// What the compiler tells about the kernels that it made, read from the log of `--verbose`.

import type { BackendName } from "./options.js";

/** What one kernel needs. */
export interface KernelInfo {
  readonly name: string;
  /** For each thread. */
  readonly registers: number;
  /** Bytes for each thread. */
  readonly spillStores: number;
  readonly spillLoads: number;
  readonly stackFrame: number;
  /** Named barriers of a block. */
  readonly barriers: number;
  /** Static shared memory of a block, in bytes. */
  readonly sharedBytes: number;
  /** Bytes in all constant banks; absent from `sm_90` on, where the compiler does not say. */
  readonly constantBytes?: number;
}

/** What came with a cubin. */
export interface CompileInfo {
  /** In source order. */
  readonly kernels: readonly KernelInfo[];
  /** In the compiler's words, for example about a register limit that it ignored. */
  readonly warnings: readonly string[];
  /** The whole log. */
  readonly log: string;
  /** Spent in the compiler, on the thread or in the process that ran it. */
  readonly milliseconds: number;
  readonly backend: BackendName;
}

const ENTRY = /Compiling entry function '([^']*)' for '/;
const PROPERTIES = /Function properties for (\S+)$/;
const FRAME = /(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads/;
const USED = /Used (\d+) registers(?:, used (\d+) barriers)?/;
const SHARED = /(\d+) bytes smem/;
const CONSTANT = /(\d+) bytes cmem\[\d+\]/g;
const WARNING = /^ptxas (?:.*?, line \d+; )?warning\s*: (.*)$/;

type Draft = { -readonly [Key in keyof KernelInfo]: KernelInfo[Key] };

/** Kernels and warnings of a log. The compiler lists entries last to first. */
export function parseInfoLog(log: string): { kernels: KernelInfo[]; warnings: string[] } {
  const kernels: Draft[] = [];
  const warnings: string[] = [];
  let kernel: Draft | undefined;
  let function_ = "";
  for (const line of log.split("\n")) {
    const entry = ENTRY.exec(line);
    if (entry !== null) {
      kernel = emptyKernel(entry[1]!);
      kernels.push(kernel);
      continue;
    }
    const warning = WARNING.exec(line);
    if (warning !== null) warnings.push(warning[1]!);
    else if (kernel !== undefined) function_ = readLine(line, kernel, function_);
  }
  return { kernels: kernels.reverse(), warnings };
}

function emptyKernel(name: string): Draft {
  return { name, registers: 0, spillStores: 0, spillLoads: 0, stackFrame: 0, barriers: 0, sharedBytes: 0 };
}

/** Reads one line into the kernel it belongs to; returns the function that the next frame line is about. */
function readLine(line: string, kernel: Draft, current: string): string {
  const properties = PROPERTIES.exec(line);
  if (properties !== null) return properties[1]!;
  const frame = FRAME.exec(line);
  if (frame !== null) {
    // Device functions have frames of their own, listed after the kernel.
    if (current === kernel.name) {
      kernel.stackFrame = Number(frame[1]);
      kernel.spillStores = Number(frame[2]);
      kernel.spillLoads = Number(frame[3]);
    }
    return current;
  }
  const used = USED.exec(line);
  if (used === null) return current;
  kernel.registers = Number(used[1]);
  kernel.barriers = Number(used[2] ?? 0);
  kernel.sharedBytes = Number(SHARED.exec(line)?.[1] ?? 0);
  for (const bank of line.matchAll(CONSTANT))
    kernel.constantBytes = (kernel.constantBytes ?? 0) + Number(bank[1]);
  return current;
}
