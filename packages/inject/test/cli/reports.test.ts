// `--types`, `--check`, `--json` and colours of `ptxinject`.

import { statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { annotateCuda } from "../../src/annotated-cuda.js";
import { BAD, BAD_TEXT, CommandLine, KERNEL } from "../support/command-line.js";

const MADE = annotateCuda(KERNEL).text;

let line: CommandLine;
beforeEach(() => {
  line = new CommandLine();
  line.write("a.cu", KERNEL);
});
afterEach(() => line.remove());

describe("--types", () => {
  const MASK = `{ "name": "mask", "register_type": "b32", "mov_postfix": "b32", "register_char": "r", "register_cast_str": "" }`;

  it("reads a description with what it extends", async () => {
    line.write("base.json", `{ "abi_version": 1, "data_type_infos": [${MASK}] }`);
    line.write("mine.json", `{ "abi_version": 1, "extends": ["./base.json"], "data_type_infos": [] }`);
    line.write("m.cu", KERNEL.replaceAll("f32", "mask"));
    const { code, stdout } = await line.run(["m.cu", "--types", "mine.json"]);
    expect(code).toBe(0);
    expect(stdout).toContain("_x0 o b32 mask z");
    // Its types replace the default ones.
    expect((await line.run(["a.cu", "-t", "mine.json"])).stderr).toMatch(
      /^a\.cu:4:11: error: expected a type .*found `f32`/,
    );
  });

  it("finds our own descriptions even if nothing is installed beside it", async () => {
    const extending = (specifier: string) =>
      `{ "abi_version": 1, "extends": ["${specifier}"], "data_type_infos": [${MASK}] }`;
    line.write("mine.json", extending("@mm-ptx/types/descriptions/inject.json"));
    line.write("m.cu", KERNEL.replace("in  f32", "in  mask"));
    const { code, stdout, stderr } = await line.run(["m.cu", "--types", "mine.json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("_x1 i b32 mask x");
    for (const specifier of ["@mm-ptx/types/descriptions/none.json", "commander/package.json"]) {
      line.write("mine.json", extending(specifier));
      const failed = await line.run(["m.cu", "--types", "mine.json"]);
      expect(failed).toMatchObject({ code: 1, stdout: "" });
      expect(failed.stderr).toContain(specifier);
    }
  });

  it("reports mistakes in the description and writes nothing", async () => {
    line.write("bad.json", `{ "abi_version": 1,\n  "data_type_infos": [${MASK.replace("b32", "b33")}] }`);
    const bad = await line.run(["a.cu", "-o", "out/", "--types", "bad.json"]);
    expect(bad).toMatchObject({ code: 1, stdout: "" });
    expect(bad.stderr).toMatch(
      /^bad\.json:2:\d+: error: data_type_infos\[0\]\.register_type: expected .*\n {4}2 \| .*\n.*\^+\n$/,
    );
    expect(statSync(line.path("out"), { throwIfNoEntry: false })).toBeUndefined();
    const json = await line.run(["a.cu", "--types", "bad.json", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      error: { code: "SCHEMA", problems: [{ severity: "error", file: "bad.json", line: 2 }] },
    });
    expect((await line.run(["a.cu", "--types", "gone.json"])).stderr).toBe(
      "error: expected a description file, found `gone.json`: no such file\n",
    );
    line.write("stack.json", '{ "abi_version": 1, "stack_types": [] }');
    expect((await line.run(["a.cu", "--types", "stack.json"])).code).toBe(1);
  });
});

describe("--check", () => {
  it("reports fresh, stale and missing outputs and writes nothing", async () => {
    line.write("b.cu", KERNEL);
    line.write("c.cu", KERNEL);
    line.write("out/a.cu", MADE);
    line.write("out/b.cu", MADE.replace("scale", "scala"));
    const words = ["a.cu", "b.cu", "c.cu", "-o", "out", "--check"];
    expect(await line.run(words)).toEqual({
      code: 1,
      stdout: "fresh out/a.cu\nstale out/b.cu\nmissing out/c.cu\n",
      stderr: "",
    });
    expect(statSync(line.path("out/c.cu"), { throwIfNoEntry: false })).toBeUndefined();
    expect(await line.run(["a.cu", "-o", "out", "--check", "--quiet"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    line.write("bad.cu", BAD);
    expect(await line.run(["bad.cu", "a.cu", "-o", "out", "--check"])).toEqual({
      code: 1,
      stdout: "fresh out/a.cu\n",
      stderr: BAD_TEXT,
    });
  });
});

describe("--json", () => {
  it("prints everything about every file as one value", async () => {
    line.write("bad.cu", BAD);
    const { code, stdout, stderr } = await line.run(["a.cu", "bad.cu", "gone.cu", "-o", "out", "--json"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    const operand = { direction: "out", registerType: "f32", type: "f32" };
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      files: [
        {
          input: "a.cu",
          output: "out/a.cu",
          state: "written",
          injections: [
            {
              name: "func",
              names: ["func"],
              line: 3,
              column: 3,
              operands: [
                { ...operand, name: "z", index: 0, register: "_x0", expression: "z", line: 5, column: 7 },
                {
                  ...operand,
                  direction: "in",
                  name: "x",
                  index: 1,
                  register: "_x1",
                  expression: "x",
                  line: 4,
                  column: 7,
                },
              ],
            },
          ],
          problems: [],
        },
        {
          input: "bad.cu",
          output: "out/bad.cu",
          state: "failed",
          injections: [],
          problems: [
            {
              severity: "error",
              code: "UNKNOWN_TYPE",
              message: expect.stringMatching(/^expected a type .*, did you mean `f32`\?$/),
              file: "bad.cu",
              line: 3,
              column: 11,
              frame: "    3 |       in  f3 x\n      |           ^^",
              help: expect.stringMatching(/#ptxinjecterror-unknown_type$/),
            },
            expect.objectContaining({ line: 4, column: 7 }),
          ],
        },
        {
          input: "gone.cu",
          output: "out/gone.cu",
          state: "failed",
          injections: [],
          problems: [
            {
              severity: "error",
              code: "FILE",
              message: "expected a file to read, found `gone.cu`: no such file",
              file: "gone.cu",
              help: expect.stringMatching(/#command-lines-file$/),
            },
          ],
        },
      ],
    });
  });

  it("contains the text that would go to stdout", async () => {
    const { stdout } = await line.run(["a.cu", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      files: [{ output: "-", state: "printed", text: MADE }],
    });
  });
});

describe("problems", () => {
  it("are counted beyond those that are shown", async () => {
    line.write("many.cu", "/* PTX_INJECT f\n  in f99 x\n*/\n".repeat(8_000));
    const { stderr } = await line.run(["many.cu"]);
    expect(stderr.match(/error: expected a type/g)).toHaveLength(20);
    expect(stderr).toMatch(/\nmany\.cu: error: and 7980 more\n$/);
    const { stdout } = await line.run(["many.cu", "--json"]);
    const { problems } = JSON.parse(stdout).files[0];
    expect(problems).toHaveLength(21);
    expect(problems[20]).toEqual({
      severity: "error",
      code: "UNKNOWN_TYPE",
      message: "and 7980 more",
      file: "many.cu",
      help: expect.stringMatching(/#ptxinjecterror-unknown_type$/),
    });
  });

  it("show both places of annotations that clash", async () => {
    line.write("two.cu", `${KERNEL}${KERNEL.replace("out f32 z", "out f32 y")}`);
    const { stderr } = await line.run(["two.cu"]);
    expect(stderr).toMatch(
      /^two\.cu:13:7: error: .*\n {3}13 \| .*\n.*\^\ntwo\.cu:3:3: note: the other place\n {4}3 \| .*\n.*\^\n$/,
    );
    const { stdout } = await line.run(["two.cu", "--json"]);
    expect(JSON.parse(stdout).files[0].problems).toMatchObject([
      { code: "INCONSISTENT_INJECTION", line: 13, column: 7, related: { line: 3, column: 3 } },
    ]);
  });
});

describe("colours", () => {
  it("are printed only when they are requested", async () => {
    line.write("bad.cu", BAD);
    expect((await line.run(["bad.cu"], { FORCE_COLOR: "1" })).stderr).toContain("\x1b[31merror\x1b[39m");
    const both = { FORCE_COLOR: "1", NO_COLOR: "1" };
    expect((await line.run(["bad.cu"], both)).stderr).toBe(BAD_TEXT);
  });
});
