// Tables as text: what is read, and what is refused with its line.
import { describe, expect, it } from "vitest";
import { columnOf, readTable } from "../../src/regress/index.js";

describe("a table", () => {
  it.each([
    ["commas", "x,y\n1,2\n3,4.5e-1\n"],
    ["tabs", "x\ty\r\n1\t2\r\n3\t.45\r\n"],
    ["semicolons, quotes, a byte order mark and empty lines", '\uFEFF"x";"y"\n\n+1;"2"\n 3 ; 0.45 \n\n'],
  ])("with %s", (_, text) => {
    expect(readTable(text)).toEqual({
      names: ["x", "y"],
      rows: 2,
      columns: [Float64Array.of(1, 3), Float64Array.of(2, 0.45)],
    });
  });

  it("leaves out rows with missing cells on request", () => {
    const table = readTable("x,y\n1,\n2,3\nNA,4\nnan,5\n", { missing: "drop" });
    expect(table.columns).toEqual([Float64Array.of(2), Float64Array.of(3)]);
  });

  it("has columns by name", () => {
    const table = readTable("mass,speed\n1,2\n");
    expect(columnOf(table, "speed")).toEqual(Float64Array.of(2));
    expect(() => columnOf(table, "sped")).toThrow(
      expect.objectContaining({
        code: "NOT_FOUND",
        message: "expected a column of the table, found `sped`, did you mean `speed`?",
      }),
    );
  });

  it.each([
    ["", "expected a line with the names of columns, found an empty table"],
    ["x,y\n", "expected at least one row of numbers, found none"],
    ["1,2\n3,4\n", "line 1: expected the names of the columns in the first line, found only numbers"],
    ["x,x\n1,2\n", "line 1: expected each name of a column once, found `x` twice"],
    ["x,\n1,2\n", "line 1: expected a name for column 2, found an empty cell"],
    ["x,y\n1,2\n3\n", "line 3: expected 2 cells, found 1"],
    ["x,y\n1,two\n", "line 2: expected a number in column `y`, found `two`"],
    ["x,y\n1,1e999\n", "line 2: expected a finite number in column `y`, found `1e999`"],
    ["x,y\n1,inf\n", "line 2: expected a number in column `y`, found `inf`"],
    [
      "x,y\n\n1,\n",
      'line 3: expected a number in column `y`, found an empty cell; rows with missing cells can be left out (`missing: "drop"`, `--drop-missing`)',
    ],
  ])("refuses %j", (text, message) => {
    expect(() => readTable(text)).toThrow(expect.objectContaining({ code: "BAD_DATA", message }));
  });

  it("refuses quotes that do not end", () => {
    expect(() => readTable('x,y\n1,"2\n')).toThrow(expect.objectContaining({ code: "BAD_DATA" }));
  });
});
