// The commands of `ptxinject` that read PTX: `inspect`, `render`, `expand` and `pack`; and `header`.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "../../../../tests/support/workspace.js";
import { cudaHeader, expandSites, pack, parsePtx } from "../../src/index.js";
import { CommandLine, PTX } from "../support/command-line.js";

const STUB = "\tmul.ftz.f32 %_x0, %_x1, %_x1;";
const RENDERED = parsePtx(PTX).render({ func: STUB });

let line: CommandLine;
beforeEach(() => {
  line = new CommandLine();
  line.write("k.ptx", PTX);
  line.write("stub.ptx", `${STUB}\n`);
});
afterEach(() => line.remove());

describe("inspect", () => {
  it("shows operands and sites", async () => {
    expect(await line.run(["inspect", "k.ptx"])).toEqual({
      code: 0,
      stdout: `k.ptx: 1 injection, 2 sites

func
  operand  direction  type  register  PTX type
  z        out        F32   %_x0      .f32
  x        in         F32   %_x1      .f32

  line  function  z       x
  12    scale     -> %f2  %f1
  22    scale     -> %f3  %f2
`,
      stderr: "",
    });
    line.write("none.ptx", ".version 8.0\n");
    expect((await line.run(["inspect", "none.ptx"])).stdout).toBe("none.ptx: 0 injections, 0 sites\n");
  });

  it("says when an injection has no operands", async () => {
    line.write("bare.ptx", "// PTX_INJECT_START mark\n// PTX_INJECT_END\n");
    expect((await line.run(["inspect", "bare.ptx"])).stdout).toBe(`bare.ptx: 1 injection, 1 site

mark
  no operands

  line  function
  1
`);
  });

  it("prints the same as JSON", async () => {
    const { stdout } = await line.run(["inspect", "-", "--json"], {}, { input: PTX });
    const operand = { registerType: "f32", type: "F32" };
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      file: "-",
      injections: [
        {
          name: "func",
          index: 0,
          operands: [
            { ...operand, name: "z", index: 0, direction: "out", register: "_x0" },
            { ...operand, name: "x", index: 1, direction: "in", register: "_x1" },
          ],
          sites: [
            {
              line: 12,
              function: "scale",
              values: [
                { in: null, out: "%f2" },
                { in: "%f1", out: null },
              ],
            },
            {
              line: 22,
              function: "scale",
              values: [
                { in: null, out: "%f3" },
                { in: "%f2", out: null },
              ],
            },
          ],
        },
      ],
    });
  });

  it("shows where a mistake is", async () => {
    line.write("bad.ptx", PTX.replace("_x1 i f32", "_x1 q f32"));
    const { code, stderr } = await line.run(["inspect", "bad.ptx"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^bad\.ptx:14:\d+: error: expected one space and `m`, `o` or `i` .*\n {3}14 \| .*\n.*\^+\n$/,
    );
    const json = await line.run(["inspect", "bad.ptx", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      error: { code: "FORMATTING", problems: [{ file: "bad.ptx", line: 14 }] },
    });
    expect((await line.run(["inspect", "k.pt"])).stderr).toBe(
      "error: expected a file to read, found `k.pt`: no such file, did you mean `k.ptx`?\n",
    );
  });

  it("reads 0.x PTX for stubs with the registers of 0.x", async () => {
    line.write("z.ptx", "\t// PTX_INJECT_START f\n\t// %f1 out f32 y\n\t// PTX_INJECT_END\n");
    const words = ["render", "z.ptx", "--text", "f=\tSTUB", "--register-prefix"];
    expect((await line.run([...words, "z"])).stdout).toBe(
      "\t{\n\t.reg .f32 %z0;\n\tSTUB\n\tmov.f32 %f1, %z0;\n\t}\n",
    );
    expect(await line.run([...words, "f"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("expected the beginning of a register's name, such as `_x` or `z`"),
    });
  });

  it("reads 0.x PTX with the types of a description", async () => {
    line.write("old.ptx", "// PTX_INJECT_START f\n// %f1 mod real y\n// PTX_INJECT_END\n");
    line.write(
      "types.json",
      '{ "abi_version": 1, "data_type_infos": [{ "name": "real", "register_type": "f32", "mov_postfix": "f32", "register_char": "f", "register_cast_str": "" }] }',
    );
    expect((await line.run(["inspect", "old.ptx"])).stderr).toMatch(/^old\.ptx:2:\d+: error: .*`real`/);
    expect((await line.run(["inspect", "old.ptx", "-t", "types.json"])).stdout).toContain(
      "  y        mod        real  %_x0      .f32\n",
    );
  });
});

