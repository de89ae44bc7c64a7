// Runs that are refused, and what the errors say.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeRun, openRun, replayRun, resumeRun } from "../../src/node/index.js";
import { edit, fails, recorded, runFor, withFolder, wordSearch } from "../support/recorded.js";

describe("a run is refused", () => {
  it("while another one has its folder", async () => {
    await withFolder(async (folder) => {
      using first = await openRun(folder, wordSearch());
      await expect(openRun(folder, wordSearch())).rejects.toThrow(
        fails("RUN_LOCKED", `can't open the run \`${folder}\`: another thread of this process has it open`),
      );
      await runFor(first, 1);
      first.dispose();
      first.dispose();
      expect(existsSync(join(folder, "lock"))).toBe(false);
      await expect(runFor(first, 1)).rejects.toThrow(
        fails("DISPOSED", "expected an open run, found a disposed one"),
      );
      using second = await openRun(folder, wordSearch());
      expect(second.search.batches).toBe(1);
    });
  });

  it("for another search, another version or a search that has run", async () => {
    await withFolder(async (folder) => {
      await recorded(folder, 2);
      const found = (where: string, expected: string, other: string) =>
        fails(
          "RUN_MISMATCH",
          `expected the search of the run \`${folder}\`, found another one: \`${where}\` of the run is \`${expected}\`, and of the search \`${other}\``,
        );
      await expect(openRun(folder, wordSearch({ seed: 6 }))).rejects.toThrow(
        found("description.seed", "5", "6"),
      );
      await expect(replayRun(folder, wordSearch({ batchSize: 33 }))).rejects.toThrow(
        found("description.batchSize", "32", "33"),
      );
      const used = wordSearch();
      await runFor(used, 1);
      await expect(openRun(folder, used)).rejects.toThrow(
        fails("INVALID_ARGUMENT", "expected a search that has not run yet, found one after 1 batches"),
      );
      const { versions } = describeRun(folder);
      const version = versions["@mm-ptx/search"]!;
      edit(join(folder, "search.json"), (text) => text.replace(version, "0.0.7"));
      await expect(openRun(folder, wordSearch())).rejects.toThrow(
        found('versions["@mm-ptx/search"]', '"0.0.7"', JSON.stringify(version)),
      );
      edit(join(folder, "search.json"), (text) => text.replace('"format": 1', '"format": 2'));
      await expect(resumeRun(folder, wordSearch())).rejects.toThrow(found("format", "2", "1"));
    });
  });

  it("in a folder without a run, or with one, or with a part of one", async () => {
    await withFolder(async (folder) => {
      await expect(resumeRun(join(folder, "none"), wordSearch())).rejects.toThrow(
        fails("NOT_FOUND", `expected a run in \`${join(folder, "none")}\`, found no \`search.json\``),
      );
      expect(existsSync(join(folder, "none"))).toBe(false);
      await recorded(folder, 1, { mode: "new" });
      await expect(openRun(folder, wordSearch(), { mode: "new" })).rejects.toThrow(
        fails("RECORD", `expected a folder without a run, found one in \`${folder}\``),
      );
      rmSync(join(folder, "search.json"));
      await expect(openRun(folder, wordSearch())).rejects.toThrow(
        fails(
          "RECORD",
          `expected no files of a run without its \`search.json\` in \`${folder}\`, found \`archive-1.bin\``,
        ),
      );
      expect(readdirSync(folder).sort()).toEqual(["archive-1.bin", "log.jsonl"]);
      writeFileSync(join(folder, "file"), "");
      await expect(openRun(join(folder, "file", "run"), wordSearch())).rejects.toThrow(
        fails("RECORD", /^can't open the run/),
      );
      mkdirSync(join(folder, "odd"));
      writeFileSync(join(folder, "odd", "search.json"), "{");
      await expect(openRun(join(folder, "odd"), wordSearch())).rejects.toThrow(
        fails("FILE_FORMAT", /^expected JSON in the `search.json`/),
      );
      for (const text of ["null", "[]", '{"format":1}']) {
        writeFileSync(join(folder, "odd", "search.json"), text);
        await expect(openRun(join(folder, "odd"), wordSearch())).rejects.toThrow(
          fails("FILE_FORMAT", /^expected the description of a run in the `search.json`/),
        );
      }
      for (const path of ["", "a\0b", 1 as never])
        await expect(openRun(path, wordSearch())).rejects.toThrow(
          fails("INVALID_ARGUMENT", /^expected a folder for a run, found/),
        );
      await expect(openRun(folder, {} as never)).rejects.toThrow(
        fails("INVALID_ARGUMENT", "expected a `Search`, found an object"),
      );
      await expect(openRun(folder, wordSearch(), { mode: "old" as never })).rejects.toThrow(
        fails("INVALID_ARGUMENT", "option `mode`: expected `new` or `resume`, found `old`"),
      );
    });
  });

  it("whose log has lost batches that its snapshot has", async () => {
    await withFolder(async (folder) => {
      await recorded(folder, 3);
      const path = join(folder, "log.jsonl");
      const log = readFileSync(path);
      await recorded(folder, 5);
      const { length } = readFileSync(path);
      writeFileSync(path, log);
      await expect(resumeRun(folder, wordSearch())).rejects.toThrow(
        fails(
          "FILE_FORMAT",
          `expected ${length} bytes or more in \`${path}\`, which the snapshot of 8 batches goes on from, found ${log.length}; without the snapshots, the run goes on from what the log has`,
        ),
      );
      await expect(replayRun(folder, wordSearch())).rejects.toThrow(
        fails("FILE_FORMAT", `expected 8 batches in \`${path}\`, as in the last snapshot, found 3`),
      );
      expect((await replayRun(folder, wordSearch(), { batches: 3 })).batches).toBe(3);
      rmSync(join(folder, "archive-8.bin"));
      using run = await resumeRun(folder, wordSearch());
      expect([run.search.batches, run.recomputed]).toEqual([3, 0]);
    });
  });

  it("whose log is damaged, or says something else", async () => {
    await withFolder(async (folder) => {
      await recorded(folder, 6);
      const log = join(folder, "log.jsonl");
      copyFileSync(log, `${log}.copy`);
      rmSync(join(folder, "archive-6.bin"));
      edit(log, (text) => text.replace('"objective":', '"objectivE":'));
      await expect(resumeRun(folder, wordSearch())).rejects.toThrow(
        fails("FILE_FORMAT", `expected a whole line at byte 0 of \`${log}\`, found a damaged one`),
      );
      copyFileSync(`${log}.copy`, log);
      const other = wordSearch({
        evaluator: { ...luckier(), description: wordSearch().evaluator.description },
      });
      await expect(resumeRun(folder, other)).rejects.toThrow(
        fails(
          "RUN_MISMATCH",
          /^expected batch 0 of the run .* to be as the log says when it is computed again, found another `.*`: .* instead of /,
        ),
      );
      const { divergence } = await replayRun(
        folder,
        wordSearch({ evaluator: { ...luckier(), description: wordSearch().evaluator.description } }),
      );
      expect(divergence).toMatchObject({ batch: 0 });
    });
  });
});

/** The evaluator of `wordSearch`, with objectives that are a little better. */
function luckier() {
  const { evaluator } = wordSearch();
  return {
    ...{ description: null, measures: evaluator.measures, failures: evaluator.failures },
    async evaluate(...call: Parameters<typeof evaluator.evaluate>) {
      const scores = await evaluator.evaluate(...call);
      return { ...scores, objective: scores.objective.map((value) => value + 1) };
    },
  };
}
