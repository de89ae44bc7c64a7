// An archive for tests of emitters: a list with one cell for each measure, which is a whole number from 0 to 999.

import type { CodeBatch } from "@mm-ptx/types/code";
import {
  AdditionStatus,
  type Additions,
  type Archive,
  type ArchiveRows,
  type Genome,
  type PartState,
  type Scores,
} from "../../src/index.js";

const CELLS = 1000;

interface Elite {
  readonly cell: number;
  readonly serial: number;
  readonly objective: number;
  readonly words: Uint32Array;
  readonly cases: Float64Array | undefined;
}

export class ListArchive implements Archive {
  readonly kind = "list";
  readonly description = { kind: "list" };
  readonly dimensions = 1;
  readonly names: readonly string[] = ["kind"];
  readonly cells: number = CELLS;
  readonly elites: Elite[] = [];
  readonly #places = new Map<number, number>();

  get count(): number {
    return this.elites.length;
  }

  get qdScore(): number {
    return this.elites.reduce((sum, { objective }) => sum + objective, 0);
  }

  get best(): number {
    let best = -1;
    this.elites.forEach(({ objective }, index) => {
      if (best < 0 || objective > this.elites[best]!.objective) best = index;
    });
    return best;
  }

  add({ words, offsets }: CodeBatch, scores: Scores, serial: number): Additions {
    const count = offsets.length - 1;
    const additions = {
      ...{
        status: new Uint8Array(count),
        value: new Float64Array(count),
        cell: new Int32Array(count).fill(-1),
      },
      ...{ added: 0, improved: 0 },
    };
    const width = scores.cases === undefined ? 0 : scores.cases.length / count;
    for (let index = 0; index < count; index++) {
      if (scores.status[index] !== 0) continue;
      const cell = scores.measures[index]!;
      const objective = scores.objective[index]!;
      additions.cell[index] = cell;
      const place = this.#places.get(cell) ?? -1;
      const before = this.elites[place]?.objective ?? 0;
      if (place >= 0 && objective <= before) continue;
      additions.value[index] = objective - before;
      additions.status[index] = place >= 0 ? AdditionStatus.improved : AdditionStatus.added;
      additions[place >= 0 ? "improved" : "added"]++;
      const elite: Elite = {
        ...{ cell, serial: serial + index, objective },
        words: words.slice(offsets[index], offsets[index + 1]),
        cases: scores.cases?.slice(index * width, (index + 1) * width),
      };
      this.#places.set(cell, place >= 0 ? place : this.elites.length);
      this.elites[place >= 0 ? place : this.elites.length] = elite;
    }
    return additions;
  }

  genome(elite: number, into: Genome): void {
    into.words = this.elites[elite]!.words;
    into.start = 0;
    into.end = into.words.length;
  }

  objective = (elite: number): number => this.elites[elite]!.objective;
  measure = (elite: number): number => this.elites[elite]!.cell;
  cell = (elite: number): number => this.elites[elite]!.cell;
  serial = (elite: number): number => this.elites[elite]!.serial;
  cases = (elite: number): Float64Array | undefined => this.elites[elite]!.cases;
  at = (cell: number): number => this.#places.get(cell) ?? -1;
  cellOf = (measures: Float64Array, start: number): number => measures[start]!;

  clear(): void {
    this.elites.length = 0;
    this.#places.clear();
  }

  rows(): ArchiveRows {
    throw new Error("not in tests");
  }

  hash(): Uint32Array {
    throw new Error("not in tests");
  }

  state(): PartState {
    throw new Error("not in tests");
  }

  restore(): void {
    throw new Error("not in tests");
  }
}
