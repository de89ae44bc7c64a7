// Emitters of vectors on pyribs' sphere, at a tenth of its budget: what they find, to the bit.
import { hex128 } from "@mm-ptx/types/internal";
import { describe, expect, it } from "vitest";
import {
  cmaEs,
  functionEvaluator,
  type GaussianOptions,
  gaussian,
  gridArchive,
  type IsoLineOptions,
  isoLine,
  Search,
  vectorSpace,
} from "../../src/index.js";
import { isError } from "../archives/support.js";
import { searchSphere } from "./sphere.js";

describe("emitters of vectors", () => {
  // pyribs 0.12.0 has a QD score of 33.84 +- 0.44 (Gaussian) and 39.19 +- 0.46 (iso+line) at 54,000 evaluations.
  it.each([
    {
      name: "gaussian",
      make: () => gaussian({ sigma: 0.5 }),
      least: 31.8,
      most: 35.8,
      hash: "24c9c54d0baef6f7b322b3aed33d825e",
    },
    {
      name: "isoLine",
      make: () => isoLine({ isoSigma: 0.5, lineSigma: 0.2 }),
      least: 37.2,
      most: 41.2,
      hash: "950303aa1aeaa3c82497b02666afd9d1",
    },
  ])("$name illuminates the sphere", async ({ make, least, most, hash }) => {
    const { archive } = await searchSphere(20, [make()], 100);
    expect(archive.qdScore / 1e4).toBeGreaterThan(least);
    expect(archive.qdScore / 1e4).toBeLessThan(most);
    expect(hex128(archive.hash())).toBe(hash);
  });

  it("refuses wrong options, vectors of another length and other spaces", async () => {
    expect(() => gaussian({} as GaussianOptions)).toThrow(isError("INVALID_ARGUMENT"));
    expect(() => gaussian({ sigma: [1, -1] })).toThrow(isError("INVALID_ARGUMENT"));
    expect(() => isoLine({ lineSigma: Number.NaN } as IsoLineOptions)).toThrow(isError("INVALID_ARGUMENT"));
    const emitters = [gaussian({ sigma: [1, 1] }), isoLine({ x0: [1] })];
    for (const emitter of emitters) {
      await expect(searchSphere(20, [emitter], 1)).rejects.toThrow(isError("INVALID_ARGUMENT"));
    }
  });

  it.each([
    () => cmaEs({ sigma0: 1, x0: [1, 99] }),
    () => gaussian({ sigma: 1, x0: [1, 99] }),
    () => isoLine({ x0: [1, 99] }),
  ])("refuses a first vector that is out of bounds: %#", (make) => {
    const search = new Search({
      space: vectorSpace({
        bounds: [
          [0, 2],
          [-5, 5],
        ],
      }),
      archive: gridArchive({ axes: [{ name: "none", min: 0, max: 1 }] }),
      emitters: [make()],
      evaluator: functionEvaluator({
        ...{ name: "none", measures: ["none"] },
        score: () => ({ objective: 1, measures: [0] }),
      }),
    });
    expect(() => search.ask()).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: "expected a number from -5 to 5 in `x0[1]`, found 99",
      }),
    );
  });
});
