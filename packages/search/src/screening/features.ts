// The features of candidates that depend on nothing but their genomes.
import { evaluateBatch } from "@mm-ptx/columns";
import { CODE_FEATURES, CodeBuffer, describeCode } from "@mm-ptx/types/code";
import type { Candidates } from "../candidates.js";
import { MeasureWriter } from "../evaluation/measures.js";
import { limited } from "../limited.js";
import type { Genome } from "../spaces/space.js";
import type { ReadScreeningOptions } from "./options.js";

/** What outputs on the probes have besides their standardized values: their mean and their deviation. */
const MOMENTS = 2;

/** Writes the features of candidates, and their measures if those can be computed from programs. */
export class FeatureWriter {
  readonly columns: number;
  /** How features are called in the description of a run. */
  readonly name: string;
  readonly #options: ReadScreeningOptions;
  readonly #writer: MeasureWriter | undefined;
  readonly #dimensions: number;
  readonly #usesCode: boolean;
  readonly #probeRows: number;
  readonly #codes = new CodeBuffer();
  readonly #genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  /** For each code its candidate. */
  #candidateOf = new Uint32Array(0);

  /** @param words the most words of a genome */
  constructor(options: ReadScreeningOptions, words: number) {
    const { programs, features, probes, model, measures } = options;
    this.#options = options;
    this.#writer = measures && new MeasureWriter(programs!, measures);
    this.#dimensions = measures?.length ?? 0;
    this.#probeRows = probes?.[0]?.length ?? 0;
    const probed = this.#probeRows === 0 ? 0 : this.#probeRows + MOMENTS;
    this.#usesCode =
      features === undefined &&
      programs !== undefined &&
      (probed === 0 || model === "trees" || model instanceof Uint8Array);
    const own =
      features?.columns ?? (programs === undefined ? words : this.#usesCode ? CODE_FEATURES.length : 0);
    this.columns = own + probed;
    const kinds = [
      features?.name ?? (programs === undefined ? "vector" : this.#usesCode ? "code" : ""),
      probed === 0 ? "" : `${this.#probeRows} probes`,
    ];
    this.name = kinds.filter(Boolean).join(", ");
  }

  /**
   * Writes the features of all candidates, each `stride` numbers after the one before. A program without code has zeros.
   * @returns the measures of all candidates, if they can be computed from programs; NaN for those without code
   */
  async write(
    { genomes, count }: Candidates,
    rows: Float32Array,
    stride: number,
  ): Promise<Float64Array | undefined> {
    const { programs, features, measures } = this.#options;
    const genome = this.#genome;
    const codes = this.#codes;
    const written = measures && new Float64Array(count * this.#dimensions).fill(Number.NaN);
    if (this.#candidateOf.length < count) this.#candidateOf = new Uint32Array(2 * count);
    codes.clear();
    rows.fill(0);
    const { offsets } = genomes;
    genome.words = genomes.room;
    const floats = new Float32Array(genomes.room.buffer);
    for (let index = 0; index < count; index++) {
      genome.start = offsets[index]!;
      genome.end = offsets[index + 1]!;
      const at = index * stride;
      const row = rows.subarray(at, at + this.columns);
      if (features !== undefined) features.write(genome, row.subarray(0, features.columns));
      if (programs === undefined) {
        if (features === undefined) row.set(floats.subarray(genome.start, genome.end));
        continue;
      }
      const start = codes.end;
      const code = codes.count;
      programs.compile(genome, codes);
      if (codes.count === code) continue;
      this.#candidateOf[code] = index;
      if (this.#usesCode) describeCode(codes.room, start, row);
      if (written !== undefined)
        this.#writer!.write(genome, codes.room, start, written, index * this.#dimensions);
    }
    if (this.#probeRows > 0 && codes.count > 0) await this.#probe(rows, stride);
    return written;
  }

  /** What programs compute on the probes, with the mean 0, the deviation 1 and a positive first value. */
  async #probe(rows: Float32Array, stride: number): Promise<void> {
    const codes = this.#codes;
    const width = this.#probeRows;
    const first = this.columns - width - MOMENTS;
    const { outputs } = await evaluateBatch(codes, this.#options.probes!, { outputs: true });
    for (let code = 0; code < codes.count; code++) {
      const values = Float64Array.from(outputs!.column(code) as ArrayLike<number>, Number);
      const at = this.#candidateOf[code]! * stride + first;
      standardize(values, rows.subarray(at, at + width + MOMENTS));
    }
  }
}

/** Writes standardized values, and then their mean and their deviation as logarithms; all zeros if a value is not finite. */
function standardize(values: Float64Array, into: Float32Array): void {
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) * (value - mean);
  const deviation = Math.sqrt(squares / values.length);
  if (!Number.isFinite(deviation)) return;
  into[values.length] = Math.sign(mean) * magnitude(Math.abs(mean));
  into[values.length + 1] = magnitude(deviation);
  if (deviation === 0) return;
  const scale = (values[0]! < mean ? -1 : 1) / deviation;
  for (let row = 0; row < values.length; row++) into[row] = limited((values[row]! - mean) * scale);
}

/** About the logarithm of a number, exact and the same on all machines: the exponent of f64 and a linear part. */
function magnitude(value: number): number {
  bits[0] = value + 1;
  const exponent = (words[1]! >>> 20) - 1023;
  return exponent + (words[1]! & 0xfffff) / 2 ** 20;
}

const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer);
