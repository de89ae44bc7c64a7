// Kernel arguments on the command line: a type and a number, a file or a size.

import {
  ArgumentError,
  bf16,
  f16,
  f32,
  f64,
  s8,
  s16,
  s32,
  s64,
  type TypedArgument,
  u8,
  u16,
  u32,
  u64,
} from "@mm-ptx/types/device";
import { didYouMean, quoted } from "@mm-ptx/types/internal";
import { STANDARD, UsageError } from "./framework.js";

/** A parsed value of `--arg`. */
export type ArgumentWord =
  | { readonly kind: "value"; readonly argument: TypedArgument }
  /** A struct that is passed by value. */
  | { readonly kind: "bytes"; readonly input: string }
  /** Memory with the bytes of a file or with zeros; `output` is the file that it is written to afterwards. */
  | {
      readonly kind: "buffer";
      readonly source: { readonly input: string } | { readonly zeros: number };
      readonly output: string | undefined;
    };

const INTEGERS = { u8, s8, u16, s16, u32, s32 };
const LONG_INTEGERS = { u64, s64 };
const FLOATS = { f16, bf16, f32, f64 };
const WORDS = [
  ...Object.keys(INTEGERS),
  ...Object.keys(LONG_INTEGERS),
  ...Object.keys(FLOATS),
  "buffer",
  "zeros",
  "bytes",
];

const INTEGER = /^[+-]?(\d{1,20}|0[xX][0-9a-fA-F]{1,16})$/;

/** @throws UsageError */
export function argumentWord(word: string): ArgumentWord {
  const [type, value] = [word.replace(/=.*$/s, ""), /=(.*)$/s.exec(word)?.[1]];
  if (!WORDS.includes(type) || value === undefined) {
    const hint = didYouMean(type, WORDS);
    throw new UsageError(`expected type=value (${WORDS.join(", ")}), found ${quoted(word)}${hint}`);
  }
  if (type === "bytes") return { kind: "bytes", input: path(value, word) };
  if (type === "buffer" || type === "zeros") return bufferWord(type, value, word);
  try {
    return { kind: "value", argument: number(type, value, word) };
  } catch (error) {
    if (error instanceof ArgumentError) throw new UsageError(error.message);
    throw error;
  }
}

function number(type: string, value: string, word: string): TypedArgument {
  if (type in FLOATS) {
    const found = Number(value.replace(/^([+-]?)inf(inity)?$/i, "$1Infinity"));
    if (value.trim() === "" || (Number.isNaN(found) && value.toLowerCase() !== "nan"))
      throw notA("a number", word);
    return FLOATS[type as keyof typeof FLOATS](found);
  }
  if (!INTEGER.test(value)) throw notA("a whole number", word);
  const digits = BigInt(value.replace(/^[+-]/, ""));
  const whole = value.startsWith("-") ? -digits : digits;
  return type in LONG_INTEGERS
    ? LONG_INTEGERS[type as keyof typeof LONG_INTEGERS](whole)
    : INTEGERS[type as keyof typeof INTEGERS](Number(whole));
}

/** `in.bin:out.bin`; the colon after a drive letter is not a separator. */
function bufferWord(type: "buffer" | "zeros", value: string, word: string): ArgumentWord {
  const [, from = "", to] = /^((?:[a-zA-Z]:\\)?[^:]*)(?::(.*))?$/s.exec(value) ?? [];
  const output = to === undefined ? undefined : path(to, word);
  // On stdout the bytes would be mixed with printed text and other output.
  if (output === STANDARD) throw notA("a file to write", word);
  if (type === "buffer") return { kind: "buffer", source: { input: path(from, word) }, output };
  if (!/^\d{1,15}$/.test(from)) throw notA("a number of bytes", word);
  return { kind: "buffer", source: { zeros: Number(from) }, output };
}

function path(value: string, word: string): string {
  if (value === "" || value.includes("\0")) throw notA("a path", word);
  return value;
}

const notA = (expected: string, word: string) =>
  new UsageError(`expected ${expected}, found ${quoted(word)}`);
