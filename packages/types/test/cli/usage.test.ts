// Wrong command lines of `mm-ptx-types`, its help and its version.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../../tests/support/workspace.js";
import { CommandLine } from "../support/command-line.js";

let line: CommandLine;
beforeAll(() => {
  line = new CommandLine();
});
afterAll(() => line.remove());

describe("a wrong command line", () => {
  const CASES: Record<string, string> = {
    "": "expected a command, found nothing; `mm-ptx-types --help` lists them",
    "chekc x":
      "expected a command (check, generate, schema, list, diff, python-exporter), found `chekc`, did you mean `check`?",
    check: "expected the argument `files`, found nothing",
    "check --jsno ast.json": "expected a known option, found `--jsno`, did you mean `--json`?",
    "list --json=1 x": "expected no value for `--json`, found `1`",
    "list a b": "expected 1 argument, found `a`, `b`",
    "diff ast.json": "expected the argument `after`, found nothing",
    "generate ast.json": "expected `--lang` with one of typescript, js, c, python, found nothing",
    "generate ast.json --language": "expected a value after `--lang`, found nothing",
    "generate ast.json --lang pyton":
      "option `--lang`: expected a language (typescript, js, c, python), found `pyton`, did you mean `python`?",
    "generate ast.json good.json --lang c": "expected one description file, found 2",
    "generate ast.json --lang python --prefix p":
      "option `--prefix`: expected no `prefix` for python, found `p`",
    "generate ast.json --lang c --prefix 9": "expected a C identifier as `prefix`, found `9`",
    "generate ast.json --lang c --out .":
      "option `--out`: expected a file for c, found `.`, which is a folder",
    "generate ast.json --lang typescript --out src/mine":
      "option `--out`: expected a file such as `table.ts`, or a folder/, found `src/mine`, did you mean `src/mine/`?",
    "generate ast.json --lang js --out made":
      "option `--out`: expected a file such as `table.js`, or a folder/, found `made`, did you mean `made/`?",
    "generate ast.json --lang js --out made.ts":
      "option `--out`: expected a file such as `table.js`, or a folder/, found `made.ts`",
    "generate ast.json --lang c --out ast.json":
      "option `--out`: expected an output that is not the description itself, found `ast.json`",
    "generate ast.json --lang c --out ./made/../ast.json":
      "option `--out`: expected an output that is not the description itself, found `./made/../ast.json`",
    "generate ast.json --lang typescript --encoders=":
      "option `--encoders`: expected a text that is not empty, found ``",
    "generate ast.json --lang c --out=": "option `--out`: expected a path, found ``",
    "generate --list x.json --lang c":
      "expected `--list` alone, because the lists contain all options, found `--language`",
    "schema stak": "expected a kind of description (stack, inject, ast), found `stak`, did you mean `stack`?",
  };

  it("exits with 2 and prints one sentence", async () => {
    const all = Object.keys(CASES);
    const ended = await Promise.all(all.map((words) => line.run(words === "" ? [] : words.split(" "))));
    const found = ended.map((each, at) => [all[at], each] as const);
    const expected = Object.entries(CASES).map(([words, message]) => [
      words,
      { code: 2, stdout: "", stderr: `error: ${message}\n` },
    ]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });

  it("is reported as JSON when `--json` was given", async () => {
    const { code, stdout, stderr } = await line.run(["schema", "stak", "--json"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      error: {
        code: "USAGE",
        message: CASES["schema stak"],
        help: expect.stringMatching(/#command-lines-usage$/),
      },
    });
    const file = await line.run(["check", "--", "--json"]);
    expect(file).toMatchObject({ code: 1, stdout: expect.stringContaining("found `--json`: no such file") });
    const before = await line.run(["--json", "check", "ast.json"]);
    expect(JSON.parse(before.stdout)).toMatchObject({ ok: true, files: [{ file: "ast.json" }] });
  });
});

describe("--help and --version", () => {
  it("print and exit with 0", async () => {
    const commands = [[], ["check"], ["generate"], ["schema"], ["list"], ["diff"]];
    const helps = await Promise.all(commands.map((words) => line.run([...words, "--help"])));
    for (const { code, stdout, stderr } of helps) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^Usage: mm-ptx-types/);
    }
    const { version } = JSON.parse(readFileSync(join(ROOT, "packages/types/package.json"), "utf8"));
    expect(await line.runAlone(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    const { stdout } = await line.runAlone(["--json", "--version"]);
    expect(JSON.parse(stdout)).toEqual({ ok: true, text: version });
  });
});
