// Writes kernel files.

import { BlockWriter, joinedWords, LONGEST_BODY } from "../internal/blocks.js";
import { bytesOf, wordsOf } from "../internal/words.js";
import { KernelFileError } from "./error.js";
import { BLOCKS, FORMAT, valueProblem } from "./format.js";
import { mapPrograms } from "./programs.js";
import type { KernelFile } from "./value.js";

/**
 * The bytes of a kernel file. The same value gives the same bytes on every machine.
 * @throws KernelFileError INVALID_ARGUMENT when the value is not of this kind: a property is unknown, missing or of
 * another type, the fingerprint of a table is not that of its content, a text cannot be written as UTF-8, or a part is
 * longer than 2^28 bytes
 */
export function writeKernelFile(value: KernelFile): Uint8Array<ArrayBuffer> {
  const problem = valueProblem(value);
  if (problem !== undefined) throw new KernelFileError("INVALID_ARGUMENT", problem);
  const { ptx, ...rest } = value;
  const programs: Uint32Array[] = [];
  const head = mapPrograms(rest, (list: readonly Uint32Array[]) => {
    programs.push(...list);
    return list.map(({ length }) => length / 2);
  });
  // JSON has no Infinity.
  const json = JSON.stringify(head, (_, one: unknown) => (one === Number.POSITIVE_INFINITY ? null : one));
  const bodies = [textWords("the properties", json), textWords("`ptx`", ptx), joinedWords(programs)];
  const writer = new BlockWriter();
  const words = [writer.prologue(FORMAT)];
  BLOCKS.forEach(({ name, kind }, index) => {
    const body = bodies[index]!;
    if (4 * body.length > LONGEST_BODY) {
      const found = `${4 * body.length}`;
      throw new KernelFileError(
        "INVALID_ARGUMENT",
        `expected at most ${LONGEST_BODY} bytes in block ${name}, found ${found}`,
      );
    }
    words.push(...writer.block(kind, body));
  });
  return bytesOf(joinedWords(words));
}

/** The number of bytes of a text, then the text in UTF-8 with zeros up to a whole word. */
function textWords(what: string, text: string): Uint32Array {
  if (/\p{Surrogate}/u.test(text)) {
    throw new KernelFileError(
      "INVALID_ARGUMENT",
      `expected ${what} as text that UTF-8 can hold, found a lone surrogate`,
    );
  }
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(4 * Math.ceil(bytes.length / 4));
  padded.set(bytes);
  return joinedWords([[bytes.length], wordsOf(padded)]);
}
