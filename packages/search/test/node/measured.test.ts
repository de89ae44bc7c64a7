// What is measured is data of a run: a run that is resumed or replayed reads it.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Evaluator } from "../../src/index.js";
import { openRun, replayRun, resumeRun } from "../../src/node/index.js";
import { edit, hashOf, linesOf, runFor, withFolder, wordSearch } from "../support/recorded.js";

/** The evaluator of `wordSearch`, whose objectives are measured: they are other ones each time. */
function measuring(): Evaluator {
  const { evaluator } = wordSearch();
  return {
    ...{ description: "measuring", measures: evaluator.measures, failures: evaluator.failures },
    async evaluate(candidates, evaluation) {
      const scores = await evaluator.evaluate(candidates, evaluation);
      const { measurements, batch } = evaluation;
      const kept = measurements?.find("clock", batch);
      const objective = kept ?? scores.objective.map((value) => value - Math.random());
      if (kept === undefined) measurements?.keep("clock", batch, objective);
      return { ...scores, objective };
    },
  };
}

const search = () => wordSearch({ evaluator: measuring() });

it("a run that is resumed or replayed has the same measurements", async () => {
  await withFolder(async (folder) => {
    const first = search();
    using run = await openRun(folder, first);
    await runFor(run, 5);
    await runFor(run, 3);
    run.dispose();
    rmSync(join(folder, "archive-5.bin"));
    rmSync(join(folder, "archive-8.bin"));
    const second = search();
    using resumed = await resumeRun(folder, second);
    expect([resumed.recomputed, hashOf(second)]).toEqual([8, hashOf(first)]);
    await runFor(resumed, 4);
    resumed.dispose();
    const replayed = await replayRun(folder, search());
    expect(replayed).toEqual({ batches: 12, hash: linesOf(folder).at(-1).hash });
    expect(linesOf(folder).filter(({ measured }) => measured === "clock").length).toBe(12);
    edit(join(folder, "log.jsonl"), (text) => text.replace(/.*"measured":"clock","batch":3.*\n/, ""));
    await expect(replayRun(folder, search())).rejects.toThrow(
      expect.objectContaining({
        code: "RUN_MISMATCH",
        message: "expected what `clock` measured in batch 3 in the log, found nothing",
      }),
    );
  });
});
