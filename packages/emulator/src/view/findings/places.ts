// The places of findings: the line in CUDA if it is known, or else the line of the PTX.
import type { Finding, HostFrame } from "../../run/finding.js";
import type { TextPlace } from "../../run/launch-fault.js";

/** The context of a report, besides the findings. */
export interface ReportContext {
  /** The name of the PTX file; places without source lines are in it. */
  readonly file?: string;
  /** The number of occurrences that are not in the findings: `device.findingsLeftOut`. */
  readonly leftOut?: number;
  /** Whether a launch has stopped with an error that is not among the findings. */
  readonly stopped?: boolean;
  /** An additional hint for the reader. */
  readonly hint?: string | undefined;
}

/** A line of a file. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  /** 0 if it is unknown. */
  readonly column: number;
}

/** The folders of CUDA's own headers and of those of C++. */
const OF_CUDA =
  /[\\/](?:targets[\\/][^\\/]+|cuda[^\\/]*|nvidia[\\/]cu\d+)[\\/]include[\\/]|[\\/]include[\\/](?:cccl|c\+\+)[\\/]/;

/** Whether a file is a header of CUDA or of C++. */
export const isOfCuda = (file: string): boolean => OF_CUDA.test(file);

/** The innermost of these lines that is not in a header of CUDA; if all are, the first. */
export const ownIndex = (places: readonly FilePlace[]): number =>
  Math.max(
    0,
    places.findIndex(({ file }) => !isOfCuda(file)),
  );

/** The line of an instruction, the innermost function that was inlined there first. */
export function filePlaces(place: TextPlace, { file }: ReportContext): readonly FilePlace[] {
  if (place.frames.length > 0) return place.frames;
  return file === undefined ? [] : [{ file, line: place.line, column: place.column }];
}

/** The place that a report shows first: that of the instruction in the program's own files, of the allocation of a leak, or of a failed call. */
export function mainPlace(finding: Finding, context: ReportContext): FilePlace | undefined {
  const place = finding.place ?? finding.waiting?.[0];
  if (place !== undefined) {
    const places = filePlaces(place, context);
    return places[ownIndex(places)];
  }
  return madePlace((finding.calledAt ?? finding.allocation?.madeAt)?.[0]);
}

/** The place of a call of the host. */
export function madePlace(frame: HostFrame | undefined): FilePlace | undefined {
  return frame?.line === undefined
    ? undefined
    : { file: frame.file, line: frame.line, column: frame.column ?? 0 };
}

/** `kernel.cu:12:5` */
export const placeWord = ({ file, line, column }: FilePlace): string =>
  column === 0 ? `${file}:${line}` : `${file}:${line}:${column}`;

/** Whether a finding has a place in PTX that was compiled without source lines. */
function lacksSource({ place, waiting }: Finding): boolean {
  const found = place ?? waiting?.[0];
  if (found === undefined || found.isAdded === true) return false;
  return found.frames.length === 0 && found.source === undefined;
}

/** The hint for findings without source lines. */
const LINEINFO_HINT = "the PTX has no source lines: compile with `nvcc -lineinfo` to see lines of CUDA";

/** The hints for the reader, besides the findings. */
export const hintsOf = (findings: readonly Finding[], { hint }: ReportContext): readonly string[] => [
  ...(findings.some(lacksSource) ? [LINEINFO_HINT] : []),
  ...(hint === undefined ? [] : [hint]),
];
