// The programs of a job as they are sent: the words of all of them, and how many instructions each one has.

import type { StackProgram } from "@mm-ptx/stack";

export interface Programs {
  /** Instructions of each program, each of which has two words. */
  readonly counts: readonly number[];
  readonly words: Uint32Array;
}

/** A copy of programs, because their owner may change them. */
export function copyOf(programs: readonly StackProgram[]): Programs {
  const counts = programs.map(({ length }) => length);
  const words = new Uint32Array(2 * counts.reduce((sum, count) => sum + count, 0));
  let at = 0;
  for (const program of programs) {
    words.set(program.words, at);
    at += program.words.length;
  }
  return { counts, words };
}

/** The words of each program. */
export function programsIn({ counts, words }: Programs): readonly Uint32Array[] {
  let end = 0;
  return counts.map((count) => {
    end += 2 * count;
    return words.subarray(end - 2 * count, end);
  });
}
