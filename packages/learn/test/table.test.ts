import { describe, expect, it } from "vitest";
import { Table, Trees } from "../src/index.js";
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
