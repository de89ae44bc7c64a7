// Searches whose candidates a model screens: what they depend on, what they report, and what is refused.
import { Table, Trees } from "@mm-ptx/learn";
import { table } from "@mm-ptx/stack/default";
import { describe, expect, it } from "vitest";
import {
  columnsEvaluator,
  evolve,
  gridArchive,
  measures,
  type ScreeningOptions,
  Search,
  stackSpace,
} from "../../src/index.js";
import { openRun, replayRun, resumeRun } from "../../src/node/index.js";
import { fails, hashOf, linesOf, runFor, withFolder } from "../support/recorded.js";
import { batchesOf, bowl, predictionsOf, screenedSearch } from "../support/screened.js";

const ENTERS: ScreeningOptions = { predicts: "enters" };

describe.each<[string, ScreeningOptions]>([
  ["trees", ENTERS],
  ["a linear model", { predicts: "objective", model: "linear" }],
  ["neighbours", { predicts: "registers", model: "neighbours", candidates: 3 }],
])("a search that is screened by %s", (_, screen) => {
  it("depends on its seed alone, and goes on from a state", async () => {
    const [one, two, other, late] = [5, 5, 6, 5].map((seed) => screenedSearch(screen, { seed }));
    const events = await batchesOf(one!, 12);
    expect(events.some((event) => event.screen!.filtered)).toBe(true);
    const first = await batchesOf(two!, 6);
    const state = structuredClone(two!.state());
    late!.restore(state);
    const second = await batchesOf(late!, 6);
    expect(predictionsOf([...first, ...second])).toEqual(predictionsOf(events));
    expect(hashOf(late!)).toBe(hashOf(one!));
    await batchesOf(other!, 12);
    expect(hashOf(other!)).not.toBe(hashOf(one!));
  });

  it("evaluates as many candidates as a batch has, and gives others no score", async () => {
    let calls = 0;
    const search = screenedSearch(screen, {}, (values) => {
      calls++;
      return bowl(values);
    });
    for (const { left, scores, evaluated, screen: report } of await batchesOf(search, 12)) {
      expect(evaluated).toBe(report!.chosen.length);
      expect(evaluated).toBeLessThanOrEqual(40);
      expect(report!.candidates).toBe(left);
      expect(report!.predicted.length).toBe(evaluated);
      expect(scores.status.length).toBe(report!.candidates);
    }
    expect(calls).toBe(search.evaluations);
  });
});

describe("a search that is screened", () => {
  it("predicts what comes: registers as they are, not their negative", async () => {
    const events = await batchesOf(screenedSearch({ predicts: "registers" }), 12);
    const { predicted, came, watch } = events.at(-1)!.screen!;
    const errors = came.map((registers, place) => Math.abs(registers - predicted[place]!));
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(1);
    expect(came.every((registers) => registers >= 0 && registers <= 16)).toBe(true);
    expect(watch.rho).toBeGreaterThan(0.9);
  });

  it("repeats an evaluation that was aborted with the same candidates", async () => {
    const whole = screenedSearch(ENTERS);
    const events = await batchesOf(whole, 10);
    const controller = new AbortController();
    let calls = 0;
    const broken = screenedSearch(ENTERS, {}, (values) => {
      if (++calls === 250) controller.abort();
      return calls === 250 ? new Promise(() => {}) : bowl(values);
    });
    for await (const event of broken.run({ signal: controller.signal })) void event;
    expect(broken.batches).toBeLessThan(10);
    const rest = await batchesOf(broken, 10 - broken.batches);
    expect(predictionsOf(rest)).toEqual(predictionsOf(events.slice(-rest.length)));
    expect(hashOf(broken)).toBe(hashOf(whole));
  });

  it("is recorded with what was predicted and what came, resumed and replayed", async () => {
    await withFolder(async (folder) => {
      const whole = screenedSearch(ENTERS, { ahead: 1 });
      const events = await batchesOf(whole, 9);
      {
        using run = await openRun(folder, screenedSearch(ENTERS, { ahead: 1 }));
        await runFor(run, 5);
      }
      using run = await resumeRun(folder, screenedSearch(ENTERS, { ahead: 1 }));
      await runFor(run, 4);
      expect(hashOf(run.search)).toBe(hashOf(whole));
      const logged = linesOf(folder).filter((line) => "screened" in line);
      const nullable = (values: Float64Array) =>
        Array.from(values, (value) => (Number.isNaN(value) ? null : value));
      expect(logged).toEqual(
        events.map(({ screen }, index) => ({
          ...{ screened: "enters", batch: index, candidates: screen!.candidates, filtered: screen!.filtered },
          ...{ watched: screen!.watch.count, recall: screen!.watch.recall, chance: screen!.watch.chance },
          ...{ rho: screen!.watch.rho, chosen: expect.any(Array), check: expect.any(String) },
          ...{ predicted: nullable(screen!.predicted), came: nullable(screen!.came) },
        })),
      );
      run.dispose();
      const replayed = await replayRun(folder, screenedSearch(ENTERS, { ahead: 1 }), { check: true });
      expect(replayed.divergence).toBeUndefined();
    });
  });
});

