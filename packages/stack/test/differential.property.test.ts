// The compiler against the plain reference on random tables, limits, programs and jobs: equal text or equal error.
import { expect, it } from "vitest";
import { smoke } from "../../../tests/support/counts.js";
import * as stack from "../src/index.js";
import { runDifferential } from "./support/differential.js";
import { runSeed } from "./support/random.js";

it("agrees with the plain reference", { timeout: 900_000 }, () => {
  const { texts, codes } = runDifferential(stack, runSeed(), smoke(200_000));
  // The cases mean something only if there are enough of either kind.
  expect(texts).toBeGreaterThan(smoke(200_000) / 2);
  expect(codes.size).toBeGreaterThan(8);
});
