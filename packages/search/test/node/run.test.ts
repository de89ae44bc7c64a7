// Recorded runs: what is written, how they go on, and what is refused.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeRun, loadRun, openRun, replayRun, resumeRun } from "../../src/node/index.js";
import {
  edit,
  fails,
  hashAfter,
  hashOf,
  linesOf,
  recorded,
  runFor,
  withFolder,
  wordSearch,
} from "../support/recorded.js";

describe("a recorded run", () => {
  it("has its description, a line for each batch and each new elite, and a snapshot", async () => {
    await withFolder(async (folder) => {
      const search = wordSearch();
      using run = await openRun(folder, search, { source: { config: "search.mjs" } });
      const events = (await runFor(run, 12)).filter((event) => event.type === "batch");
      expect(readdirSync(folder).sort()).toEqual(["archive-12.bin", "lock", "log.jsonl", "search.json"]);
      expect(describeRun(folder)).toEqual({
        description: search.description,
        source: { config: "search.mjs" },
        versions: { "@mm-ptx/search": expect.stringMatching(/^\d+\.\d+\.\d+$/), node: process.version },
      });
      const lines = linesOf(folder);
      const batches = lines.filter((line) => "evaluated" in line);
      const elites = lines.filter((line) => "elite" in line);
      expect(batches.length + elites.length).toBe(lines.length);
      expect(batches.map(({ batch }) => batch)).toEqual([...events.keys()]);
      expect(batches.map(({ evaluations }) => evaluations)).toEqual(
        events.map(({ evaluations }) => evaluations),
      );
      expect(batches.at(-1)).toMatchObject({
        elites: search.archive.count,
        qdScore: search.archive.qdScore,
        best: search.archive.objective(search.archive.best),
        hash: Array.from(search.hash(), (word) => word.toString(16).padStart(8, "0")).join(""),
      });
      expect(batches.some(({ failures }) => failures.UNLUCKY > 0)).toBe(true);
      // The last line of a cell is that of its elite.
      const last = new Map(elites.map((line) => [line.cell, line]));
      expect(last.size).toBe(search.archive.count);
      const genome = { words: new Uint32Array(0), start: 0, end: 0 };
      for (const [cell, line] of last) {
        const elite = search.archive.at(cell);
        search.archive.genome(elite, genome);
        const words = [...genome.words.subarray(genome.start, genome.end)];
        expect(line).toMatchObject({
          elite: search.archive.serial(elite),
          objective: search.archive.objective(elite),
          measures: [search.archive.measure(elite, 0), search.archive.measure(elite, 1)],
          genome: words.map((word) => word.toString(16).padStart(8, "0")).join(""),
        });
      }
      // Parents are elites of earlier batches.
      const known = new Set(elites.map(({ elite }) => elite));
      const children = elites.filter(({ parents }) => parents.length > 0);
      expect(children.length).toBeGreaterThan(10);
      expect(children.every(({ parents }) => parents.every((parent: number) => known.has(parent)))).toBe(
        true,
      );
      expect(children.every(({ operator }) => typeof operator === "string")).toBe(true);
    });
  });

  it.each([0, 1] as const)("goes on where it was, with batches made %i ahead", async (ahead) => {
    const expected = await hashAfter(40, wordSearch({ ahead }));
    await withFolder(async (folder) => {
      for (const batches of [7, 1, 12, 20]) {
        using run = await openRun(folder, wordSearch({ ahead }));
        expect(run.recomputed).toBe(0);
        await runFor(run, batches);
      }
      expect(readdirSync(folder).sort()).toEqual([
        "archive-20.bin",
        "archive-40.bin",
        "log.jsonl",
        "search.json",
      ]);
      const search = wordSearch({ ahead });
      using run = await resumeRun(folder, search);
      expect(hashOf(search)).toBe(expected);
      expect(search.batches).toBe(40);
      expect(run.history.evaluations.length).toBe(40);
    });
  });

  it("computes batches again that are newer than its last whole snapshot, and writes another one", async () => {
    await withFolder(async (folder) => {
      await recorded(folder, 10);
      await recorded(folder, 10);
      const log = readFileSync(join(folder, "log.jsonl"));
      const damage = (name: string) =>
        edit(join(folder, name), (text) => `${text.slice(0, 200)}x${text.slice(201)}`);
      const torn = (name: string) => edit(join(folder, name), (text) => text.slice(0, -1));
      for (const [spoil, names, recomputed] of [
        [damage, ["archive-20.bin"], 10],
        [torn, ["archive-20.bin"], 10],
        [damage, ["archive-10.bin", "archive-20.bin"], 20],
        [(name: string) => rmSync(join(folder, name)), ["archive-10.bin", "archive-20.bin"], 20],
        [damage, [], 0],
      ] as const) {
        names.forEach(spoil);
        using run = await resumeRun(folder, wordSearch());
        expect([run.recomputed, run.search.batches, run.snapshotBatches]).toEqual([recomputed, 20, 20]);
        expect(readFileSync(join(folder, "log.jsonl")).equals(log)).toBe(true);
        expect(run.history.evaluations.length).toBe(20);
        expect(run.damagedAt).toBe(undefined);
      }
      const search = wordSearch();
      using run = await resumeRun(folder, search);
      await runFor(run, 5);
      expect(hashOf(search)).toBe(await hashAfter(25));
    });
  });

  it("loses an unfinished batch alone wherever its log is cut off", async () => {
    await withFolder(async (folder) => {
      await recorded(folder, 4);
      rmSync(join(folder, "archive-4.bin"));
      const log = readFileSync(join(folder, "log.jsonl"));
      const lineEnds: number[] = [];
      for (let at = log.indexOf("\n"); at >= 0; at = log.indexOf("\n", at + 1)) lineEnds.push(at + 1);
      const lines = linesOf(folder);
      const batchEnds = [0, ...lineEnds.filter((_, index) => "evaluated" in lines[index])];
      for (let cut = log.length; cut >= 0; cut -= 797) {
        writeFileSync(join(folder, "log.jsonl"), log.subarray(0, cut));
        using run = await resumeRun(folder, wordSearch());
        const whole = batchEnds.filter((end) => end <= cut);
        expect(run.recomputed).toBe(whole.length - 1);
        expect(readFileSync(join(folder, "log.jsonl")).length).toBe(whole.at(-1));
        run.dispose();
        for (const name of readdirSync(folder)) if (name.startsWith("archive-")) rmSync(join(folder, name));
      }
    });
  });

  it("goes on after a damaged line that its snapshot covers, and says where it is", async () => {
    await withFolder(async (folder) => {
      await recorded(folder, 4);
      const log = join(folder, "log.jsonl");
      const [first = ""] = readFileSync(log, "utf8").split("\n", 1);
      edit(log, (text) => text.replace(/\n\{"elite":1/, '\n{"elite":2'));
      using run = await resumeRun(folder, wordSearch());
      await runFor(run, 2);
      expect([run.damagedAt, run.search.batches, run.recomputed]).toEqual([first.length + 1, 6, 0]);
    });
  });

  it("can be looked at without its log, and says when the log is newer", async () => {
    await withFolder(async (folder) => {
      await recorded(folder, 3);
      const old = readFileSync(join(folder, "archive-3.bin"));
      await recorded(folder, 2);
      const look = async () => {
        const search = wordSearch();
        const { batches, hasNewer } = await loadRun(folder, search);
        return [batches, hasNewer, search.batches];
      };
      expect(await look()).toEqual([5, false, 5]);
      edit(join(folder, "log.jsonl"), (text) => text.slice(0, -1));
      expect(await look()).toEqual([5, false, 5]);
      rmSync(join(folder, "archive-5.bin"));
      writeFileSync(join(folder, "archive-3.bin"), old);
      expect(await look()).toEqual([3, true, 3]);
      rmSync(join(folder, "archive-3.bin"));
      expect(await look()).toEqual([0, true, 0]);
      rmSync(join(folder, "log.jsonl"));
      expect(await look()).toEqual([0, false, 0]);
    });
  });

  it("writes snapshots while it runs, and keeps two", async () => {
    await withFolder(async (folder) => {
      using run = await openRun(folder, wordSearch(), { snapshotSeconds: 1e-9 });
      for await (const event of run.run({ batches: 4 })) {
        if (event.type !== "batch") continue;
        expect(run.snapshotBatches).toBe(event.batch.number + 1);
        expect(readdirSync(folder).filter((name) => name.startsWith("archive-")).length).toBeLessThanOrEqual(
          2,
        );
      }
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(["archive-3.bin", "archive-4.bin"]));
    });
  });

  it("is on disk when its loop is left early, and after an abort", async () => {
    await withFolder(async (folder) => {
      using run = await openRun(folder, wordSearch());
      for await (const event of run.run()) if (event.type === "batch" && event.batch.number === 2) break;
      expect(run.snapshotBatches).toBe(3);
      const controller = new AbortController();
      for await (const event of run.run({ signal: controller.signal }))
        if (event.type === "batch" && event.batch.number === 5) controller.abort();
      expect(run.snapshotBatches).toBe(6);
      run.dispose();
      const search = wordSearch();
      using _ = await resumeRun(folder, search);
      expect(hashOf(search)).toBe(await hashAfter(6));
    });
  });

  it("lets timers and signals have their turn", async () => {
    await withFolder(async (folder) => {
      using run = await openRun(folder, wordSearch());
      let batches = 0;
      for await (const _ of run.run({ signal: AbortSignal.timeout(100) })) batches++;
      expect(batches).toBeGreaterThan(1);
    });
  });
});

