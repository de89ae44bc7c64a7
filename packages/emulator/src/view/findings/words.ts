// The parts of a finding in words.
import { demangle } from "@mm-ptx/ptx";
import { ACCESSES } from "../../run/fault-error.js";
import {
  FINDING_KINDS,
  type Finding,
  type FoundAllocation,
  type HostFrame,
  type ThreadId,
} from "../../run/finding.js";
import type { TextPlace } from "../../run/launch-fault.js";
import { placeWords } from "../../source/words.js";
import { grouped } from "../lines.js";
import { madePlace, placeWord, type ReportContext } from "./places.js";

/** The most threads that are named. */
const NAMED_THREADS = 3;

const triple = (dimensions: readonly number[]): string => `(${dimensions.join(", ")})`;
const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
const threadWords = ({ thread, block }: ThreadId): string =>
  `thread ${triple(thread)} of block ${triple(block)}`;

/** `race in kernel reduce, 32 times` */
export function headingOf({ kind, kernel, occurrences }: Finding): string {
  const where = kernel === undefined ? "" : ` in kernel ${demangle(kernel)}`;
  return `${FINDING_KINDS[kind].title}${where}, ${occurrences === 1 ? "once" : `${grouped(occurrences)} times`}`;
}

/** `thread (16, 0, 0) of block (0, 0, 0), …: 32 threads of 2 blocks` */
export function threadsOf({ threads, threadCount, blockCount }: Finding): string {
  const named = threads.slice(0, NAMED_THREADS).map(threadWords);
  if (threadCount <= named.length) return named.join(", ");
  return `${named.join(", ")}, …: ${counted(threadCount, "thread")} of ${counted(blockCount, "block")}`;
}

/** An instruction with its place. */
export const instructionWords = (place: TextPlace): string =>
  `${placeWords(place)}: ${place.instruction.replace(/\s+/g, " ")}`;

/** `/usr/bin/program+0x1a2f` */
const fileWord = ({ file, offset }: HostFrame): string =>
  offset === undefined ? file : `${file}+0x${offset.toString(16)}`;

/** `test.cu:12 in make(int), called at test.cu:20 in main` */
function callsWords(frames: readonly HostFrame[]): string {
  const calls = frames.map((frame) => {
    const place = madePlace(frame);
    const at = place === undefined ? fileWord(frame) : placeWord(place);
    return frame.function === undefined ? at : `${at} in ${frame.function}`;
  });
  return calls.join(", called at ");
}

/** Where an allocation was made; undefined if it is not known. */
export function allocationWords({ label, byteLength, madeAt }: FoundAllocation): string | undefined {
  return madeAt.length === 0
    ? undefined
    : `${label} (${counted(byteLength, "byte")}) was allocated at ${callsWords(madeAt)}`;
}

/** The details of a finding, a line each. */
export function detailsOf(finding: Finding): string[] {
  const { message, place, other, allocation, threads, calledAt = [] } = finding;
  const made = allocation && allocationWords(allocation);
  return [
    ...message.split("\n"),
    ...(place === undefined ? [] : [`at ${instructionWords(place)}`]),
    ...(threads.length === 0 || place === undefined ? [] : [`by ${threadsOf(finding)}`]),
    ...(other === undefined
      ? []
      : [`after ${ACCESSES[other.access]} at ${instructionWords(other)} by ${threadWords(other)}`]),
    ...(made === undefined ? [] : [made]),
    ...(calledAt.length === 0 ? [] : [`called at ${callsWords(calledAt)}`]),
  ];
}

/** `2 errors, 1 warning` */
export function summaryOf(
  findings: readonly Finding[],
  { leftOut = 0, stopped = false }: ReportContext,
): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  const parts = [
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : []),
    ...(leftOut > 0 ? [`${counted(leftOut, "occurrence")} of others left out`] : []),
  ];
  const found = parts.length > 0 ? parts.join(", ") : "no findings";
  return stopped ? `${found}; a launch stopped with an error` : found;
}
