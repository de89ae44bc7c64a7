// Tables as text: what is read, and what is refused with its line.
import { describe, expect, it } from "vitest";
import { columnOf, readTable } from "../../src/regress/index.js";

describe("a table", () => {
  it.each([
    ["commas", "x,y\n1,2\n3,4.5e-1\n"],
    ["bars and columns without names", "|x|y|\n0|1|2|\n1|3|.45|end\n"],
    ["tabs", "x\ty\r\n1\t2\r\n3\t.45\r\n"],
    ["semicolons after an empty line", "\nx;y\n1;2\n3;0.45\n"],
    ["semicolons, quotes, a byte order mark and empty lines", '\uFEFF"x";"y"\n\n+1;"2"\n 3 ; 0.45 \n\n'],
  ])("with %s", (_, text) => {
    expect(readTable(text)).toEqual({
      names: ["x", "y"],
      rows: 2,
      columns: [Float64Array.of(1, 3), Float64Array.of(2, 0.45)],
    });
  });

  it("with separators in quoted names", () => {
    expect(readTable('"x; cm",y\n1,2\n').names).toEqual(["x; cm", "y"]);
  });

  it("leaves out rows with missing cells on request", () => {
    const table = readTable("x,y\n1,\n2,3\nNA,4\nnan,5\n", { missing: "drop" });
    expect(table.columns).toEqual([Float64Array.of(2), Float64Array.of(3)]);
  });

  it("has only the columns that are asked for, in their order", () => {
    const text = "x,name,y\n1,one,2\n3,,4\n";
    const table = readTable(text, { columns: ["y", "x"] });
    expect(table).toEqual({
      names: ["y", "x"],
      rows: 2,
      columns: [Float64Array.of(2, 4), Float64Array.of(1, 3)],
    });
    expect(() => readTable(text, { columns: ["y", "z"] })).toThrow(
      expect.objectContaining({ code: "NOT_FOUND", message: expect.stringContaining("found `z`") }),
    );
    expect(() => readTable(text, { columns: ["y", "y"] })).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: "option `columns`: expected each name once, found `y` twice",
      }),
    );
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
    [",\n1,2\n", "line 1: expected the names of the columns in the first line, found only numbers"],
    [
      "x y\n1 2\n",
      "line 2: expected a number in column `x y`, found `1 2`; columns are separated by tabs, semicolons, commas or `|`",
    ],
    ["# words\nx,y\n", "line 2: expected 1 cell, found 2"],
    ["x,y\n1,2\n3\n", "line 3: expected 2 cells, found 1"],
    [
      "x,y\n1,two\n",
      "line 2: expected a number in column `y`, found `two`; columns that are not numbers can be left out (`columns`, `--inputs`)",
    ],
    ["x,y\n1,1e40\n", "line 2: expected a number that f32 can hold in column `y`, found `1e40`"],
    [
      'x;y\n"-5,0";1\n',
      "line 2: expected a number in column `x`, found `-5,0`; numbers need a decimal point",
    ],
    ["x,y\0\n1,2\n", "expected a table in UTF-8, found bytes that are not text in UTF-8"],
    ["t\uFFFD,y\n1,2\n", "expected a table in UTF-8, found bytes that are not text in UTF-8"],
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
