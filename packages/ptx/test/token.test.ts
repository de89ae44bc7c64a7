// Tokens: the kinds that ptxas sees in each piece of text, and that the tokens add up to the text.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../tests/support/counts.js";
import { type TokenName, Tokens, tokenize } from "../src/index.js";

/** The tokens of a text except blanks, each as kind and text. */
function tokensOf(text: string): [kind: TokenName, text: string][] {
  const tokens = tokenize(text);
  return Array.from({ length: tokens.count }, (_, token): [TokenName, string] => [
    tokens.kind(token),
    tokens.textOf(token),
  ]).filter(([kind]) => kind !== "blank");
}

/** Pieces of text that are one token each. */
const PIECES: Readonly<Record<Exclude<TokenName, "blank" | "unknown">, readonly string[]>> = {
  comment: ["// PTX_INJECT_START a", "/* one\n two */", "/**/", "//", "// é"],
  directive: [".entry", ".b32", ".v4", ".1d", ".shared::cta", ".L2::128B", ".2d", "._x"],
  word: [
    "add.ftz.f32",
    "%tid.x",
    "$L__BB0_1",
    "_x0",
    "_",
    "%r1",
    "a$b",
    "WARP_SZ",
    "tex.2d.v4.f32.f32",
    "t.a::b.c",
  ],
  integer: ["0", "7", "16", "017", "0x1fU", "0XFF", "0b101", "12U", "0U"],
  float: [
    "0f3F800000",
    "0d3FF0000000000000",
    "0F7f800000",
    "1.5",
    "1.",
    ".5",
    "1e5",
    "1.5E-3",
    "2e+7",
    "0.25",
  ],
  string: ['""', '"a b"', '"C:\\"', '"two\nlines"', '"é"', '"// no"'],
  punctuation: [..."{}[]()<>,;:@!|+-*/%&^~?="],
};

describe("kinds", () => {
  test.each(Object.entries(PIECES))("of %s pieces", (kind, texts) => {
    for (const text of texts) expect(tokensOf(text)).toEqual([[kind, text]]);
  });

  test.each([
    "é",
    "\\",
    "`",
    "'",
    "\u0001",
    "08",
    "3a",
    "0x",
    "0b2",
    "0f3F80",
    "1e",
    "1.5f",
    "4.b8",
    '"a',
    "/* a",
    ".",
  ])("of %j are unknown", (text) => {
    expect(tokensOf(text).map(([kind]) => kind)).toContain("unknown");
    expect(tokenize(text).hasBad).toBe(true);
  });

  test("of pieces without blanks between them", () => {
    expect(tokensOf("@!%p1 mov.u32\t%r1,-3;//x\r\n$L:{%f1|_}").map(([, text]) => text)).toEqual([
      "@",
      "!",
      "%p1",
      "mov.u32",
      "%r1",
      ",",
      "-",
      "3",
      ";",
      "//x",
      "$L",
      ":",
      "{",
      "%f1",
      "|",
      "_",
      "}",
    ]);
    expect(tokensOf(".visible.entry k(.param.u64 p)").map(([, text]) => text)).toEqual([
      ".visible",
      ".entry",
      "k",
      "(",
      ".param",
      ".u64",
      "p",
      ")",
    ]);
    expect(tokensOf("a%b 3%4 5% 6").map(([, text]) => text)).toEqual(["a", "%b", "3", "%4", "5", "%", "6"]);
    expect(tokensOf("0x1e+3 1e+3").map(([, text]) => text)).toEqual(["0x1e", "+", "3", "1e+3"]);
  });

  test("of a preprocessor line are a comment at the beginning of a line only", () => {
    expect(tokensOf('# 1 "a.cu"\nret; # x')).toEqual([
      ["comment", '# 1 "a.cu"'],
      ["word", "ret"],
      ["punctuation", ";"],
      ["unknown", "#"],
      ["word", "x"],
    ]);
  });

  test("of NULs are blank at the end of the text, where they end the string of a C program", () => {
    for (const end of ["\0", "\0\0", " \0"]) {
      expect(tokensOf(`ret;${end}`)).toEqual(tokensOf("ret;"));
      expect(tokenize(`ret;${end}`).hasBad).toBe(false);
    }
    for (const text of ["\0ret;", "ret;\0\n", "ret;\u0001\0", "ret;\0é"])
      expect(tokenize(text).hasBad).toBe(true);
  });

  test("end with room for one more, however many tokens there are", () => {
    for (let length = 0; length < 400; length++) {
      const tokens = tokenize(";".repeat(length));
      expect(tokens.kinds.length).toBeGreaterThan(tokens.count);
      expect(tokens.skipBlanks(length)).toBe(length);
    }
  });

  test("of tokens that do not exist are unknown", () => {
    const tokens = tokenize("a");
    expect([tokens.count, tokens.kind(0), tokens.kind(1), tokens.kind(-1)]).toEqual([
      1,
      "word",
      "unknown",
      "unknown",
    ]);
    expect(tokenize("").count).toBe(0);
  });
});

describe("properties", () => {
  const piece = fc
    .constantFrom(...Object.entries(PIECES))
    .chain(([kind, texts]) => fc.constantFrom(...texts).map((text) => ({ kind: kind as TokenName, text })));
  const blank = fc.constantFrom(" ", "\t", "\n", "\r\n", "\n\n\t", " \v\f");

  test("pieces between blanks are the tokens", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, blank)), (pieces) => {
        // A line comment needs the end of its line.
        const text = pieces.map(([{ text }, gap]) => text + (text.startsWith("//") ? "\n" : gap)).join("");
        expect(tokensOf(text)).toEqual(pieces.map(([{ kind, text }]) => [kind, text]));
      }),
      { numRuns: cases(5_000) },
    );
  });

  test("the tokens cover any text, and reused arrays give the same result", () => {
    const tokens = new Tokens();
    const mixed = fc.array(
      fc.oneof(
        piece.map(({ text }) => text),
        fc.string({ unit: "binary" }),
      ),
    );
    fc.assert(
      fc.property(mixed, (parts) => {
        const text = parts.join("");
        tokens.read(text);
        let printed = "";
        for (let token = 0; token < tokens.count; token++) {
          expect(tokens.end(token)).toBeGreaterThan(tokens.start(token));
          printed += tokens.textOf(token);
        }
        expect(printed).toBe(text);
        const fresh = tokenize(text);
        expect(fresh.kinds.subarray(0, fresh.count)).toEqual(tokens.kinds.subarray(0, tokens.count));
        expect(fresh.hasBad).toBe(tokens.hasBad);
      }),
      { numRuns: cases(10_000) },
    );
  });
});
