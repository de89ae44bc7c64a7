// The codes and measures of the candidates of a batch.
import { CodeBuffer } from "@mm-ptx/types/code";
import type { Candidates } from "../../candidates.js";
import type { Genome, ProgramSpace } from "../../spaces/space.js";
import { type Measure, MeasureWriter } from "../measures.js";

/** No code: the candidate could not be compiled. */
export const NO_CODE = -1;

/** The codes of one batch. The memory is reused for the next one. */
export class Programs {
  readonly codes: CodeBuffer = new CodeBuffer();
  /** For each candidate the index of its code, or -1; and for each code its candidate. */
  codeOf = new Int32Array(0);
  candidateOf = new Int32Array(0);
  measures = new Float64Array(0);
  readonly #space: ProgramSpace;
  readonly #writer: MeasureWriter;
  readonly #dimensions: number;
  readonly #genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };

  constructor(space: ProgramSpace, measures: readonly Measure[]) {
    this.#space = space;
    this.#writer = new MeasureWriter(space, measures);
    this.#dimensions = measures.length;
  }

  /** Compiles candidates, and writes the measures of those that have a code. */
  compile({ genomes, count }: Candidates): void {
    const dimensions = this.#dimensions;
    if (this.codeOf.length < count) {
      this.codeOf = new Int32Array(2 * count);
      this.candidateOf = new Int32Array(2 * count);
      this.measures = new Float64Array(2 * count * dimensions);
    }
    const genome = this.#genome;
    const { codes } = this;
    codes.clear();
    const { offsets } = genomes;
    genome.words = genomes.room;
    for (let index = 0; index < count; index++) {
      genome.start = offsets[index]!;
      genome.end = offsets[index + 1]!;
      const start = codes.end;
      const code = codes.count;
      this.#space.compile(genome, codes);
      if (codes.count === code) {
        this.codeOf[index] = NO_CODE;
        continue;
      }
      this.codeOf[index] = code;
      this.candidateOf[code] = index;
      this.#writer.write(genome, codes.room, start, this.measures, index * dimensions);
    }
  }
}
