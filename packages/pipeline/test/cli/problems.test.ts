// What `mm-ptx-pipeline` says about wrong command lines, configurations and files.
import { readFileSync, writeFileSync } from "node:fs";
import { writeProgramFile } from "@mm-ptx/stack";
import { table } from "@mm-ptx/stack/default";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pipelineCommand, pipelineFailure } from "../../dist/command.js";
import { PipelineError } from "../../dist/index.js";
import { doubled, times } from "../support/kernel.js";
import { PipelineFolder } from "./folder.js";

let folder: PipelineFolder;
beforeAll(() => {
  folder = new PipelineFolder();
  folder.lines("programs.jsonl", [times(2)]);
  folder.config("good.mjs");
});
afterAll(() => folder.remove());

it("a wrong command line ends with 2", async () => {
  const cases: Record<string, string> = {
    "": "expected a command, found nothing; `mm-ptx-pipeline --help` lists them",
    rnu: "expected a command (run), found `rnu`, did you mean `run`?",
    run: "expected the argument `config`, found nothing",
    "run good.mjs --pakc 3": "expected a known option, found `--pakc`, did you mean `--pack`?",
    "run good.mjs --pack 0": "option `--pack`: expected auto, none, or a number from 1 to 65535, found `0`",
    "run good.mjs --resume": "expected `--out` with `--resume`, found standard output",
    "run good.mjs -o good.mjs":
      "expected outputs that do not overwrite inputs, found `good.mjs`, which is an input",
    "run good.mjs -o kernel.ptx":
      "expected outputs that do not overwrite inputs, found `kernel.ptx`, which is the kernel",
    "run good.mjs -o a --report a":
      "expected an output of its own for each input, found `a` for `good.mjs` and the report",
  };
  for (const [words, message] of Object.entries(cases)) {
    const ended = await folder.run(words === "" ? [] : words.split(" "));
    expect([words, ended]).toEqual([words, { code: 2, stdout: "", stderr: `error: ${message}\n` }]);
  }
  const { code, stdout } = await folder.run(["run", "good.mjs", "--json"]);
  expect([code, JSON.parse(stdout).error.code]).toEqual([2, "USAGE"]);
});

