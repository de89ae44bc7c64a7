// Training in another thread, with the built package: its threads load built modules.
import { Table as BuiltTable, Trees as BuiltTrees } from "@mm-ptx/learn";
import { describe, expect, it } from "vitest";
import { Table, Trees } from "../../src/index.js";
import { hashOf, syntheticRows } from "../support/data.js";
import { codeOf } from "../support/errors.js";

const COLUMNS = 5;
const { rows, labels } = syntheticRows(600, COLUMNS, 11);
const probes = syntheticRows(50, COLUMNS, 12).rows;

const rowAt = (index: number) => rows.subarray(index * COLUMNS, (index + 1) * COLUMNS);

/** The scores after each row of a run that trains every 100 rows and takes over 50 rows later; `pause` is called between rows. */
async function run(kinds: { Table: typeof Table; Trees: typeof Trees }, pause?: () => Promise<void>) {
  const table = new kinds.Table({ columns: COLUMNS, capacity: 250 });
  const model = new kinds.Trees(table, { trees: 20 });
  const hashes: (string | undefined)[] = [];
  const scores = new Float32Array(50);
  for (let index = 0; index < 600; index++) {
    table.add(rowAt(index), labels[index]!);
    if (table.added % 100 === 0) model.fitLater(table.added + 50);
    if (pause && index % 40 === 0) await pause();
    if (model.fitted) model.predictInto(probes, scores);
    hashes.push(model.fitted ? hashOf(new Uint8Array(scores.buffer)) : undefined);
  }
  expect(model.training).toBe(true);
  model.dispose();
  expect(model.training).toBe(false);
  return hashes;
}

const turn = (): Promise<void> => new Promise((done) => void setTimeout(done, 1));

describe("a model that is trained later", () => {
  const built = { Table: BuiltTable, Trees: BuiltTrees } as never;

  it("takes over at a count of rows, with the same bits in every run, in this thread and in another", async () => {
    const [one, other, paused] = [await run(built), await run(built), await run(built, turn)];
    expect(one).toEqual(other);
    expect(one).toEqual(paused);
    expect(new Set(one).size).toBe(6);
    expect(one.findIndex((hash) => hash !== undefined)).toBe(149);
    // The thread of the sources cannot be started, because its module is not built: the same results without it.
    expect(await run({ Table, Trees }, turn)).toEqual(one);
  });

  it.each(["half", "all"] as const)(
    "is the model of a fit to the rows of that time, %s of them",
    (sample) => {
      const options = { form: "general", label: "best tenth", trees: 10, sample } as const;
      const table = new BuiltTable({ columns: COLUMNS, capacity: 250 });
      for (let index = 0; index < 400; index++) table.add(rowAt(index), labels[index]!);
      const model = new BuiltTrees(table, options);
      model.fit();
      const expected = model.save();
      model.fitLater(420);
      for (let index = 400; index < 419; index++) table.add(rowAt(index), labels[index]!);
      model.fit();
      expect(model.training).toBe(false);
      expect(model.save()).not.toEqual(expected);
      const again = new BuiltTrees(table, options);
      const before = new BuiltTable({ columns: COLUMNS, capacity: 250 });
      for (let index = 0; index < 400; index++) before.add(rowAt(index), labels[index]!);
      const later = new BuiltTrees(before, options);
      later.fitLater(400);
      expect(later.save()).toEqual(expected);
      expect([again.fitted, later.learned]).toEqual([false, 250]);
      for (const each of [model, later]) each.dispose();
    },
  );

  it("can be disposed while it is trained, twice, and trained again", () => {
    const table = new BuiltTable({ columns: COLUMNS, capacity: 600 });
    table.addAll(rows, labels);
    const model = new BuiltTrees(table, { trees: 1000 });
    model.fitLater(600);
    model.dispose();
    model.dispose();
    expect([model.fitted, model.training]).toEqual([false, false]);
    model.fitLater(600);
    expect([model.training, model.learned]).toEqual([false, 600]);
    model[Symbol.dispose]();
  });

  it("refuses counts that have passed, a second training, and a table without rows", () => {
    const table = new Table({ columns: COLUMNS, capacity: 10 });
    const model = new Trees(table, { trees: 2 });
    expect(codeOf(() => model.fitLater(5))).toBe("TOO_FEW_ROWS");
    table.add(rowAt(0), 1);
    table.add(rowAt(1), 2);
    for (const count of [1, 2.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(codeOf(() => model.fitLater(count))).toBe("INVALID_ARGUMENT");
    }
    model.fitLater(3);
    expect(() => model.fitLater(4)).toThrow(
      "expected no training, found one whose model takes over at 3 rows",
    );
    expect(codeOf(() => model.predictInto(rowAt(0), new Float32Array(1)))).toBe("NOT_FITTED");
    model.dispose();
    const loaded = () => {
      model.fit();
      return Trees.load(model.save());
    };
    expect(codeOf(() => loaded().fitLater(9))).toBe("INVALID_ARGUMENT");
  });
});
