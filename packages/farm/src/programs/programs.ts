// The programs of a job as they are sent: the words of all of them, and how many instructions each one has.

/** Words of an instruction, in every language. */
export const WORDS = 2;

/** A program of any language. */
export interface AnyProgram {
  readonly words: Uint32Array;
}

export interface Programs {
  /** Instructions of each program. */
  readonly counts: readonly number[];
  readonly words: Uint32Array;
}

/** A copy of programs, because their owner may change them. */
export function copyOf(programs: readonly AnyProgram[]): Programs {
  const counts = programs.map(({ words }) => words.length / WORDS);
  const words = new Uint32Array(WORDS * counts.reduce((sum, count) => sum + count, 0));
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
    end += WORDS * count;
    return words.subarray(end - WORDS * count, end);
  });
}

/** Whether a value is a program, in whole instructions. */
export function isProgram(value: unknown): value is AnyProgram {
  const { words } = (value ?? {}) as Partial<AnyProgram>;
  return words instanceof Uint32Array && words.length % WORDS === 0;
}
