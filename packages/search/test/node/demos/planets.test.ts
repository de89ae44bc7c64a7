import { expect, it } from "vitest";
import { planetsDemo } from "../../../src/node/demos/planets/demo.js";
import { DEMOS } from "../../../src/node/index.js";

it("finds Kepler's third law", async () => {
  expect(DEMOS).toContain("planets");
  const { lines, files } = await planetsDemo({ seconds: 600, seed: 1, workers: 1, progress: () => {} });
  const text = lines.join("\n");
  expect(text).toMatch(/^>>>> .*distance/m);
  expect(lines.at(-1)).toBe("period^2 = distance^3: Kepler's third law, 1619.");
  expect(files["planets.svg"]).toMatch(/^<svg /);
  expect(files["planets.csv"]).toMatch(/^mass,radius,distance,period\n/);
});

it("says what it has if it is ended at once", async () => {
  const { lines } = await planetsDemo({
    ...{ seconds: 600, seed: 1, workers: 1, progress: () => {}, signal: AbortSignal.abort() },
  });
  expect(lines.at(-1)).toBe("no equation was found");
});
