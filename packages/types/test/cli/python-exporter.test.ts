// `mm-ptx-types python-exporter`: the script turns the enumerations of a Python module into a description.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseStackDescription } from "../../src/index.js";
import { CommandLine } from "../support/command-line.js";
import { isOnPath } from "../support/generated.js";

/** Enumerations whose members have what those of mm-ptx for Python have. */
const TYPES = `from enum import IntEnum

class Base(IntEnum):
    def __new__(cls, *values):
        member = int.__new__(cls, len(cls.__members__))
        member._value_ = len(cls.__members__)
        vars(member).update(zip(cls.names(), values))
        return member

class Stack(Base):
    @staticmethod
    def names(): return ["literal_prefix"]
    f32 = "f32",
    pred = "pred",
    bits = "b32",
    u8 = "u8",

class Arg(Base):
    @staticmethod
    def names(): return ["stack_type", "stack_num_vec_elems"]
    f32 = Stack.f32, 0
    v2_f32 = Stack.f32, 2
    pred = Stack.pred, 0

class Ptx(Base):
    @staticmethod
    def names(): return ["ptx_str", "args", "rets", "aligned"]
    add = "add.f32", [Arg.f32, Arg.f32], [Arg.f32], False
    to_pair = "mov.b64", [Arg.v2_f32], [], False
    from_pair = "mov.b64", [], [Arg.v2_f32], True
    less = "setp.lt.f32", [Arg.f32, Arg.f32], [Arg.pred], False

class Special(Base):
    @staticmethod
    def names(): return ["ptx_str", "arg"]
    lane = "laneid", Arg.f32
`;

let line: CommandLine;
beforeAll(() => {
  line = new CommandLine();
});
afterAll(() => line.remove());

describe("python-exporter", () => {
  it("writes the script, or prints it", async () => {
    const printed = await line.run(["python-exporter"]);
    expect(printed.stdout).toContain("def main():");
    expect(await line.run(["python-exporter", "--out", "export.py"])).toMatchObject({
      code: 0,
      stdout: "written export.py\n",
    });
    expect(line.read("export.py")).toBe(printed.stdout);
  });

  it.skipIf(!isOnPath("python3"))("describes the enumerations of a module", async () => {
    await line.run(["python-exporter", "--out", "export.py"]);
    line.write("types_of_mine.py", TYPES);
    line.write(
      "twice.py",
      "from types_of_mine import *\nclass Other(Base):\n    names = Stack.names\n    b16 = 'b16',\n",
    );
    const run = (...words: string[]) =>
      promisify(execFile)("python3", ["export.py", ...words], { cwd: line.folder }).then(
        ({ stdout }) => stdout,
        ({ stderr }: { stderr: string }) => stderr.trim(),
      );
    const text = await run("types_of_mine.py");
    const table = parseStackDescription(text);
    expect(table.stackTypes).toEqual([
      { name: "f32", literalPrefix: "f32", constantType: "f32" },
      { name: "pred", literalPrefix: "pred" },
      { name: "bits", literalPrefix: "b32" },
      { name: "u8", literalPrefix: "u8" },
    ]);
    expect(table.argTypes.map(({ stackIndex, vectorElements }) => [stackIndex, vectorElements])).toEqual([
      [0, 0],
      [0, 2],
      [1, 0],
    ]);
    expect(
      table.instructions.map(({ name, ptx, args, results, aligned }) => [name, ptx, args, results, aligned]),
    ).toEqual([
      ["add", "add.f32", [0, 0], [0], false],
      ["to_pair", "mov.b64", [1], [], false],
      ["from_pair", "mov.b64", [], [1], true],
      ["less", "setp.lt.f32", [0, 0], [2], false],
    ]);
    expect(table.specialRegisters).toEqual([{ name: "lane", ptx: "laneid", argType: 0 }]);

    expect(await run("types_of_mine", "-o", "stack.json")).toBe("");
    expect(line.read("stack.json")).toBe(text);
    expect(await run("twice")).toBe(
      "error: expected one enumeration with `literal_prefix`, found Stack, Other: choose one with --stack",
    );
    expect(await run("twice", "--stack", "Stack")).toBe(text);
    expect(await run("twice", "--stack", "Stack", "--ptx", "Special")).toBe(
      "error: expected an enumeration with `ptx_str` and `args` and `rets`, found none in twice",
    );
    expect(await run("none.py")).toMatch(/^error: expected a Python file, found none at .*none\.py$/);
    expect(await run("none.of_it")).toBe(
      "error: expected a Python file or a module, found none named none.of_it",
    );
    expect(await run("types_of_mine", "-o", "none/stack.json")).toMatch(
      /^error: expected a file to write, found none.stack\.json: /,
    );
  });
});
