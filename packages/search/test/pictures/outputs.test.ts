// Outputs of elites against targets.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { eliteOutputs, type OutputContent } from "../../src/pictures/index.js";
import { expectPicture, expectReadable, textsOf, titlesOf } from "./support/svg.js";

const wordsOf = (svg: string): string[] => textsOf(svg).map(({ words }) => words);

describe("outputs", () => {
  it("have their largest error, and that of others beside it", () => {
    const content: OutputContent = {
      ...{ x: [3, 1, 2], target: [9, 1, 4], outputs: [9.5, 1, 3], name: "elite" },
      others: [{ name: "theirs", outputs: [9, 1, 4.25] }],
    };
    const words = wordsOf(eliteOutputs(content));
    expect(words).toEqual(
      expect.arrayContaining([
        "3 cases; largest error 1 at x = 2",
        "elite, largest error 1",
        "theirs, largest error 0.25",
      ]),
    );
    expect(titlesOf(eliteOutputs(content))).toContain("elite: -1 at x = 2");
  });

  it("of several inputs are shown against the target, with the worst case always among those shown", () => {
    const target = Array.from({ length: 20_000 }, (_, i) => i);
    const outputs = target.map((value) => (value === 12_345 ? -5 : value));
    const svg = eliteOutputs({ target, outputs, name: "f" });
    expectPicture(svg);
    expect([...svg.matchAll(/<circle /g)].length).toBeLessThanOrEqual(3000);
    expect(titlesOf(svg).filter((title) => title === "f, case 12,345: -5 for 12,345")).toHaveLength(2);
    expect(wordsOf(svg)).toContain("20,000 cases; largest error 12,350 at case 12,345; 1,500 shown");
  });

  it("of many cases need few points", () => {
    const x = Float64Array.from({ length: 200_000 }, (_, i) => i / 1000);
    const svg = eliteOutputs({ x, target: x, outputs: x.map((value) => value + (value % 1)), name: "f" });
    expect(svg.length).toBeLessThan(250_000);
  });

  it("are interrupted where they are not finite", () => {
    const svg = eliteOutputs({
      x: [1, 2, 3, 4],
      target: [1, 1, 1, 1],
      outputs: [1, Number.NaN, 1, 1],
      name: "f",
    });
    expect([...svg.matchAll(/ d="(M[^"]*)"/g)].map(([, data]) => data!.split("M").length - 1)).toEqual([
      1, 2, 2,
    ]);
    expect(wordsOf(svg)).toContain("4 cases; largest error 0 at x = 1; 1 output not finite");
  });

  it("are well-formed and readable whatever the numbers are", () => {
    const number = fc.oneof(fc.double(), fc.double({ min: -10, max: 10, noNaN: true }));
    const column = (n: number) => fc.array(number, { minLength: n, maxLength: n });
    fc.assert(
      fc.property(
        fc
          .integer({ min: 0, max: 80 })
          .chain((n) => fc.tuple(column(n), column(n), column(n), column(n), column(n))),
        fc.boolean(),
        fc.string({ unit: "binary", maxLength: 40 }),
        ([x, target, outputs, low, high], hasOne, name) => {
          const content = { target, outputs, band: { name: "band", low, high }, ...(hasOne ? { x } : {}) };
          expectPicture(eliteOutputs({ ...content, name }));
          expectReadable(eliteOutputs({ ...content, name: "name" }));
        },
      ),
      { numRuns: cases(200) },
    );
  });

  it("refuse wrong arguments", () => {
    const wrong = (content: object) => () =>
      eliteOutputs({ target: [1, 2], outputs: [1, 2], name: "f", ...content } as OutputContent);
    expect(wrong({ outputs: [1] })).toThrow("expected 2 numbers as `outputs`, one for each of `target`");
    expect(wrong({ x: [1, 2, 3] })).toThrow("expected 2 numbers as `x`");
    expect(wrong({ name: undefined })).toThrow("option `name`: expected a string, found undefined");
    expect(wrong({ band: { name: "b", low: [1, 2], high: [] } })).toThrow(
      "expected 2 numbers as `band.high`",
    );
    expect(wrong({ others: [{ name: 1 }] })).toThrow("expected a string as `others[0].name`, found 1");
    expect(wrong({ outptus: [] })).toThrow(
      "unknown option `outptus` of `eliteOutputs`, did you mean `outputs`?",
    );
  });
});
