import { expect, it } from "vitest";
import { problemsOf, SPHERE_SEARCHES, searchSphere } from "../../src/yardsticks/index.js";
import { recover } from "../../src/yardsticks/recovery.js";

it("finds what pyribs finds", async () => {
  const search = SPHERE_SEARCHES.find(({ key }) => key === "line20")!;
  const [mean, deviation] = search.scores[54000]!;
  const { scores, coverage } = await searchSphere({ ...search, scores: { 54000: [mean, deviation] } }, 1);
  expect(Math.abs(scores[54000]! - mean)).toBeLessThan(4 * deviation);
  expect(coverage).toBeGreaterThan(40);
});

it("recovers a formula, and stops for a signal", async () => {
  const [problem] = problemsOf("nguyen");
  const found = await recover(problem!, 1);
  expect(found).toMatchObject({ isRecovered: true, formula: expect.any(String) });
  expect(found.evaluations).toBeLessThan(100_000);
  await expect(recover(problem!, 1, AbortSignal.abort())).rejects.toThrow("aborted");
  await expect(searchSphere(SPHERE_SEARCHES[0]!, 1, AbortSignal.abort())).rejects.toThrow("aborted");
});
