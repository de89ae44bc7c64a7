// Colours, columns and control characters of what is printed.

import { expect, it } from "vitest";
import { colorsOf, columns, counted, printable } from "../src/terminal.js";

it.each<[boolean, Record<string, string>, boolean]>([
  [true, {}, true],
  [false, {}, false],
  [true, { TERM: "dumb" }, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { NO_COLOR: "" }, true],
  [false, { FORCE_COLOR: "1" }, true],
  [true, { FORCE_COLOR: "0" }, false],
  [true, { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
])("a terminal %s with %o has colours: %s", (isTTY, env, expected) => {
  expect(colorsOf({ isTTY }, env).red("x") !== "x").toBe(expected);
});

it("control characters of files are visible, line ends and tabs stay", () => {
  expect(printable("a\x1b[31m\tb\n\x9bc\x7f")).toBe("a\\u001b[31m\tb\n\\u009bc\\u007f");
});

it("columns are of equal width, without spaces at the end", () => {
  const rows = [
    ["a", "100", ""],
    ["long", "5", "x"],
  ];
  expect(columns(rows, new Set([1]))).toEqual(["a     100", "long    5  x"]);
  expect(columns([])).toEqual([]);
});

it("nouns get their plural", () => {
  expect([counted(0, "file"), counted(1, "file"), counted(2, "file")]).toEqual([
    "0 files",
    "1 file",
    "2 files",
  ]);
});
