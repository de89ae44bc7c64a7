// Kernel files for tests: a value that has everything, and files written by hand.

import { crc32 } from "node:zlib";
import { parseAstDescription, parseInjectDescription, parseStackDescription } from "../../src/index.js";
import { type KernelFile, KernelFileError, readKernelFile } from "../../src/kernel-file/index.js";
import { GOOD } from "./command-line.js";

export const stackTable = parseStackDescription(GOOD);
export const astTable = parseAstDescription({ abi_version: 1, instructions: [{ ptx: "add.f32", args: 2 }] });
export const injectTypes = parseInjectDescription({
  abi_version: 1,
  data_type_infos: [
    { name: "F32", register_type: "f32", mov_postfix: "f32", register_char: "f", register_cast_str: "" },
  ],
});

export const words = (...list: number[]) => Uint32Array.from(list);

/** A kernel file with everything that one can have. */
export const FULL: KernelFile = {
  ptx: "// ümlaut\n\t// PTX_INJECT_START func\n",
  arch: "sm_90",
  types: injectTypes,
  registerPrefix: "z",
  stack: {
    table: stackTable,
    limits: { maxAstSize: 100, stackSize: Number.POSITIVE_INFINITY },
    requestCopies: "sequential",
    routines: [words(), words(6, 3, 10, 0)],
    jobs: [
      {
        site: "func",
        job: {
          registers: [{ name: "x", stackIndex: 0 }],
          requests: [0, 0],
          executionLimit: Number.POSITIVE_INFINITY,
        },
        programs: [words(3, 0), words(3, 0, 0x10002, 0xffffffff, 10, 0)],
      },
      { site: "other", job: { registers: [], requests: [] }, programs: [] },
    ],
  },
  ast: {
    table: astTable.fingerprint,
    limits: "reference",
    routines: [],
    jobs: [{ site: "func", job: { inputs: ["x"], output: "z" }, programs: [words(1, 0, 5, 0)] }],
  },
};

/** The words of a text in a block. */
export function textWords(text: string): number[] {
  const bytes = Buffer.from(text);
  const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  return [bytes.length, ...new Uint32Array(new Uint8Array(padded).buffer)];
}

/** A file of handmade blocks, as docs/kernel-file.md describes it, with valid checksums. */
export function handmade(prologue: readonly number[], ...blocks: readonly [string, readonly number[]][]) {
  const all = [...prologue];
  let covered = Buffer.from(Uint32Array.from(prologue).buffer);
  const cover = (part: readonly number[]): void => {
    covered = Buffer.concat([covered, Buffer.from(Uint32Array.from(part).buffer)]);
    for (const word of part) all.push(word);
    all.push(crc32(covered));
  };
  for (const [kind, body] of blocks) {
    cover([Buffer.from(kind, "latin1").readUInt32LE(), body.length * 4]);
    cover(body);
  }
  return new Uint8Array(Uint32Array.from(all).buffer);
}

/** The error with which a file is refused. */
export function refusal(bytes: Uint8Array): KernelFileError {
  try {
    readKernelFile(bytes);
  } catch (error) {
    if (error instanceof KernelFileError) return error;
    throw error;
  }
  throw new Error("expected the file to be refused");
}