describe("programs", () => {
  const rows = Float32Array.from({ length: 256 }, (_, row) => row / 64 - 2);
  const operands = ["x", "out"].map((name) => ({
    ...{ name, register: name, registerType: "f32", type: "F32" },
    direction: name === "out" ? ("out" as const) : ("in" as const),
  }));
  const own = () => [measures.instructions()];

  function programSearch(screen: Partial<ScreeningOptions>, workers: number): Search {
    const space = stackSpace(table, { operands, instructions: ["add.f32", "mul.f32", "sub.f32"] });
    return new Search({
      space,
      archive: gridArchive({ axes: [{ name: "instructions", min: 0, max: 20 }] }),
      emitters: [evolve()],
      evaluator: columnsEvaluator({
        ...{ space, columns: [rows], measures: own(), workers },
        loss: { kind: "nmse", target: Float64Array.from(rows, (x) => x * x * x - x) },
      }),
      screen: { ...ENTERS, ...screen },
      ...{ seed: 3, batchSize: 60 },
    });
  }

  it.each<[string, () => Partial<ScreeningOptions>]>([
    ["their code", () => ({})],
    ["their code, whose cells are known", () => ({ measures: own() })],
    ["what they compute", () => ({ probes: [rows.subarray(0, 16)], measures: own() })],
    ["both", () => ({ probes: [rows.subarray(0, 16)], model: "trees" })],
  ])("are screened by %s, the same for any number of threads", async (_, screen) => {
    const [one, two] = [programSearch(screen(), 1), programSearch(screen(), 3)];
    const events = await batchesOf(one, 10);
    expect(events.some((event) => event.screen!.filtered)).toBe(true);
    expect(predictionsOf(await batchesOf(two, 10))).toEqual(predictionsOf(events));
    expect(hashOf(two)).toBe(hashOf(one));
  });
});

describe("a screen refuses", () => {
  const saved = (columns: number): Uint8Array => {
    const rows = new Table({ columns, capacity: 64 });
    rows.add(new Float32Array(columns), 1);
    const fitted = new Trees(rows);
    fitted.fit();
    return fitted.save();
  };
  /** Four coordinates and four numbers of the rival. */
  const COLUMNS = 8;

  it("nothing of trees that were saved with these features", async () => {
    const search = screenedSearch({ predicts: "objective", model: saved(COLUMNS) });
    const [event] = await batchesOf(search, 1);
    expect([...event!.screen!.predicted].every(Number.isFinite)).toBe(true);
  });

  it.each<[string, unknown, string, RegExp]>([
    [
      "unknown targets",
      { predicts: "register" },
      "INVALID_ARGUMENT",
      /`screen.predicts`.*did you mean `registers`/,
    ],
    ["no target", {}, "INVALID_ARGUMENT", /predicts/],
    [
      "targets without a function",
      { predicts: { name: "mine" } },
      "INVALID_ARGUMENT",
      /a name with a function `of`/,
    ],
    ["unknown options", { ...ENTERS, candidate: 4 }, "INVALID_ARGUMENT", /candidates/],
    ["one candidate", { ...ENTERS, candidates: 1 }, "INVALID_ARGUMENT", /from 2 to 64, found 1/],
    ["to explore nothing", { ...ENTERS, explore: 0 }, "INVALID_ARGUMENT", /explore/],
    ["unknown models", { ...ENTERS, model: "forest" }, "INVALID_ARGUMENT", /`screen.model`.*`trees`/],
    ["wrong watches", { ...ENTERS, watch: { window: 1 } }, "INVALID_ARGUMENT", /window/],
    ["probes of vectors", { ...ENTERS, probes: [new Float32Array(16)] }, "INVALID_ARGUMENT", /programs/],
    [
      "bytes that are not a model",
      { ...ENTERS, model: new Uint8Array(64) },
      "FILE_FORMAT",
      /first word of a saved model/,
    ],
    [
      "models of other features",
      { ...ENTERS, model: saved(7) },
      "FILE_FORMAT",
      /table of 7 columns, found 8/,
    ],
  ])("%s", (_, screen, code, message) => {
    expect(() => screenedSearch(screen as ScreeningOptions)).toThrow(fails(code, message));
  });

  it("models of another version", () => {
    const bytes = saved(COLUMNS);
    bytes[4] = 9;
    expect(() => screenedSearch({ ...ENTERS, model: bytes })).toThrow(
      fails("FILE_FORMAT", /version 1, found 9/),
    );
  });

  it("costs that the evaluator does not report", async () => {
    const search = screenedSearch({ predicts: "time" });
    await expect(batchesOf(search, 1)).rejects.toThrow(fails("EVALUATOR_FAILED", /`microseconds` or `time`/));
  });

  it("targets and features that throw or are not finite", async () => {
    const mine = (): never => {
      throw new Error("mine");
    };
    const target = screenedSearch({ predicts: { name: "own", of: mine } });
    await expect(batchesOf(target, 1)).rejects.toThrow(
      fails("EVALUATOR_FAILED", /the function `of` of the target `own` failed: mine/),
    );
    for (const [write, reason] of [
      [mine, /mine/],
      [(_: unknown, row: Float32Array) => void row.fill(Number.NaN), /found NaN as `candidates` in row 0/],
    ] as const) {
      const search = screenedSearch({ ...ENTERS, features: { name: "own", columns: 2, write } });
      await expect(batchesOf(search, 1)).rejects.toThrow(fails("EVALUATOR_FAILED", reason));
    }
  });

  it("states of something else", () => {
    const search = screenedSearch(ENTERS);
    const state = structuredClone(search.state());
    delete (state.evaluator!.arrays as Record<string, unknown>)["learner.rows"];
    expect(() => search.restore(state)).toThrow(fails("FILE_FORMAT", /the rows of a screen/));
  });
});