describe("a problem ends with 1, and says where it is:", () => {
  let count = 0;
  /** What a configuration with some fields leads to. */
  async function problemOf(fields: Readonly<Record<string, string>>, before?: string): Promise<string> {
    const name = folder.config(`wrong${count++}.mjs`, fields, before);
    const { code, stdout, stderr } = await folder.run(["run", name]);
    expect([code, stdout]).toEqual([1, ""]);
    return stderr.replaceAll(folder.folder, "").replaceAll(name, "CONFIG");
  }

  it("configurations", async () => {
    const cases: [fields: Readonly<Record<string, string>>, expected: string][] = [
      [
        { kernel: "undefined" },
        "CONFIG: error: field `kernel`: expected the path of a kernel, or what `parsePtx` returns, found undefined",
      ],
      [
        { progams: "[]" },
        "CONFIG: error: unknown field `progams` of the configuration, did you mean `programs`?",
      ],
      [
        { device: '"gpu"' },
        "CONFIG: error: field `device`: expected `emulator`, `cuda`, `none`, options of the emulator or a device, found `gpu`",
      ],
      [{ device: "{ wokers: 2 }" }, "CONFIG: error: unknown option `wokers`, did you mean `workers`?"],
      [
        { programs: "undefined" },
        "CONFIG: error: field `programs`: expected a file or an iterable of programs, found none",
      ],
      [{ programs: "5" }, "CONFIG: error: expected an iterable of programs, found 5"],
      [
        { combine: '"cross"' },
        'CONFIG: error: field `programs`: expected programs for each site with `combine: "cross"`, found one file',
      ],
      [
        { sites: "{ fucn: textSite() }" },
        "CONFIG: error: expected a site of the kernel (`func`), found `fucn`, did you mean `func`?",
      ],
      [
        { pack: '"many"' },
        "CONFIG: error: option `pack`: expected `auto`, `none`, a number or { kind, size }, found `many`",
      ],
      [
        { launch: "undefined" },
        "CONFIG: error: expected `launch`, which says how the kernel is launched on the device, found none",
      ],
      [
        { read: "squaredError(x.subarray(1))" },
        "CONFIG: error: expected 40 numbers in the target of `squaredError`, as output 0 has, found 39",
      ],
      [
        { device: '"none"' },
        "CONFIG: error: expected a device that runs the programs or a compiler, found neither",
      ],
      [{ device: '"none"', compiler: '{ arch: "sm_9" }' }, "CONFIG: error: option `arch`: expected one of "],
    ];
    for (const [fields, expected] of cases) expect(await problemOf(fields)).toContain(expected);
  });

  it("modules", async () => {
    expect(await problemOf({}, '\nthrow new Error("no data");')).toBe(
      "CONFIG:7:7: error: expected a configuration, but the module threw: no data\n",
    );
    expect(await problemOf({}, 'raw("y.bin", Float32Array);')).toContain(
      "expected a configuration, but the module threw: expected a file to read, found `y.bin`: no such file\n",
    );
    expect(await problemOf({ launch: "() => {" })).toContain(
      "expected a configuration, but the module threw: ",
    );
    folder.write("names.mjs", "export const config = {};");
    expect((await folder.run(["run", "names.mjs"])).stderr).toBe(
      "names.mjs: error: expected a default export, found `config`\n",
    );
    folder.write("rejects.mjs", 'export default () => Promise.reject("why");');
    expect((await folder.run(["run", "rejects.mjs"])).stderr).toContain("the module threw: `why`\n");
    expect((await folder.run(["run", "goood.mjs"])).stderr).toBe(
      "error: expected a file to read, found `goood.mjs`: no such file, did you mean `good.mjs`?\n",
    );
  });

  it("kernels", async () => {
    folder.write("bad.ptx", folder.read("kernel.ptx").replace("// PTX_INJECT_END", ""));
    expect(await problemOf({ kernel: '"bad.ptx"' })).toMatch(/^bad\.ptx: error: /);
    expect(await problemOf({ kernel: '"krenel.ptx"' })).toBe(
      "krenel.ptx: error: expected a file to read, found `krenel.ptx`: no such file\n",
    );
    writeFileSync(folder.path("cut.mmk"), "\x89MMKRN\r\n", "latin1");
    expect(await problemOf({ kernel: '"cut.mmk"' })).toMatch(/^cut\.mmk: error: /);
  });

  it("programs", async () => {
    const stack = "{ func: stackSite(table) }";
    writeFileSync(folder.path("p.mmptx"), Buffer.concat([...writeProgramFile(table, {}, [doubled(1)])]));
    expect(await problemOf({ programs: '"p.mmptx"' })).toBe(
      "p.mmptx: error: expected a kernel with one site of Stack PTX for a program file, found other sites\n",
    );
    const other = { ...table, fingerprint: "0".repeat(64), bases: [] };
    writeFileSync(folder.path("other.mmptx"), Buffer.concat([...writeProgramFile(other, {}, [doubled(1)])]));
    expect(await problemOf({ sites: stack, programs: '"other.mmptx"' })).toMatch(
      /^other\.mmptx: error: expected .*table/,
    );
    const bytes = readFileSync(folder.path("p.mmptx"));
    writeFileSync(folder.path("cut.mmptx"), bytes.subarray(0, bytes.length - 4));
    expect(await failedAfter('"cut.mmptx"', stack)).toMatch(/^cut\.mmptx: error: expected the rest/);
    expect(await problemOf({ programs: '"none.jsonl"' })).toBe(
      "error: expected a file with programs, found `none.jsonl`: no such file\n",
    );
    folder.write("bad.jsonl", '"\\tmov.f32 %_x0, %_x1;"\n\n[1]\n');
    expect(await failedAfter('"bad.jsonl"')).toBe(
      "bad.jsonl:3: error: expected a text, or an object with a text for each site, found an array\n",
    );
    folder.write("text.jsonl", "mov.f32");
    expect(await problemOf({ programs: '"text.jsonl"' })).toMatch(
      /^text\.jsonl:1: error: expected a program as JSON: /,
    );
    expect(
      await failedAfter(
        `(function* () { yield ${JSON.stringify(times(2))}; throw new Error("no more"); })()`,
      ),
    ).toBe("CONFIG: error: expected programs, but their iterable threw: no more\n");
  });

  it("outputs", async () => {
    const { code, stderr } = await folder.run(["run", "good.mjs", "-o", "kernel.ptx/x.jsonl"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: expected a file to write, found `kernel.ptx\/x.jsonl`: /),
    ]);
    expect((await folder.run(["run", "good.mjs", "-o", "."])).stderr).toBe(
      "error: expected a file to write, found `.`: a folder\n",
    );
  });

  /** What producers lead to that fail after a program. */
  async function failedAfter(programs: string, sites = "{ func: textSite() }"): Promise<string> {
    const name = folder.config(`after${count++}.mjs`, { programs, sites });
    const { code, stderr } = await folder.run(["run", name, "-o", "after.jsonl"]);
    expect(code).toBe(1);
    return stderr.replaceAll(name, "CONFIG");
  }
});

it("a full disk ends the run", async () => {
  const { code, stderr } = await folder.run(["run", "good.mjs", "-o", "/dev/full"]);
  expect([code, stderr]).toEqual([
    1,
    "error: expected a file to write, found `/dev/full`: no room on the disk\n",
  ]);
});

it("the command is a value that other programs can run", async () => {
  const outcomes: { readonly ok: boolean }[] = [];
  const command = pipelineCommand((outcome) => outcomes.push(outcome));
  expect([command.name(), command.commands.map((each) => each.name())]).toEqual(["mm-ptx-pipeline", ["run"]]);
  const config = folder.config("value.mjs");
  // Paths are relative to the folder of this process.
  const text = folder
    .read(config)
    .replace(/"(kernel\.ptx|x\.bin|programs\.jsonl)"/g, (_, name) => JSON.stringify(folder.path(name)));
  folder.write(config, text);
  await command.parseAsync(["run", folder.path(config), "-o", folder.path("value.jsonl"), "-q"], {
    from: "user",
  });
  expect(outcomes).toMatchObject([{ ok: true }]);
  expect(folder.results(folder.read("value.jsonl"))).toMatchObject([{ index: 0, status: "ok" }]);
  expect(pipelineFailure(new PipelineError("STORE", "no room"))).toMatchObject({
    code: 1,
    json: { code: "STORE", message: "no room" },
  });
  const wrong = await pipelineCommand(() => {})
    .parseAsync(["run", folder.path(config), "--resume"], { from: "user" })
    .catch((error: unknown) => error);
  expect(pipelineFailure(wrong)).toMatchObject({ code: 2, json: { code: "USAGE" } });
  expect(pipelineFailure(new TypeError("a bug"))).toBeUndefined();
});
