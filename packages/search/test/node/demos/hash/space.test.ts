import { evaluateBatch } from "@mm-ptx/columns";
import { parseStub } from "@mm-ptx/columns/stub";
import { CodeBuffer } from "@mm-ptx/types/code";
import fc from "fast-check";
import { expect, it, test } from "vitest";
import { cases } from "../../../../../../tests/support/counts.js";
import { Draws } from "../../../../src/draws.js";
import {
  hash32,
  hashC,
  hashStub,
  hashText,
  KNOWN_HASHES,
  parseHash,
} from "../../../../src/node/demos/hash/hash-function.js";
import { hashSpace } from "../../../../src/node/demos/hash/space.js";

const space = hashSpace();
const genomeOf = (words: Uint32Array) => ({ words, start: 0, end: words.length });

test("genomes of all operators are valid, and equal their texts", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
      const draws = new Draws();
      draws.start(seed, 0, 0);
      const genomes = new CodeBuffer();
      for (let made = 0; made < 3; made++) space.sample(draws, genomes);
      for (const [operator] of space.operators.entries()) {
        const { words, offsets } = genomes;
        const at = (index: number) => ({ words, start: offsets[index]!, end: offsets[index + 1]! });
        space.vary(operator, at(operator), at(operator + 1), draws, genomes);
      }
      const signatures = new Set<string>();
      const texts = new Set<string>();
      for (let index = 0; index < genomes.count; index++) {
        const words = genomes.words.slice(genomes.offsets[index], genomes.offsets[index + 1]);
        space.check(genomeOf(words));
        expect(space.parse(space.text(genomeOf(words)))).toEqual(words);
        const signature = new Uint32Array(4);
        space.signature(genomeOf(words), signature);
        signatures.add(signature.join());
        texts.add(space.text(genomeOf(words)));
      }
      expect(signatures.size).toBe(texts.size);
    }),
    { numRuns: cases(500) },
  );
});

it("refuses genomes with other words", () => {
  expect(() => space.check(genomeOf(Uint32Array.of(16, 15, 16, 3)))).toThrow(/genome of 5 words.*found 4/);
  expect(() => space.check(genomeOf(Uint32Array.of(16, 15, 16, 3, 4)))).toThrow(/odd multiplier as word 4/);
  expect(() => space.check(genomeOf(Uint32Array.of(16, 3, 16, 3, 3)))).toThrow(
    /shift from 14 to 17 as word 1/,
  );
  for (const text of ["", "16", "16 7feb352c 15", "16 7feb352d", "32 3 15", "16 x 15"])
    expect(() => space.parse(text), text).toThrow(/^expected /);
});

test("texts", () => {
  const [murmur, lowbias, , triple] = KNOWN_HASHES;
  expect(hashText(lowbias!)).toBe("16 7feb352d 15 846ca68b 16");
  expect(parseHash(hashText(triple!))).toEqual({ shifts: triple!.shifts, multipliers: triple!.multipliers });
  expect(hashC(murmur!, "fmix32").split("\n")).toEqual([
    "uint32_t fmix32(uint32_t x)",
    "{",
    "    x ^= x >> 16;",
    "    x *= 0x85ebca6bu;",
    "    x ^= x >> 13;",
    "    x *= 0xc2b2ae35u;",
    "    x ^= x >> 16;",
    "    return x;",
    "}",
  ]);
});

test("the stub computes the function", async () => {
  const operands = [
    { name: "x", direction: "mod", type: "u32", register: "x", registerType: "u32" },
  ] as const;
  const inputs = Uint32Array.from({ length: 64 }, (_, row) => Math.imul(row, 0x9e3779b1));
  for (const hash of KNOWN_HASHES) {
    const code = parseStub(hashStub(hash), operands);
    const { outputs } = await evaluateBatch(code, [inputs], { outputs: true });
    expect([...(outputs!.column(0) as Uint32Array)]).toEqual([...inputs].map((input) => hash32(hash, input)));
  }
});
