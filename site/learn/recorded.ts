// What the compiler said, as `record.mjs` has recorded it.
import type { LessonBatch } from "@mm-ptx/search";
import recorded from "./recorded.json";

export interface Recorded {
  readonly arch: string;
  readonly programs: number;
  readonly columns: number;
  readonly names: readonly string[];
  /** Microseconds that the compiler took for a program, in the fastest batch. */
  readonly asking: number;
  /** The version of the compiler. */
  readonly compiler: string;
  /** The number of programs in a batch. */
  readonly batch: number;
  readonly batches: readonly (LessonBatch & { readonly shown: string })[];
}

const bytesOf = (base64: string): Float32Array =>
  Float32Array.from(atob(base64), (letter) => letter.charCodeAt(0));

/** The recorded programs in their batches. */
export function readRecorded(): Recorded {
  const { arch, programs, batch, asking, making, compiler, columns, shown } = recorded;
  const features = bytesOf(recorded.features);
  const names = Object.keys(recorded.costs);
  const costs = Object.values(recorded.costs).map(bytesOf);
  const width = columns.length;
  const batches = shown.map((text, index) => ({
    features: features.subarray(index * batch * width, (index + 1) * batch * width),
    costs: costs.map((cost) => cost.subarray(index * batch, (index + 1) * batch)),
    ...{ asking, making, shown: text },
  }));
  return { arch, programs, columns: width, names, asking, compiler, batch, batches };
}
