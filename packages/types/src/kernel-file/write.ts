// Writes kernel files.

import { CRC_START, crcOf, crcUpdate } from "../internal/crc32.js";
import { bytesOf, wordsOf } from "../internal/words.js";
import { KernelFileError } from "./error.js";
import { BLOCKS, LONGEST_BODY, MAGIC, VERSION, valueProblem } from "./format.js";
import { mapPrograms } from "./programs.js";
import type { KernelFile } from "./value.js";

/**
 * The bytes of a kernel file. The same value gives the same bytes on every machine.
 * @throws KernelFileError INVALID_ARGUMENT when the value is not of this kind: a property is unknown, missing or of
 * another type, a table has another fingerprint than its content, a text cannot be written as UTF-8, or a part is longer
 * than 2^28 bytes
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
  const bodies = [textWords("the properties", json), textWords("`ptx`", ptx), joined(programs)];
  const words: WordList[] = [[...MAGIC, VERSION]];
  let crc = crcUpdate(CRC_START, Uint32Array.from(words[0]!), 0, words[0]!.length);
  BLOCKS.forEach(({ name, kind }, index) => {
    const body = bodies[index]!;
    if (4 * body.length > LONGEST_BODY) {
      const found = `${4 * body.length}`;
      throw new KernelFileError(
        "INVALID_ARGUMENT",
        `expected at most ${LONGEST_BODY} bytes in block ${name}, found ${found}`,
      );
    }
    const blockHead = Uint32Array.of(kind, 4 * body.length);
    crc = crcUpdate(crc, blockHead, 0, blockHead.length);
    words.push(blockHead, [crcOf(crc)], body);
    crc = crcUpdate(crc, body, 0, body.length);
    words.push([crcOf(crc)]);
  });
  return bytesOf(joined(words));
}

type WordList = ArrayLike<number>;

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
  return joined([[bytes.length], wordsOf(padded)]);
}

function joined(parts: readonly WordList[]): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    words.set(part, at);
    at += part.length;
  }
  return words;
}
