// Wrong command lines of `ptxinject`, its help and its version.

import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ended } from "../../../../tests/support/command-line.js";
import { ROOT } from "../../../../tests/support/workspace.js";
import { CommandLine, KERNEL, PTX } from "../support/command-line.js";

const wordsOf = (words: string): string[] => (words === "" ? [] : words.trim().split(" "));

let line: CommandLine;
beforeAll(() => {
  line = new CommandLine();
  for (const name of ["a.cu", "b.cu", "x/a.cu", "x/b.cu"]) line.write(name, KERNEL);
  line.write("types.json", '{ "abi_version": 1, "extends": ["./base.json"] }');
  line.write("base.json", readFileSync(join(ROOT, "type_descriptions/inject_types.json")));
  line.write("k.ptx", PTX);
  symlinkSync("a.cu", line.path("link.cu"));
});
afterAll(() => line.remove());

describe("a wrong command line", () => {
  const CASES: Record<string, string> = {
    "": "expected a command, found nothing; `ptxinject --help` lists them",
    "-o out": "expected the argument `inputs`, found nothing",
    "--jsno a.cu": "expected a known option, found `--jsno`, did you mean `--json`?",
    // Options of mm-ptx 0.x.
    "a.cu -o out -f": "expected a known option, found `-f`",
    "a.cu -o out -v": "expected a known option, found `-v`",
    "a.cu -o": "expected a value after `--out`, found nothing",
    "a.cu --out=": "option `--out`: expected a path, found ``",
    "a.cu --mode marco":
      "option `--mode`: expected a mode (asm, macro), found `marco`, did you mean `macro`?",
    "a.cu --alternatives func=8": "option `--alternatives`: expected `name=count:expression`, found `func=8`",
    "a.cu b.cu": "expected a folder/ for 2 inputs after `--out`, found nothing",
    "a.cu b.cu -o -": "expected a folder/ for 2 inputs, found standard output",
    "a.cu b.cu -o all.cu": "expected a folder/ for 2 inputs, found `all.cu`, did you mean `all.cu/`?",
    "a.cu b.cu -o k.ptx": "expected a folder/ for 2 inputs, found `k.ptx`, which is a file",
    "- -o out/": "expected a file for standard input, found the folder `out/`",
    "a.cu x/a.cu -o out":
      "expected an output of its own for each input, found `out/a.cu` for `a.cu` and `x/a.cu`",
    "a.cu -o .": "expected outputs that do not overwrite inputs, found `a.cu`, which is an input",
    "x/*.cu -o x": "expected outputs that do not overwrite inputs, found `x/a.cu`, which is an input",
    "a.cu b.cu -o x/.. ": "expected outputs that do not overwrite inputs, found `a.cu`, which is an input",
    "a.cu -o link.cu": "expected outputs that do not overwrite inputs, found `link.cu`, which is an input",
    "a.cu --types types.json -o base.json":
      "expected outputs that do not overwrite inputs, found `base.json`, which is a description of types",
    "a.cu -o o.cu --depfile a.cu":
      "expected outputs that do not overwrite inputs, found `a.cu`, which is an input",
    "a.cu -o o.cu --depfile o.cu":
      "expected an output of its own for each input, found `o.cu` for `a.cu` and `--depfile`",
    "a.cu --check": "expected no `--check` with standard output, which is never stale",
    "a.cu --depfile d": "expected no `--depfile` with standard output, which cannot be a target",
    "a.cu --watch": "expected no `--watch` with standard output, which ends",
    "a.cu -o out --check --depfile d": "expected no `--depfile` with `--check`, which writes nothing",
    "a.cu -o out --check --watch": "expected no `--check` with `--watch`, which writes",
    "- -o o.cu -w": "expected no `--watch` with standard input, which does not change",
    inspect: "expected the argument `file`, found nothing",
    "inspect a b": "expected 1 argument, found `a`, `b`",
    "inspect k.ptx -o x": "expected a known option, found `-o`",
    "render k.ptx --stub func": "expected `name=…` after `--stub`, found `func`",
    "render k.ptx --text =x": "expected `name=…` after `--text`, found `=x`",
    "render k.ptx --text func= --text func=": "expected one stub for `func`, found two",
    "render - --stub func=-": "expected standard input in one place, found it in several",
    "render k.ptx --text func= --missing emtpy":
      "option `--missing`: expected a value (error, empty), found `emtpy`, did you mean `empty`?",
    "render k.ptx --text func= -o k.ptx":
      "expected outputs that do not overwrite inputs, found `k.ptx`, which is an input",
    "pack k.ptx": "expected `--stubs`, such as `--stubs stubs.json`, found nothing",
    "pack - --stubs -": "expected standard input in one place, found it in several",
    "expand k.ptx func --select %tid.x": "expected `--count`, such as `--count 4`, found nothing",
    "expand k.ptx func -n many --select %tid.x": "option `--count`: expected a whole number, found `many`",
    "header x": "expected 0 arguments, found `x`",
    "header --types types.json -o types.json":
      "expected outputs that do not overwrite inputs, found `types.json`, which is a description of types",
  };

  it("exits with 2, prints one sentence and writes nothing", async () => {
    const before = readdirSync(line.folder).sort();
    const ended = new Map<string, Ended>();
    for (const words of Object.keys(CASES)) {
      const input = words.includes("render -") ? PTX : KERNEL;
      ended.set(words, await line.run(wordsOf(words), {}, { input }));
    }
    const expected = Object.entries(CASES).map(([words, message]) => [
      words,
      { code: 2, stdout: "", stderr: `error: ${message}\n` },
    ]);
    expect(Object.fromEntries(ended)).toEqual(Object.fromEntries(expected));
    expect(readdirSync(line.folder).sort()).toEqual(before);
  });

  it("is reported as JSON when `--json` was given", async () => {
    const { code, stdout, stderr } = await line.run(["a.cu", "--mode", "x", "--json"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      error: {
        code: "USAGE",
        message: "option `--mode`: expected a mode (asm, macro), found `x`",
        help: expect.stringMatching(/#command-lines-usage$/),
      },
    });
  });

  it("is not one that names files like options or commands", async () => {
    line.write("--json", KERNEL);
    line.write("inspect", KERNEL);
    expect(await line.run(["-o", "made", "-q", "--", "--json", "inspect"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect(["made/--json", "made/inspect"].every((name) => existsSync(line.path(name)))).toBe(true);
  });
});

describe("--help and --version", () => {
  it("print and exit with 0", async () => {
    const commands = [[], ["annotate"], ["inspect"], ["render"], ["pack"], ["expand"], ["header"]];
    const helps = await Promise.all(commands.map((command) => line.run([...command, "--help"])));
    for (const { code, stdout, stderr } of helps) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^Usage: ptxinject/);
    }
    const { version } = JSON.parse(readFileSync(join(ROOT, "packages/inject/package.json"), "utf8"));
    for (const option of ["--version", "-V"]) {
      expect(await line.runAlone([option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    }
  });
});