describe("render", () => {
  it("replaces sites with stubs from files, stdin and the command line", async () => {
    const ended = { code: 0, stdout: RENDERED, stderr: "" };
    expect(await line.run(["render", "k.ptx", "--stub", "func=stub.ptx"])).toEqual(ended);
    expect(await line.run(["render", "k.ptx", "-s", "func=-"], {}, { input: `${STUB}\r\n` })).toEqual(ended);
    expect(await line.run(["render", "-", "--text", `func=${STUB}`], {}, { input: PTX })).toEqual(ended);
    const file = await line.run(["render", "k.ptx", "--stub", "func=stub.ptx", "-o", "out/k.ptx"]);
    expect(file).toEqual({ code: 0, stdout: "written out/k.ptx\n", stderr: "" });
    expect(line.read("out/k.ptx")).toBe(RENDERED);
    const again = await line.run(["render", "k.ptx", "--stub", "func=stub.ptx", "-o", "out/k.ptx", "--json"]);
    expect(JSON.parse(again.stdout)).toEqual({
      ok: true,
      output: "out/k.ptx",
      state: "unchanged",
      problems: [],
    });
  });

  it("accepts names with an equals sign", async () => {
    line.write("k.ptx", PTX.replaceAll("START func", "START a=b"));
    const { stdout } = await line.run(["render", "k.ptx", "--text", `a=b=${STUB}`]);
    expect(stdout).toBe(RENDERED);
  });

  it("reports all mistakes in stubs, each in its file", async () => {
    line.write("stub.ptx", `${STUB}\n\t}\n`);
    line.write("k.ptx", `${PTX}${PTX.replaceAll("START func", "START other")}`);
    const words = [
      "render",
      "k.ptx",
      "-s",
      "func=stub.ptx",
      "--text",
      "other={",
      "--text",
      "othr=",
      "-o",
      "o",
    ];
    expect(await line.run(words)).toEqual({
      code: 1,
      stdout: "",
      stderr: `stub.ptx:2:2: error: stub of \`func\`: expected a \`{\` for every \`}\`, found one that would end the scope of the site
    2 | 	}
      | 	^
--text other:1:1: error: stub of \`other\`: expected \`}\` for this brace, found the end of the stub
    1 | {
      | ^
--text othr: error: expected an injection (\`func\`, \`other\`), found \`othr\`, did you mean \`other\`?
`,
    });
  });

  it("warns of suspicious stubs", async () => {
    line.write("stub.ptx", "\tmov.f32 %_x0, %_x9;\n");
    const { code, stdout, stderr } = await line.run(["render", "k.ptx", "-s", "func=stub.ptx"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: RENDERED.replaceAll(STUB, "\tmov.f32 %_x0, %_x9;") });
    expect(stderr).toMatch(/^stub\.ptx:1:16: warning: stub of `func`: .*`%_x9`.*\n {4}1 \| .*\n.*\^{4}\n$/);
  });

  it("treats warnings as errors on request", async () => {
    line.write("stub.ptx", "\tmov.f32 %_x0, %_x9;\n");
    const words = ["render", "k.ptx", "-s", "func=stub.ptx", "--strict", "-o", "out.ptx"];
    const { code, stdout, stderr } = await line.run(words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^stub\.ptx:1:16: error: stub of `func`: .*`%_x9`/);
    expect(existsSync(line.path("out.ptx"))).toBe(false);
    line.write("stub.ptx", `${STUB}\n`);
    expect((await line.run(words)).code).toBe(0);
  });

  it("requires a stub for every injection, or leaves sites empty on request", async () => {
    expect(await line.run(["render", "k.ptx"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "k.ptx: error: expected a stub for the injection, found none for `func`\n",
    });
    const empty = await line.run(["render", "k.ptx", "--missing", "empty"]);
    expect(empty).toEqual({ code: 0, stdout: parsePtx(PTX).render({ func: "" }), stderr: "" });
  });

  it("keeps the bytes of the PTX in any encoding", async () => {
    line.write("k.ptx", Buffer.from(`// \xfc\n${PTX}`, "latin1"));
    const words = ["render", "k.ptx", "--text", `func=${STUB}`];
    const { stdout } = await line.run(words, {}, { encoding: "latin1" });
    expect(stdout).toBe(`// \xfc\n${RENDERED}`);
    line.write("k.ptx", `// ü\n${PTX}`);
    expect((await line.run(words)).stdout).toBe(`// ü\n${RENDERED}`);
    line.write("stub.ptx", Buffer.from("// \xfc", "latin1"));
    expect((await line.run(["render", "k.ptx", "-s", "func=stub.ptx"])).stderr).toBe(
      "error: expected a stub in UTF-8, as the PTX is, found `stub.ptx`\n",
    );
  });
});

describe("header", () => {
  it("prints the package's own header without a description", async () => {
    const { stdout } = await line.run(["header"]);
    expect(stdout).toBe(cudaHeader());
    expect(stdout).toBe(readFileSync(join(ROOT, "packages/inject/include/ptx_inject.h"), "utf8"));
  });

  it("defines the types of a description", async () => {
    line.write(
      "types.json",
      '{ "abi_version": 1, "data_type_infos": [{ "name": "DOG", "register_type": "f32", "mov_postfix": "f32", "register_char": "f", "register_cast_str": "" }] }',
    );
    const { stdout } = await line.run(["header", "--types", "types.json", "-o", "include/mine.h"]);
    expect(stdout).toBe("written include/mine.h\n");
    expect(line.read("include/mine.h")).toContain("PTX_TYPE_INFO_DOG");
    expect(line.read("include/mine.h")).not.toContain("PTX_TYPE_INFO_F32");
  });
});

describe("expand", () => {
  it("turns an injection into several", async () => {
    const words = ["expand", "k.ptx", "func", "--count", "3", "--select", "%ctaid.x"];
    const { code, stdout } = await line.run(words);
    expect(code).toBe(0);
    expect(stdout).toBe(expandSites(parsePtx(PTX), "func", 3, { select: "%ctaid.x" }).text);
    expect((await line.run(["expand", "k.ptx", "fun", "-n", "3", "--select", "%ctaid.x"])).stderr).toBe(
      "k.ptx: error: expected an injection (`func`), found `fun`, did you mean `func`?\n",
    );
  });
});

describe("pack", () => {
  const STUBS = [{ func: STUB }, { func: "\tmov.f32 %_x0, %_x1;" }];

  it("writes one module and maps its names to variants", async () => {
    line.write("stubs.json", JSON.stringify(STUBS));
    const words = [
      "pack",
      "k.ptx",
      "--stubs",
      "stubs.json",
      "-o",
      "out/pack.ptx",
      "--names",
      "out/names.json",
    ];
    expect(await line.run(words)).toEqual({ code: 0, stdout: "written out/pack.ptx\n", stderr: "" });
    const packed = pack(parsePtx(PTX), STUBS);
    expect(line.read("out/pack.ptx")).toBe(packed.text);
    const { variants, ...names } = JSON.parse(line.read("out/names.json"));
    expect(names).toEqual(packed.names);
    expect(variants).toEqual([0, 1].map((index) => ({ index, entries: { scale: `scale_${index}` } })));
    const json = await line.run([...words.slice(0, 4), "--json"]);
    expect(JSON.parse(json.stdout)).toEqual({ ok: true, text: packed.text, variants, problems: [] });
  });

  it("names the variant that has a mistake", async () => {
    line.write("stubs.json", JSON.stringify([...STUBS, { func: "}" }]));
    const { code, stderr } = await line.run(["pack", "k.ptx", "--stubs", "stubs.json"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^k\.ptx: error: stubs of variant 2: stub of `func`: expected a `{`/);
    line.write("stubs.json", "[");
    expect((await line.run(["pack", "k.ptx", "--stubs", "stubs.json"])).stderr).toMatch(
      /^error: expected an array of stubs by injection name as JSON, found `stubs\.json`: /,
    );
    line.write("stubs.json", '{ "func": "" }');
    expect((await line.run(["pack", "k.ptx", "--stubs", "stubs.json"])).code).toBe(1);
  });
});
