// Pieces of real PTX, damaged at random.
import fc from "fast-check";
import { anywhere } from "../../../../tests/support/place.js";
import { TEXTS } from "./texts.js";

/** Checking takes longer than reading, so only a piece of a long text is damaged. */
const PIECE = 4_000;

const PIECES = [
  "{",
  "}",
  "(",
  ")",
  ";",
  ":",
  ",",
  '"',
  "/*",
  "*/",
  "//",
  "\n",
  "@",
  ".func",
  ".reg",
  ".section x",
  ".loc 1",
  "%",
  "é",
  "0x",
  "<",
  "=",
];

const piece = fc.tuple(fc.constantFrom(...TEXTS), anywhere).map(([{ text }, at]) => {
  const start = Math.floor(at * Math.max(0, text.length - PIECE));
  return text.slice(start, start + PIECE);
});

/** Flips, cuts, insertions and repetitions at random places. */
export const damaged = fc
  .tuple(
    piece,
    fc.array(
      fc.record({
        kind: fc.constantFrom("flip", "cut", "insert", "repeat"),
        at: anywhere,
        length: fc.integer({ min: 0, max: 60 }),
        text: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4, unit: "binary" })),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  )
  .map(([text, damages]) =>
    damages.reduce((whole, { kind, at, length, text: other }) => {
      const start = Math.floor(at * whole.length);
      const [before, middle, after] = [
        whole.slice(0, start),
        whole.slice(start, start + length),
        whole.slice(start + length),
      ];
      if (kind === "cut") return before + after;
      if (kind === "insert") return before + other + middle + after;
      if (kind === "repeat") return before + middle + middle + after;
      const flipped = String.fromCharCode(whole.charCodeAt(start) ^ (1 << (length % 8)));
      return before + flipped + whole.slice(start + 1);
    }, text),
  );
