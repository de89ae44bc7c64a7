// Turns a fault into an error message: what was expected, what was found, which thread, and which line.
import { demangle } from "@mm-ptx/ptx";
import { quoted } from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import type { Operand } from "../program/operand.js";
import { frameAt } from "../program/texts.js";
import { placeWords } from "../source/words.js";
import type { Dimensions } from "./dimensions.js";
import type { Fault, RecordedFault } from "./fault.js";
import { type FaultContext, reportFault } from "./fault-report.js";
import type { LaunchPlan } from "./launch.js";
import type { LaunchFault, ThreadPlace } from "./launch-fault.js";

/** The most places of waiting threads that a message shows; the error holds all of them. */
const SHOWN_PLACES = 8;
const WARP = 32;

/** The error of a launch that did not complete. */
export function faultError(fault: Fault, context: FaultContext): EmulatorError {
  const report = reportFault(fault, context);
  // Only the kind of an access to freed memory is not known before the report.
  const code = report.code === "USE_AFTER_FREE" ? report.code : fault.kind;
  return new EmulatorError(code, messageOf(report, context), { fault: report });
}

/** What was expected and what was found, without the place. */
export function faultWords(report: LaunchFault, context: FaultContext): string {
  return WORDS[report.code](report, context);
}

function messageOf(report: LaunchFault, context: FaultContext): string {
  const { place, kernel } = report;
  const what = faultWords(report, context);
  if (place === undefined) return `kernel ${kernelOf(kernel)}: ${what}`;
  const who = `${threadOf(place)} of kernel ${kernelOf(kernel)}`;
  return `${placeWords(place)}: ${what}; ${who}\n${frameAt(context.launch.loaded.program, place.span)}`;
}

const kernelOf = (symbol: string): string => quoted(demangle(symbol));

type Words = (report: LaunchFault, context: FaultContext) => string;

const WORDS: Readonly<Record<RecordedFault["kind"], Words>> = {
  OUT_OF_BOUNDS: (report, context) => `expected ${boundsOf(report, context)}, found ${accessOf(report)}`,
  MISALIGNED: (report) =>
    `expected an address that is a multiple of ${report.bytes}, found ${accessOf(report)}`,
  USE_AFTER_FREE: (report) => `expected allocated memory, found ${accessOf(report)}`,
  TRAP: ({ detail }, { launch }) =>
    `expected a kernel that runs to its end, found ${detail}${needsGrid(launch) ? GRID_HINT : ""}`,
  UNSUPPORTED: ({ detail }) => `expected an instruction that the emulator supports, found ${detail}`,
  UNINITIALIZED: ({ detail }) => `expected a value that was written, found ${detail}`,
  RACE: ({ place, address, space, near, access, other, otherAccess }, { launch }) =>
    `expected a barrier between two accesses to ${space} memory at ${hex(address!)}${nearWords(near)}, ` +
    `found ${ACCESSES[access!]} without one after ${ACCESSES[otherAccess!]} by ${threadOf(other!)}, ${placeWords(other!)}` +
    (areInOneWarp(place!, other!, launch) ? WARP_HINT : ""),
  DIVERGENT_BARRIER: ({ detail }) => `expected all threads of the warp at one barrier, found ${detail}`,
  EXITED_THREADS: ({ detail }) => `expected all threads of the block at the barrier, found ${detail}`,
  DEADLOCK: ({ waiting }) =>
    `expected every thread to reach the point where others wait, found a deadlock:\n${waitingWords(waiting!)}`,
  BUDGET: (report, { launch }) =>
    `expected at most ${launch.limits.instructions} instructions, found more${loopWords(report)}`,
  TIMEOUT: (report) =>
    `expected the launch to end within \`timeoutMs\`, found it still running${loopWords(report)}`,
  ABORTED: (report) =>
    `expected the launch to end before its signal aborted it, found it still running${loopWords(report)}`,
};

const WARP_HINT =
  "; both are in one warp, and code that relies on its threads running in step needs `lockstep: true`";

