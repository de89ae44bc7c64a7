// The program that an operator is making: words at the end of a buffer.
import type { CodeBuffer } from "@mm-ptx/types/code";
import { AstWord } from "../../spaces/ast-layout.js";
import type { Genome } from "../../spaces/space.js";

export class Draft {
  room: Uint32Array = new Uint32Array(0);
  start = 0;
  end = 0;
  #mostWords: number;

  constructor(mostWords: number) {
    this.#mostWords = mostWords;
  }

  /** Begins an empty program after the last one of a buffer. */
  begin(out: CodeBuffer): void {
    this.room = out.reserve(this.#mostWords);
    this.start = this.end = out.end;
  }

  /** Appends the nodes from `first` up to `end` of a program. */
  copy({ words, start }: Genome, first: number, end: number): void {
    const { room } = this;
    let to = this.end;
    const stop = start + AstWord.perInstruction * end;
    for (let from = start + AstWord.perInstruction * first; from < stop; from++) room[to++] = words[from]!;
    this.end = to;
  }

  /** Appends a whole program. */
  copyAll(genome: Genome): void {
    this.copy(genome, 0, lengthOf(genome));
  }

  /** Appends a copy of one node. */
  copyNode(genome: Genome, node: number): void {
    this.copy(genome, node, node + 1);
  }
}

/** The number of nodes of a program. */
export const lengthOf = ({ start, end }: Genome): number => (end - start) / AstWord.perInstruction;
