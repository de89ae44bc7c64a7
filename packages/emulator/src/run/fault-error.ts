// Faults in words: what was expected, what was found, by which thread, in which line.
import { codeFrame, describeLine, quoted } from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";
import type { Fault } from "./fault.js";
import {
  type FaultContext,
  type LaunchFault,
  reportFault,
  type TextPlace,
  type ThreadPlace,
} from "./fault-report.js";
import type { Dimensions } from "./launch.js";

/** Places of waiting threads that a message shows; the error has all. */
const SHOWN_PLACES = 8;

/** The error of a launch that did not run to its end. */
export function faultError(fault: Fault, context: FaultContext): EmulatorError {
  const report = reportFault(fault, context);
  return new EmulatorError(report.code, messageOf(report, context), { fault: report });
}

function messageOf(report: LaunchFault, context: FaultContext): string {
  const { place, kernel } = report;
  const what = WORDS[report.code](report, context);
  if (place === undefined) return `kernel ${quoted(kernel)}: ${what}`;
  const who = `${threadOf(place)} of kernel ${quoted(kernel)}`;
  return `${lineOf(place)}: ${what}; ${who}\n${codeFrame(context.launch.loaded.program.text, place.span)}`;
}

type Words = (report: LaunchFault, context: FaultContext) => string;

const WORDS: Readonly<Record<Fault["kind"], Words>> = {
  OUT_OF_BOUNDS: (report, context) => `expected ${boundsOf(report, context)}, found ${accessOf(report)}`,
  MISALIGNED: (report) =>
    `expected an address that is a multiple of ${report.bytes}, found ${accessOf(report)}`,
  USE_AFTER_FREE: (report) => `expected memory that is in use, found ${accessOf(report)}`,
  TRAP: ({ detail }) => `expected a kernel that runs to its end, found ${detail}`,
  UNSUPPORTED: ({ detail }) => `expected what the emulator runs, found ${detail}`,
  UNINITIALIZED: ({ detail }) => `expected a value that was written before, found ${detail}`,
  RACE: ({ address, space, near, other }) =>
    `expected a barrier between two accesses to ${space} memory at ${hex(address!)}${nearWords(near)}, ` +
    `found none behind that of ${threadOf(other!)}, ${lineOf(other!)}`,
  DEADLOCK: ({ waiting }) =>
    `expected every thread to arrive where others wait, found that none can go on:\n${waitingWords(waiting!)}`,
  BUDGET: (report, { launch }) =>
    `expected at most ${launch.limits.instructions} instructions, found more${loopWords(report)}`,
  TIMEOUT: (report) => `expected an end before \`timeoutMs\` are over, found none${loopWords(report)}`,
  ABORTED: (report) => `expected an end before the signal, found none${loopWords(report)}`,
};

/** `line 12, column 2 (injection `func`, site 1, stub line 3)` */
function lineOf({ line, column, source }: TextPlace): string {
  const behind = source === undefined ? "" : ` (${describeLine(source)})`;
  return `line ${line}, column ${column}${behind}`;
}

const triple = (dimensions: Dimensions): string => `(${dimensions.join(", ")})`;
const threadOf = ({ thread, block }: ThreadPlace): string =>
  `thread ${triple(thread)} of block ${triple(block)}`;
const counted = (bytes: number): string => (bytes === 1 ? "1 byte" : `${bytes} bytes`);
const hex = (address: bigint): string => `0x${address.toString(16)}`;

/** The memory that an access should have been in. */
function boundsOf({ space }: LaunchFault, { launch: { kernel, dynamicSharedBytes } }: FaultContext): string {
  switch (space) {
    case "shared":
      return `an address in the ${counted(kernel.sharedBytes + dynamicSharedBytes)} of the block's shared memory`;
    case "param":
      return `an address in the ${counted(kernel.paramBytes)} of the kernel's parameters`;
    case "local":
      return "an address in the thread's local memory";
    default:
      return "an address in an allocation";
  }
}

const ACCESSES = { load: "a load", store: "a store", atomic: "an atomic operation" };

function accessOf({ access, bytes, address, near }: LaunchFault): string {
  return `${ACCESSES[access!]} of ${counted(bytes!)} at ${hex(address!)}${nearWords(near)}`;
}

/** `, 16 bytes behind buffer 2 (1024 bytes at 0x7f0002000000)` */
function nearWords(near: LaunchFault["near"]): string {
  if (near === undefined) return "";
  const { label, address, byteLength, distance, freed } = near;
  const name = `${label} (${counted(byteLength)} at ${hex(address)})`;
  if (freed) return `, byte ${distance} of ${name}, which was given back`;
  if (distance < 0) return `, ${counted(-distance)} before ${name}`;
  const behind = distance - byteLength;
  if (behind < 0) return `, byte ${distance} of ${name}`;
  return behind === 0 ? `, right behind ${name}` : `, ${counted(behind)} behind ${name}`;
}

function loopWords({ loop }: LaunchFault): string {
  if (loop === undefined) return "";
  const { first, last } = loop;
  return `; it was in the loop from ${lineOf(first)} (${quoted(first.instruction)}) to ${lineOf(last)} (${quoted(last.instruction)})`;
}

/** One line for each instruction at which threads wait. */
function waitingWords(waiting: NonNullable<LaunchFault["waiting"]>): string {
  const places = new Map<string, ThreadPlace[]>();
  for (const one of waiting) {
    const key = `${lineOf(one)}: ${quoted(one.instruction)}, ${one.detail}`;
    places.set(key, [...(places.get(key) ?? []), one]);
  }
  const lines = [...places].slice(0, SHOWN_PLACES).map(([words, threads]) => {
    const more = threads.length === 1 ? "" : ` and ${threads.length - 1} more`;
    return `  ${words}: ${threadOf(threads[0]!)}${more}`;
  });
  if (places.size > SHOWN_PLACES) lines.push(`  and ${places.size - SHOWN_PLACES} more places`);
  return lines.join("\n");
}
