// Wrong command lines of `mm-ptx-cuda`, its help and its version.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../../tests/support/workspace.js";
import { BACKENDS } from "../support/backends.js";
import { CommandLine } from "../support/command-line.js";
import { module } from "../support/ptx.js";

let line: CommandLine;
beforeAll(() => {
  line = new CommandLine();
  for (const name of ["a.ptx", "b.ptx", "x/a.ptx"]) line.write(name, module());
});
afterAll(() => line.remove());

const NO_ARCHITECTURE =
  "expected `--arch`, such as `--arch sm_90`, found nothing; `--arch native` compiles for this machine's GPU, and `mm-ptx-cuda doctor` shows its architecture and lists the others";

describe.runIf(BACKENDS.length > 0)("a wrong command line", () => {
  const CASES: Record<string, string> = {
    "": "expected a command, found nothing; `mm-ptx-cuda --help` lists them",
    comple:
      "expected a command (compile, doctor, cache, fetch, inspect), found `comple`, did you mean `compile`?",
    compile: NO_ARCHITECTURE,
    "compile a.ptx": NO_ARCHITECTURE,
    "compile --arch sm_90": "expected the argument `inputs`, found nothing",
    "compile a.ptx --arch": "expected a value after `--arch`, found nothing",
    "compile a.ptx --arch sm_90,":
      "option `--arch`: expected architectures separated by commas, found `sm_90,`",
    "compile a.ptx -a sm_90 --efort draft":
      "expected a known option, found `--efort`, did you mean `--effort`?",
    "compile a.ptx -a sm_90 --effort darft":
      "option `--effort`: expected a word (final, balanced, draft), found `darft`, did you mean `draft`?",
    "compile a.ptx -a sm_90 --backend in-proces":
      "option `--backend`: expected a backend (auto, isolated, in-process, ptxas, nvjitlink), found `in-proces`, did you mean `in-process`?",
    "compile a.ptx -a sm_90 --workers many": "option `--workers`: expected a whole number, found `many`",
    "compile a.ptx -a sm_90 --workers 0":
      "option `--workers`: expected a whole number from 1 to 1024, found 0",
    "compile a.ptx -a sm_90 --timeout 1s": "option `--timeout`: expected a whole number, found `1s`",
    "compile a.ptx -a sm_90 --memory-limit 2T":
      "option `--memory-limit`: expected bytes, for example `2G`, found `2T`",
    "compile a.ptx -a sm_90 --memory-limit 1G --backend ptxas":
      "options `--memory-limit` and `--backend`: expected the backend `isolated` or `nvjitlink`, since only they support a limit, found `ptxas`",
    "compile a.ptx -a sm_90 --debug --effort draft":
      "options `--debug` and `--effort`: expected only one of them, since debug code is not optimized",
    "compile a.ptx -a sm_90 --out=": "option `--out`: expected a path, found ``",
    "compile a.ptx b.ptx -a sm_90 -o one.cubin":
      "expected a folder/ for 2 cubins, found `one.cubin`, did you mean `one.cubin/`?",
    "compile a.ptx -a sm_80,sm_90 -o -": "expected a folder/ for 2 cubins, found standard output",
    "compile a.ptx b.ptx -a sm_90 -o b.ptx":
      "expected a folder/ for 2 cubins, found `b.ptx`, which is a file",
    "compile - -a sm_90": "expected a file after `--out` for standard input, found none",
    "compile a.ptx x/a.ptx -a sm_90 -o out":
      "expected an output of its own for each input, found `out/a.cubin` for `a.ptx` and `x/a.ptx`",
    "compile a.ptx -a sm_90 -o a.ptx":
      "expected outputs that do not overwrite inputs, found `a.ptx`, which is an input",
    "doctor me": "expected 0 arguments, found `me`",
    "cache stat": "expected a cache action (stats, clear, verify), found `stat`, did you mean `stats`?",
    "cache clear --folder=": "option `--folder`: expected a path, found ``",
    "cache stats --fetched": "expected `--fetched` with `clear`, found it with `stats`",
    "fetch ptxs": "expected a name (compiler, ptxas, nvjitlink), found `ptxs`, did you mean `ptxas`?",
    fetch: "expected the argument `what`, found nothing",
    inspect: "expected the argument `file`, found nothing",
    "inspect a.ptx b.ptx": "expected 1 argument, found `a.ptx`, `b.ptx`",
    "inspect a.ptx --sass": "expected a cubin with `--sass`, found another kind of file",
    "inspect a.ptx --sections": "expected a cubin with `--sections`, found another kind of file",
  };

  it("exits with 2, prints one sentence and writes nothing", async () => {
    const before = readdirSync(line.folder).sort();
    const all = Object.keys(CASES);
    const ended = await Promise.all(all.map((words) => line.run(words === "" ? [] : words.split(" "))));
    const found = ended.map((each, at) => [all[at], each] as const);
    const expected = Object.entries(CASES).map(([words, message]) => [
      words,
      { code: 2, stdout: "", stderr: `error: ${message}\n` },
    ]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    expect(readdirSync(line.folder).sort()).toEqual(before);
  }, 60_000);

  it("suggests the nearest architecture, and says what `native` needs", async () => {
    const wrong = await line.run(["compile", "a.ptx", "-a", "sm_90,sm_9"]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/found `sm_9`, did you mean `sm_\d+`\?\n$/);
    const native = await line.run(["compile", "a.ptx", "-a", "native"], {
      MM_PTX_DRIVER: "/nowhere/libcuda.so",
    });
    expect(native.code).toBe(1);
    expect(native.stderr).toMatch(/^error: `native` needs a GPU with its driver: /);
  });

  it("is reported as JSON when `--json` was given", async () => {
    const { code, stdout, stderr } = await line.run([
      "compile",
      "a.ptx",
      "-a",
      "sm_90",
      "--effort",
      "x",
      "--json",
    ]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      error: {
        code: "USAGE",
        message: "option `--effort`: expected a word (final, balanced, draft), found `x`",
        help: expect.stringMatching(/#command-lines-usage$/),
      },
    });
  });
});

describe("--help and --version", () => {
  it("print and exit with 0", async () => {
    const commands = [[], ["compile"], ["doctor"], ["cache"], ["fetch"], ["inspect"]];
    const helps = await Promise.all(commands.map((command) => line.run([...command, "--help"])));
    for (const { code, stdout, stderr } of helps) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^Usage: mm-ptx-cuda/);
    }
    const { version } = JSON.parse(readFileSync(join(ROOT, "packages/cuda/package.json"), "utf8"));
    expect(await line.runAlone(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});
