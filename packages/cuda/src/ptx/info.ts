// What the compiler tells about the kernels that it made, read from the log of `--verbose`.

import type { Origin } from "./backend.js";
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
  /** Spent in the compiler, on the thread or in the process that ran it; 0 when it came from the cache. */
  readonly milliseconds: number;
  readonly from: Origin;
  readonly backend: BackendName;
}

// ptxas info    : Compiling entry function 'k' for 'sm_90'
// ptxas info    : Function properties for k
// ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads     (ptxas itself: blanks alone)
// ptxas info    : Used 8 registers, used 0 barriers, 16512 bytes smem, 360 bytes cmem[0]
const INFO = "ptxas info    : ";
const ENTRY = "Compiling entry function '";
const PROPERTIES = "Function properties for ";
const USED = "Used ";
const FRAME = /^(?:ptxas +\.)? +(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads/;
const REGISTERS = /^Used (\d+) registers(?:, used (\d+) barriers)?/;
const SHARED = /(\d+) bytes smem/;
const CONSTANT = /(\d+) bytes cmem\[\d+\]/g;
const WARNING = /^ptxas (?:.*?, line \d+; )?warning\s*: (.*)$/;

type Draft = { -readonly [Key in keyof KernelInfo]: KernelInfo[Key] };

/**
 * Kernels and warnings of a log. The compiler lists entries last to first, and device functions with frames of their own
 * after each. Every compile comes through here, so lines are told apart by their beginnings before any pattern is tried.
 */
export function parseInfoLog(log: string): { kernels: KernelInfo[]; warnings: string[] } {
  const kernels: Draft[] = [];
  const warnings: string[] = [];
  let kernel: Draft | undefined;
  let current = "";
  for (const line of log.split("\n")) {
    if (!line.startsWith(INFO)) {
      const frame = kernel !== undefined && current === kernel.name ? FRAME.exec(line) : null;
      if (frame !== null) {
        kernel!.stackFrame = Number(frame[1]);
        kernel!.spillStores = Number(frame[2]);
        kernel!.spillLoads = Number(frame[3]);
      } else {
        const warning = WARNING.exec(line);
        if (warning !== null) warnings.push(warning[1]!);
      }
    } else if (line.startsWith(ENTRY, INFO.length)) {
      const start = INFO.length + ENTRY.length;
      kernel = emptyKernel(line.slice(start, line.indexOf("'", start)));
      kernels.push(kernel);
    } else if (line.startsWith(PROPERTIES, INFO.length)) {
      current = line.slice(INFO.length + PROPERTIES.length).trimEnd();
    } else if (kernel !== undefined && line.startsWith(USED, INFO.length)) {
      readUse(line.slice(INFO.length), kernel);
    }
  }
  return { kernels: kernels.reverse(), warnings };
}

function emptyKernel(name: string): Draft {
  return { name, registers: 0, spillStores: 0, spillLoads: 0, stackFrame: 0, barriers: 0, sharedBytes: 0 };
}

function readUse(text: string, kernel: Draft): void {
  const registers = REGISTERS.exec(text);
  kernel.registers = Number(registers?.[1] ?? 0);
  kernel.barriers = Number(registers?.[2] ?? 0);
  const shared = SHARED.exec(text);
  if (shared !== null) kernel.sharedBytes = Number(shared[1]);
  if (!text.includes("cmem[")) return;
  for (const bank of text.matchAll(CONSTANT))
    kernel.constantBytes = (kernel.constantBytes ?? 0) + Number(bank[1]);
}
