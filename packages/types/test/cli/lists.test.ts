// Lists of generated files: `mm-ptx-types generate --list` writes the files, `check --generated` compares
// them. The repository's own list is fresh.

import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../../tests/support/workspace.js";
import { CommandLine } from "../support/command-line.js";

let line: CommandLine;
beforeAll(() => {
  line = new CommandLine();
});
afterAll(() => line.remove());

describe("lists of generated files", () => {
  const LIST = JSON.stringify({
    generated: [
      { from: "../ast.json", language: "python", out: "ast.py" },
      { from: "../good.json", language: "typescript", out: "good/", encoders: "./encoders.js" },
      { schema: "ast", out: "ast.schema.json" },
    ],
  });

  it("are generated, then found fresh, stale or missing", async () => {
    line.write("list/all.json", LIST);
    const files = ["ast.py", "good/index.ts", "good/ptx.ts", "good/special.ts", "ast.schema.json"];
    const made = await line.run(["generate", "--list", "list/all.json"]);
    expect(made).toEqual({
      code: 0,
      stdout: files.map((file) => `written list/${file}\n`).join(""),
      stderr: "",
    });
    expect(line.read("list/good/index.ts")).toContain('from "./encoders.js"');

    const fresh = await line.run(["check", "--generated", "list/all.json"]);
    expect(fresh).toEqual({ code: 0, stdout: files.map((file) => `ok list/${file}\n`).join(""), stderr: "" });

    line.write("list/ast.py", line.read("list/ast.py").replace("PTX_add_ftz_f32 = 1", "PTX_add_ftz_f32 = 2"));
    rmSync(line.path("list/good/ptx.ts"));
    const stale = line.read("list/ast.py").split("\n").indexOf("PTX_add_ftz_f32 = 2") + 1;
    expect(await line.run(["check", "--generated", "list/all.json"])).toEqual({
      code: 1,
      stdout: `stale list/ast.py, first in line ${stale}
ok list/good/index.ts
missing list/good/ptx.ts
ok list/good/special.ts
ok list/ast.schema.json

2 of 5 failed
`,
      stderr: "",
    });
    const { files: states } = JSON.parse(
      (await line.run(["check", "--generated", "list/all.json", "--json"])).stdout,
    );
    expect(states.map(({ state }: { state: string }) => state)).toEqual([
      "stale",
      "fresh",
      "missing",
      "fresh",
      "fresh",
    ]);
  });

  it("report problems with their place", async () => {
    line.write(
      "wrong.json",
      `{ "generated": [
  { "from": "ast.json", "language": "rust", "out": "x" },
  { "from": "ast.json", "language": "c", "out": "x/" },
  { "from": "ast.json", "language": "python", "out": "w", "prefix": "p" },
  { "from": "ast.json", "langage": "c" },
  { "schema": "stak", "out": "y" },
  { "schema": "ast", "out": "z" }, { "schema": "inject", "out": "./z" },
  7
] }`,
    );
    const { code, stdout } = await line.run(["check", "--generated", "wrong.json"]);
    expect(code).toBe(1);
    expect(stdout.split("\n").filter((text) => text.startsWith("wrong.json"))).toEqual([
      "wrong.json:2:37 generated[0].language: expected a language (typescript, js, c, python), found `rust`",
      "wrong.json:3:49 generated[1].out: expected a file for c, found `x/`, which is a folder",
      "wrong.json:4:69 generated[2].prefix: expected no `prefix` for python, found `p`",
      "wrong.json:5:3 generated[3].language: expected the key `language`, found none",
      "wrong.json:5:3 generated[3].out: expected the key `out`, found none",
      "wrong.json:5:25 generated[3].langage: expected a known key (from, language, out, prefix, encoders), found `langage`, did you mean `language`?",
      "wrong.json:6:15 generated[4].schema: expected a kind of description (stack, inject, ast), found `stak`, did you mean `stack`?",
      "wrong.json:7:65 generated[6].out: expected each output once, and no source, found `z` again, first at generated[5].out",
      "wrong.json:8:3 generated[7]: expected an object, found 7",
    ]);
    for (const text of ["", "[]", "{}", '{ "generated": {} }', '{ "generated": [] ']) {
      line.write("wrong.json", text);
      expect(await line.run(["generate", "--list", "wrong.json"])).toMatchObject({ code: 1, stdout: "" });
    }
    expect((await line.run(["generate", "--list", "gone.json"])).stderr).toContain(
      "found no file `gone.json`",
    );
  });

  it("are refused if they write a file twice or overwrite an input", async () => {
    const source = { from: "ast.json", language: "typescript", out: "d/" };
    const lists = {
      "twice.json": [source, { from: "good.json", language: "c", out: "d/index.ts" }],
      "list.json": [{ schema: "ast", out: "list.json" }],
      "own.json": [{ ...source, language: "c", out: `../${basename(line.folder)}/ast.json` }],
      "other.json": [{ from: "good.json", language: "c", out: "ast.json" }, source],
    };
    const refused = "expected each output once, and no source, found";
    const expected = {
      "twice.json": `twice.json generated[1].out: ${refused} \`d/index.ts\` again, first at generated[0].out`,
      "list.json": `list.json generated[0].out: ${refused} \`list.json\` again, first at list.json`,
      "own.json":
        "own.json generated[0].out: expected an output that is not the description itself, found `ast.json`",
      "other.json": `other.json generated[0].out: ${refused} \`ast.json\` again, first at generated[1].from`,
    };
    for (const [name, generated] of Object.entries(lists)) {
      line.write(name, JSON.stringify({ generated }));
      const before = line.read("ast.json");
      const { code, stderr } = await line.run(["generate", "--list", name]);
      expect([code, stderr.split("\n")[0]!.replace(":1:", " ").replace(/ \d+ /, " ")]).toEqual([
        1,
        expected[name as keyof typeof expected],
      ]);
      expect(line.read("ast.json")).toBe(before);
    }
    line.write("a.json", JSON.stringify({ generated: [source] }));
    line.write("b.json", JSON.stringify({ generated: [{ schema: "ast", out: "d/ptx.ts" }] }));
    for (const words of [
      ["generate", "--list"],
      ["check", "--generated"],
    ]) {
      const { code, stdout, stderr } = await line.run([...words, "a.json", "b.json"]);
      expect(code).toBe(1);
      expect(stdout + stderr).toContain("`d/ptx.ts` again, first at generated[0].out of a.json");
    }
  });

  it("refuse unknown keys", async () => {
    line.write("keys.json", '{ "generated": [], "genrated": [], "x": 1 }');
    const { stdout } = await line.run(["check", "--generated", "keys.json"]);
    expect(stdout).toContain(
      "keys.json:1:20 genrated: expected only the key `generated`, found `genrated`, did you mean `generated`?",
    );
    expect(stdout).toContain("keys.json:1:36 x: expected only the key `generated`, found `x`");
  });

  it("are fresh in this repository", async () => {
    const list = join(ROOT, "type_descriptions/generated.json");
    const { code, stdout } = await line.run(["check", "--generated", list]);
    expect(stdout).not.toMatch(/stale|missing/);
    expect(code).toBe(0);
  });
});