/** Whether two threads could have been ordered by running in step. */
function areInOneWarp(a: ThreadPlace, b: ThreadPlace, { block, lockstep }: LaunchPlan): boolean {
  const warpOf = ({ thread: [x, y, z] }: ThreadPlace) =>
    Math.floor((x + block[0] * (y + block[1] * z)) / WARP);
  return lockstep !== true && `${a.block}` === `${b.block}` && warpOf(a) === warpOf(b);
}

const GRID_HINT = "; the kernel synchronizes the grid, so it has to be launched with `cooperative: true`";

/** Whether a launch that is not cooperative looks for the workspace in which blocks synchronize. */
function needsGrid({ workspace, loaded: { program }, kernel }: LaunchPlan): boolean {
  const reached = new Set([kernel]);
  for (const { calls } of reached) for (const index of calls) reached.add(program.functions[index]!);
  const reads = (operand: Operand) => operand.kind === "special" && operand.name === "envreg2";
  return (
    workspace === undefined &&
    [...reached].some(({ instructions }) => instructions.some(({ operands }) => operands.some(reads)))
  );
}

const triple = (dimensions: Dimensions): string => `(${dimensions.join(", ")})`;
const threadOf = ({ thread, block }: ThreadPlace): string =>
  `thread ${triple(thread)} of block ${triple(block)}`;
const counted = (bytes: number): string => (bytes === 1 ? "1 byte" : `${bytes} bytes`);
const hex = (address: bigint): string => `0x${address.toString(16)}`;

/** The memory that the access should have hit. */
function boundsOf({ space }: LaunchFault, { launch: { kernel, dynamicSharedBytes } }: FaultContext): string {
  switch (space) {
    case "shared":
      return `an address in the ${counted(kernel.sharedBytes + dynamicSharedBytes)} of the block's shared memory`;
    case "param":
      return `an address in the ${counted(kernel.parameterBytes)} of the kernel's parameters`;
    case "local":
      return "an address in the thread's local memory";
    default:
      return "an address in an allocation";
  }
}

/** Accesses, with an article. */
export const ACCESSES = { load: "a load", store: "a store", atomic: "an atomic operation" };

function accessOf({ access, bytes, address, near }: LaunchFault): string {
  return `${ACCESSES[access!]} of ${counted(bytes!)} at ${hex(address!)}${nearWords(near)}`;
}

/** `, 16 bytes after buffer 2 (1024 bytes at 0x7f0002000000)` */
function nearWords(near: LaunchFault["near"]): string {
  if (near === undefined) return "";
  const { label, address, byteLength, distance, freed } = near;
  const name = `${label} (${counted(byteLength)} at ${hex(address)})`;
  if (freed) return `, byte ${distance} of ${name}, which was freed`;
  if (distance < 0) return `, ${counted(-distance)} before ${name}`;
  const after = distance - byteLength;
  if (after < 0) return `, byte ${distance} of ${name}`;
  return after === 0 ? `, right after ${name}` : `, ${counted(after)} after ${name}`;
}

function loopWords({ loop }: LaunchFault): string {
  if (loop === undefined) return "";
  const { first, last } = loop;
  return `; it was running the loop from ${placeWords(first)} (${quoted(first.instruction)}) to ${placeWords(last)} (${quoted(last.instruction)})`;
}

/** One line for each instruction at which threads wait. */
function waitingWords(waiting: NonNullable<LaunchFault["waiting"]>): string {
  const places = new Map<string, ThreadPlace[]>();
  for (const one of waiting) {
    const key = `${placeWords(one)}: ${quoted(one.instruction)}, ${one.detail}`;
    places.set(key, [...(places.get(key) ?? []), one]);
  }
  const lines = [...places].slice(0, SHOWN_PLACES).map(([words, threads]) => {
    const more = threads.length === 1 ? "" : ` and ${threads.length - 1} more`;
    return `  ${words}: ${threadOf(threads[0]!)}${more}`;
  });
  if (places.size > SHOWN_PLACES) lines.push(`  and ${places.size - SHOWN_PLACES} more places`);
  return lines.join("\n");
}
