import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Linear, Mlp, Neighbours, Table, Trees } from "../src/index.js";
import { hashOf, syntheticRows } from "./support/data.js";
import { codeOf } from "./support/errors.js";

const row = (...values: number[]) => Float32Array.from(values);

describe("a table", () => {
  it("replaces its oldest rows when it is full", () => {
    const table = new Table({ columns: 2, capacity: 3 });
    for (let index = 0; index < 5; index++) expect(table.add(row(index, -index), 10 * index)).toBe(index);
    expect([table.count, table.added, table.bytes]).toEqual([3, 5, 36]);
    const ages = [0, 1, 2].map((age) => table.labels[table.place(age)]);
    expect(ages).toEqual([20, 30, 40]);
  });

  it("replaces the label of a row that it still has", () => {
    const table = new Table({ columns: 1, capacity: 2 });
    for (let index = 0; index < 3; index++) table.add(row(index), index);
    expect(table.setLabel(0, 9)).toBe(false);
    expect(table.setLabel(1, 9)).toBe(true);
    expect(Array.from(table.labels)).toEqual([2, 9]);
    expect(codeOf(() => table.setLabel(3, 1))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => table.setLabel(1, Number.NaN))).toBe("NOT_FINITE");
  });

  it("refuses rows and labels that are not finite, and adds none of them", () => {
    const table = new Table({ columns: 2, capacity: 4 });
    expect(() => table.add(row(1, Number.NaN), 0)).toThrow(
      "expected column 1 to be finite as f32, found NaN",
    );
    expect(() => table.add(row(1, 2), 1e39)).toThrow("expected label to be finite as f32, found 1e+39");
    expect(() => table.addAll(row(1, 2, 3, Number.NEGATIVE_INFINITY), row(1, 2))).toThrow(
      "expected finite values, found -Infinity as `rows` in row 1, column 1",
    );
    expect(codeOf(() => table.addAll(row(1, 2), row(Number.NaN)))).toBe("NOT_FINITE");
    expect(table.added).toBe(0);
  });

  it("drops and counts them if it is made so", () => {
    const table = new Table({ columns: 1, capacity: 4, nonFinite: "drop" });
    expect(table.add(row(Number.NaN), 0)).toBe(-1);
    expect(table.addAll(row(1, 2, Number.POSITIVE_INFINITY), row(1, Number.NaN, 1))).toBe(1);
    expect([table.count, table.dropped]).toEqual([1, 3]);
  });

  it("gives labels that are not finite the lowest label, if it is made so", () => {
    const table = new Table({ columns: 1, capacity: 3, nonFinite: "worst" });
    // Nothing is known to be the worst yet.
    expect(table.add(row(1), Number.NaN)).toBe(-1);
    table.addAll(row(1, 2, 3), row(5, -2, Number.POSITIVE_INFINITY));
    expect([Array.from(table.labels), table.dropped, table.replaced]).toEqual([[5, -2, -2], 1, 1]);
    expect(table.add(row(Number.NaN), 1)).toBe(-1);
    // The lowest labels have left.
    table.addAll(row(4, 5), row(7, 8));
    expect(table.setLabel(2, 9)).toBe(true);
    table.add(row(6), 1e39);
    expect([Array.from(table.labels).sort(), table.dropped, table.replaced]).toEqual([[7, 7, 8], 2, 2]);
    expect(table.setLabel(3, Number.NaN)).toBe(true);
    expect(table.setLabel(0, Number.NaN)).toBe(false);
    expect(table.replaced).toBe(3);
  });

  it.each(["drop", "worst"] as const)("has only finite labels with %s, whatever is added", (nonFinite) => {
    const number = fc.oneof(fc.float(), fc.constantFrom(Number.NaN, -1 / 0, 1 / 0, 1e-45, 3.4e38, 1e39));
    const call = fc.tuple(fc.boolean(), number, number);
    fc.assert(
      fc.property(fc.array(call, { maxLength: 30 }), (calls) => {
        const table = new Table({ columns: 1, capacity: 5, nonFinite });
        for (const [isLater, value, label] of calls) {
          if (!isLater) table.add(row(value), label);
          else if (nonFinite === "worst" && table.added > 0) table.setLabel(table.added - 1, label);
        }
        for (const values of [table.values, table.labels]) expect(values.every(Number.isFinite)).toBe(true);
        expect(table.added + table.dropped).toBe(calls.filter(([isLater]) => !isLater).length);
      }),
    );
  });

  it.each([
    [{}, "option `columns`: expected a whole number from 1 to 4096, found undefined"],
    [{ columns: 0, capacity: 1 }, "option `columns`: expected a whole number from 1 to 4096, found 0"],
    [
      { columns: 1, capacity: 65_537 },
      "option `capacity`: expected a whole number from 1 to 65536, found 65537",
    ],
    [{ columns: 1, capacity: 1, nonfinite: "drop" }, "unknown option `nonfinite`"],
  ])("refuses the options %o", (options, message) => {
    expect(() => new Table(options as never)).toThrow(message);
  });

  it("refuses rows of another shape", () => {
    const table = new Table({ columns: 2, capacity: 4 });
    expect(codeOf(() => table.add([1, 2] as never, 0))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => table.add(row(1), 0))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => table.add(row(1, 2), "1" as never))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => table.addAll(row(1, 2, 3), row(1)))).toBe("INVALID_ARGUMENT");
    expect(codeOf(() => table.addAll(row(1, 2), row(1, 2)))).toBe("INVALID_ARGUMENT");
  });
});

it.each(["javascript", "webassembly"] as const)(
  "models in %s refuse a table whose arrays have received a NaN",
  (backend) => {
    for (const part of ["values", "labels"] as const) {
      const table = new Table({ columns: 2, capacity: 4 });
      table.addAll(row(1, 2, 3, 4, 5, 6), row(1, 2, 3));
      table[part][1] = Number.NaN;
      const models = [
        () => new Trees(table, { backend }).fit(),
        () => new Linear({ columns: 2, features: 4, backend }).fit(table),
        () => new Mlp({ columns: 2, hidden: [3], backend }).fit(table, 1),
        () => new Neighbours(table, { k: 1, backend }).predictInto(row(1, 2), row(0)),
      ];
      expect(models.map(codeOf)).toEqual(models.map(() => "NOT_FINITE"));
    }
  },
);

it("a model of a table that has lost rows is the model of the rest alone", () => {
  const { rows, labels } = syntheticRows(150, 5, 3);
  const ring = new Table({ columns: 5, capacity: 100 });
  ring.addAll(rows, labels);
  const rest = new Table({ columns: 5, capacity: 100 });
  rest.addAll(rows.subarray(50 * 5), labels.subarray(50));
  const hashes = [ring, rest].map((table) => {
    const trees = new Trees(table, { trees: 20 });
    trees.fit();
    return hashOf(trees.save());
  });
  expect(hashes[0]).toBe(hashes[1]);
});
