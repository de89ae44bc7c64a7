// f32 instructions against exact arithmetic: special values of the manual, all pairs of special values, random ones.
import { describe, expect, it } from "vitest";
import { rare } from "../../../tests/support/counts.js";
import { float32Function } from "../src/index.js";
import { bitsOf, CATALOGUE, floatOf, hex, Random, SPECIALS } from "./support/cases.js";
import { expectedBits } from "./support/oracle.js";

const SEED = 0x5eed;

/** JavaScript has one NaN, whose sign does not matter. */
const plain = (bits: number): number => bitsOf(floatOf(bits));

function check(ptx: string, evaluate: (...args: number[]) => number, args: readonly number[]): void {
  const seen = args.map(plain);
  const found = bitsOf(evaluate(...seen.map(floatOf)));
  const expected = plain(expectedBits(ptx, seen));
  if (found !== expected) {
    expect.fail(`${ptx} ${args.map(hex).join(", ")}: expected ${hex(expected)}, found ${hex(found)}`);
  }
}

describe.each(Object.entries(CATALOGUE))("%s", (ptx, arity) => {
  const evaluate = float32Function(ptx);

  it("is exact for special values", () => {
    for (const a of SPECIALS) {
      for (const b of arity > 1 ? SPECIALS : [0]) {
        for (const c of arity > 2 ? SPECIALS.filter((_, i) => i % 5 < 2) : [0]) {
          check(ptx, evaluate, [a, b, c].slice(0, arity));
        }
      }
    }
  });

  it("is exact for random values", { timeout: 600_000 }, () => {
    const random = new Random(SEED);
    for (let i = rare(200_000); i > 0; i--) {
      check(
        ptx,
        evaluate,
        Array.from({ length: arity }, () => random.bits()),
      );
    }
  });
});
