// Source lines: `.loc` and `.file`, the places of inlined functions, and texts in which parts are missing.
import { describe, expect, it } from "vitest";
import { readModule } from "../src/module.js";
import { type SourceFrame, SourceLines } from "../src/source-lines.js";

const HEADER = ".version 9.0\n.target sm_75\n.address_size 64\n";
const STRINGS = `.section .debug_str {
$one: .b8 102, 0
$two: .b16 26727, 0
}`;

/** The frames of each `ret`, as `file:line:column function`, in a module with the body and what follows it. */
function frames(body: string, after = `.file 1 "a.cu"\n.file 2 "b.cuh", 100, 200\n${STRINGS}`): string[] {
  const text = `${HEADER}.entry k()\n{\n${body}\n}\n${after}\n`;
  const lines = new SourceLines(readModule(text, { tolerant: true }));
  const written = ({ file, line, column, function: name }: SourceFrame) =>
    `${file}:${line}:${column} ${name}`;
  return [...text.matchAll(/ret;/g)].map(({ index }) => lines.framesAt(index).map(written).join(" < "));
}

describe("source lines", () => {
  it("hold from a `.loc` to the next one", () => {
    expect(frames("ret; .loc 1 3 5 ret; ret; .loc 2 4 0 L: ret;")).toEqual([
      "",
      "a.cu:3:5 k",
      "a.cu:3:5 k",
      "b.cuh:4:0 k",
    ]);
  });

  it("end with the function", () => {
    expect(frames(".loc 1 3 5 ret; } .func f() { ret; .loc 1 9 1 ret;")).toEqual([
      "a.cu:3:5 k",
      "",
      "a.cu:9:1 f",
    ]);
  });

  it("name the functions that were inlined, innermost first", () => {
    const body = `.loc 1 3 5
      .loc 2 7 1, function_name $one, inlined_at 1 3 5
      .loc 2 8 2, function_name $two+0, inlined_at 2 7 1 ret;
      .loc 2 8 2, function_name $two+1, inlined_at 2 7 1 ret;`;
    expect(frames(body)).toEqual([
      "b.cuh:8:2 gh < b.cuh:7:1 f < a.cu:3:5 k",
      "b.cuh:8:2 h < b.cuh:7:1 f < a.cu:3:5 k",
    ]);
  });

  it.each([
    ["files", ".loc 1 3 5 ret;", STRINGS, ""],
    ["lines", ".loc 1 0 0 ret;", undefined, ""],
    ["numbers", ".loc 1 ret;", undefined, ""],
    ["the caller", ".loc 1 3 5, function_name $one, inlined_at 1 9 9 ret;", undefined, "a.cu:3:5 f"],
    ["a caller but itself", ".loc 1 3 5, function_name $one, inlined_at 1 3 5 ret;", undefined, "a.cu:3:5 f"],
    [
      "strings",
      ".loc 1 3 5, function_name $one, inlined_at 1 2 3 ret;",
      '.file 1 "a.cu"',
      "a.cu:3:5 undefined",
    ],
  ])("are cut short without %s", (_, body, after, expected) => {
    expect(frames(body, after)).toEqual([expected]);
  });

  it("are none in a text without them", () => {
    const lines = new SourceLines(readModule(`${HEADER}.entry k() { ret; }`));
    expect([lines.isEmpty, lines.files, lines.framesAt(60)]).toEqual([true, [], []]);
  });

  it("show at most 64 inlined functions", () => {
    const body = Array.from({ length: 500 }, (_, i) => `.loc 1 ${i + 2} 1, inlined_at 1 ${i + 1} 1`);
    expect(frames(`.loc 1 1 1\n${body.join("\n")}\nret;`)[0]!.split(" < ")).toHaveLength(64);
  });
});
