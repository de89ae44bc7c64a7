// `mm-ptx-types check`: what it prints for good and bad description files.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BAD_TEXT, CommandLine } from "../support/command-line.js";
import { astTable } from "../support/tables.js";

let line: CommandLine;
beforeAll(() => {
  line = new CommandLine();
});
afterAll(() => line.remove());

describe("check", () => {
  it("summarizes good files", async () => {
    expect(await line.run(["check", "good.json", "ast.json"])).toEqual({
      code: 0,
      stdout:
        "ok good.json: Stack PTX, 3 instructions on 2 stacks, 1 special register\nok ast.json: AST PTX, 18 instructions\n",
      stderr: "",
    });
  });

  it("reports all problems of all files with path and line", async () => {
    expect(await line.run(["check", "bad.json", "good.json", "gone.json"])).toEqual({
      code: 1,
      stdout: `${BAD_TEXT}ok good.json: Stack PTX, 3 instructions on 2 stacks, 1 special register
error: expected a description file, found \`gone.json\`: no such file

2 of 3 failed
`,
      stderr: "",
    });
  });

  it("reports the same as JSON", async () => {
    const { code, stdout } = await line.run(["check", "--json", "bad.json", "ast.json", "gone.json"]);
    expect(code).toBe(1);
    const { ok, files } = JSON.parse(stdout);
    expect(ok).toBe(false);
    expect(files).toMatchObject([
      {
        file: "bad.json",
        ok: false,
        code: "SCHEMA",
        problems: [
          { path: "arg_types[0].stack_type", line: 4, column: 48, found: "`F3`" },
          { path: "instructions[0].nam", line: 5, column: 74 },
        ],
      },
      { file: "ast.json", ok: true, kind: "ast", fingerprint: astTable.fingerprint },
      { file: "gone.json", ok: false, code: "FILE" },
    ]);
  });

  it("reports what mm-ptx 1.1 takes as a warning, and as a problem with --strict", async () => {
    line.write(
      "u8.json",
      '{ "abi_version": 1, "stack_types": [{ "name": "U8", "literal_prefix": "u8" }], "arg_types": [], "instructions": [] }\n',
    );
    const problem =
      "u8.json:1:71 stack_types[0].literal_prefix: expected a type that `mov` takes (pred, b16, b32, b64, u16, u32, u64, s16, s32, s64, f32, f64, b128), found `u8`: a request on this stack is an error";
    const { code, stdout } = await line.run(["check", "u8.json"]);
    expect([code, stdout.split("\n")[0]]).toEqual([0, `warning: ${problem}`]);
    expect(stdout).toContain("ok u8.json: Stack PTX, 0 instructions on 1 stack");
    const json = JSON.parse((await line.run(["check", "--json", "u8.json"])).stdout);
    expect(json.files[0]).toMatchObject({ ok: true, warnings: [{ line: 1, column: 71, found: "`u8`" }] });
    const strict = await line.run(["check", "--strict", "u8.json"]);
    expect([strict.code, strict.stdout.split("\n")[0]]).toEqual([1, problem]);
  });

  it("prints colours only when they are requested", async () => {
    expect((await line.run(["check", "ast.json"], { FORCE_COLOR: "1" })).stdout).toContain(
      "\x1b[32mok\x1b[39m ast.json",
    );
    const both = { FORCE_COLOR: "1", NO_COLOR: "1" };
    expect((await line.run(["check", "bad.json"], both)).stdout).toBe(BAD_TEXT);
  });
});