describe("a replay", () => {
  it("computes a run again, and says where it diverges", async () => {
    await withFolder(async (folder) => {
      await recorded(folder, 9);
      const seen: number[] = [];
      const search = wordSearch();
      const replayed = await replayRun(folder, search, { onBatch: ({ batch }) => seen.push(batch) });
      expect(replayed).toEqual({ batches: 9, hash: linesOf(folder).at(-1).hash });
      expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
      expect((await replayRun(folder, wordSearch(), { batches: 4 })).batches).toBe(4);
      expect(hashOf(search)).toBe(await hashAfter(9));
      const controller = new AbortController();
      controller.abort();
      await expect(replayRun(folder, wordSearch(), { signal: controller.signal })).rejects.toThrow(
        fails("ABORTED", "the signal was aborted while batches of a run were computed again"),
      );
    });
  });

  it("finds a random number that is another one", async () => {
    await withFolder(async (folder) => {
      await recorded(folder, 9);
      const search = wordSearch();
      const { space } = search;
      const vary = space.vary.bind(space);
      let calls = 0;
      space.vary = (operator, parent, other, draws, out) => {
        if (++calls % 20 === 0) draws.word();
        vary(operator, parent, other, draws, out);
      };
      const { divergence, batches } = await replayRun(folder, search);
      expect(divergence?.batch).toBe(batches);
      expect(divergence?.expected).not.toBe(divergence?.found);
    });
  });
});

describe("a run can be looked at", () => {
  it("while it is written", async () => {
    await withFolder(async (folder) => {
      using run = await openRun(folder, wordSearch());
      await runFor(run, 8);
      const search = wordSearch();
      const { batches, history } = await loadRun(folder, search);
      expect(batches).toBe(8);
      expect(hashOf(search)).toBe(hashOf(run.search));
      expect([...history.evaluations]).toEqual(
        linesOf(folder)
          .filter((line) => "evaluated" in line)
          .map(({ evaluations }) => evaluations),
      );
    });
  });
});
