// `mm-ptx-types list` and `diff`: tables and their differences as people and programs read them.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../../tests/support/workspace.js";
import { CommandLine, GOOD, MAIN } from "../support/command-line.js";
import { isOnPath } from "../support/generated.js";
import { astTable } from "../support/tables.js";

let line: CommandLine;
beforeAll(() => {
  line = new CommandLine();
});
afterAll(() => line.remove());

describe("list", () => {
  it("prints a readable table", async () => {
    const { code, stdout } = await line.run(["list", "good.json"]);
    expect(code).toBe(0);
    expect(
      stdout.replace(/[0-9a-f]{64}/, "…"),
    ).toBe(`good.json: Stack PTX, 3 instructions on 2 stacks, 1 special register
fingerprint …

Stacks
index  name  register  constants
    0  F32   .f32      f32
    1  PRED  .pred

Argument types
index  name  stack  elements
    0  F32   F32
    1  PRED  PRED
    2  V2    F32    2

Instructions
index  name     arguments  results    requires        prints
    0  add.f32  F32 F32    F32
    1  less     F32 F32    PRED PRED  sm_90, PTX 7.8  setp.lt.f32
    2  mov.b64  V2

Special registers
index  name  type  requires  prints
    0  tid   V2    PTX 8.0
`);
  });

  it("escapes control characters", async () => {
    const display = "\u001b[31mred\u0007\n\u009b1m";
    const named = (instruction: object) => JSON.stringify({ ...GOOD, instructions: [instruction] });
    line.write("escapes.json", named({ ptx: "add.f32", args: [], rets: [], display }));
    line.write("escapes-bad.json", named({ ptx: "add.f32", args: [display], rets: [] }));
    const listed = await line.run(["list", "escapes.json"]);
    expect(listed.stdout).toContain("    0  \\u001b[31mred\\u0007 \\u009b1m");
    const others = [
      ["diff", "escapes.json", "good.json"],
      ["check", "escapes-bad.json"],
      ["chekc\u001b[31m"],
    ];
    for (const { stdout, stderr } of [
      listed,
      ...(await Promise.all(others.map((words) => line.run(words)))),
    ]) {
      expect(stdout + stderr).toContain("\\u001b");
      expect(stdout + stderr).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
    }
  });

  it("prints the table as JSON", async () => {
    expect(JSON.parse((await line.run(["list", "ast.json", "--json"])).stdout)).toEqual(astTable);
  });

  it("ends quietly when its reader closes the pipe", () => {
    if (!isOnPath("bash")) return;
    const description = join(ROOT, "type_descriptions/stack_descriptions.json");
    const script = `set -o pipefail; "${process.execPath}" "${MAIN}" list "${description}" | head -n 1`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toContain("Stack PTX");
    expect(status).toBe(0);
  });
});

describe("diff", () => {
  it("lists what changed, and says that programs run", async () => {
    line.write(
      "more.json",
      JSON.stringify({
        ...GOOD,
        instructions: [...GOOD.instructions, { ptx: "neg.f32", args: ["F32"], rets: ["F32"] }],
      }),
    );
    expect(await line.run(["diff", "good.json", "more.json"])).toEqual({
      code: 0,
      stdout: `good.json: Stack PTX, 3 instructions on 2 stacks, 1 special register
more.json: Stack PTX, 4 instructions on 2 stacks, 1 special register

instructions
  + 3 neg.f32

programs made for the first run on the second
`,
      stderr: "",
    });
    expect((await line.run(["diff", "good.json", "good.json"])).stdout).toContain(
      "\nthe tables are the same\n",
    );
  });

  it("refuses to compare tables of two kinds", async () => {
    expect(await line.run(["diff", "ast.json", "good.json"])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "error: expected two descriptions of one kind, found an AST PTX description and a Stack PTX description\n",
    });
  });

  it("says why programs do not run", async () => {
    const [add, less] = GOOD.instructions;
    line.write(
      "less.json",
      JSON.stringify({ ...GOOD, instructions: [less, { ...add, rets: ["PRED"] }], special_registers: [] }),
    );
    expect(
      (await line.run(["diff", "good.json", "less.json"])).stdout,
    ).toBe(`good.json: Stack PTX, 3 instructions on 2 stacks, 1 special register
less.json: Stack PTX, 2 instructions on 2 stacks, 0 special registers

instructions
  - 2 mov.b64
  ~ 0 -> 1 add.f32, rets: F32 -> PRED
  ~ 1 -> 0 less

special_registers
  - 0 tid

programs made for the first do not run on the second
  instructions[0] is \`add.f32\` in the first, and \`less\` in the second
  instructions[1] is \`less\` in the first, and \`add.f32\` in the second
  instructions[2] is \`mov.b64\` in the first, and missing in the second
  special_registers[0] is \`tid\` in the first, and missing in the second
`);
    const { code, stdout } = await line.run(["diff", "good.json", "less.json", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, same: false, runs: false, broken: { length: 4 } });
  });
});
