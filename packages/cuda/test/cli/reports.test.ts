// `mm-ptx-cuda inspect`, `cache` and `doctor`: what they report, and which inputs they refuse.

import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_TOOLKITS } from "../../../../tests/support/no-toolkits.js";
import { ROOT, readManifest } from "../../../../tests/support/workspace.js";
import { encodeEntry } from "../../src/cache/entry.js";
import { findDisassembler } from "../../src/cubin/disassembler.js";
import { DiskCache } from "../../src/index.js";
import { BACKENDS, IN_PROCESS } from "../support/backends.js";
import { ENTRY } from "../support/cache.js";
import { CommandLine } from "../support/command-line.js";
import { compiled, ptxFile } from "../support/cubins.js";

let line: CommandLine;
beforeAll(async () => {
  line = new CommandLine();
  line.write("rich.ptx", ptxFile("rich"));
  line.write("bare.ptx", ".version 8.0\n.target sm_75\n.address_size 64\n");
  line.write("text.txt", "hello world\n");
  line.write("words.ptx", ".version 8.0\nhello world\n");
  line.write("program.exe", Buffer.from("MZ\x90\0\x03\0\0\0.version", "latin1"));
  line.write("all.fatbin", Buffer.from("\x50\xed\x55\xba\x01\0\x10\0", "latin1"));
  line.write("empty", "");
  if (BACKENDS.length === 0) return;
  const { cubin } = await compiled(ptxFile("rich"), "sm_90a");
  line.write("rich.cubin", cubin);
  line.write("cut.cubin", cubin.subarray(0, 1000));
  line.write("lines.cubin", (await compiled(ptxFile("inlined"), "sm_90")).cubin);
});
afterAll(() => line.remove());

describe.runIf(BACKENDS.length > 0)("inspect of a cubin", () => {
  it("prints tables", async () => {
    const { code, stdout, stderr } = await line.run(["inspect", "rich.cubin"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^rich\.cubin: sm_90a, CUDA 13\.0, from PTX for sm_75, 3 kernels, [\d.]+ KiB\n\n {2}kernel /,
    );
    for (const row of [
      /^ {2}scale +\d+ +\d+ +0 +0 +512 +569 +1 {2}at most 256 x 2 x 1$/m,
      /^ {2}second +\d+ +\d+ +0 +0 +0 +532 +4 {2}32 x 4 x 2$/m,
      /^ {2}scale +2 +16 +24$/m,
      /^ {2}\$scale\$twice {2}\.text\.scale +\d+/m,
      /^ {2}weights +constant +16 {2}no +yes$/m,
    ]) {
      expect(stdout).toMatch(row);
    }
    expect(stdout).not.toMatch(/\.shstrtab/);
  });

  it("prints one kernel, symbols, sections and lines on request", async () => {
    const one = await line.run(["inspect", "rich.cubin", "--kernel", "second", "--symbols", "--sections"]);
    expect(one.stdout).toMatch(/, 1 kernel, /);
    expect(one.stdout).toMatch(/^ {2}\.shstrtab +64 +\d+$/m);
    expect(one.stdout).toMatch(/^ {2}seen +\.nv\.global +0 +8$/m);
    expect(one.stdout).not.toMatch(/^ {2}function/m);
    expect((await line.run(["inspect", "rich.cubin", "--kernel", "scale"])).stdout).toContain("$scale$twice");
    const lines = await line.run(["inspect", "lines.cubin", "--lines"]);
    expect(lines.stdout).toMatch(/^ {2}\.text\.bound +\d+ {2}bound\.cu:5 inlined at bound\.cu:12 +20$/m);
  });

  it("prints JSON", async () => {
    const found = JSON.parse((await line.run(["inspect", "rich.cubin", "--json"])).stdout);
    expect(found).toMatchObject({ ok: true, file: "rich.cubin", arch: "sm_90a", abi: 8 });
    expect(found.kernels.map(({ name }: { name: string }) => name).sort()).toEqual([
      "scale",
      "second",
      "third",
    ]);
    expect(found.variables).toContainEqual({
      name: "counter",
      space: "global",
      bytes: 4,
      visible: false,
      initial: "07000000",
    });
    expect(found).not.toHaveProperty("sections");
    const more = JSON.parse(
      (await line.run(["inspect", "lines.cubin", "--json", "--lines", "--sections"])).stdout,
    );
    expect(more.kernels[0].lines[0]).toEqual({ offset: 0, file: "bound.cu", line: 9 });
    expect(more.sections.length).toBeGreaterThan(5);
  });

  it.runIf(findDisassembler().found !== undefined)("prints machine code with its lines", async () => {
    const { code, stdout } = await line.run(["inspect", "lines.cubin", "--sass"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^bound\n {4}\/\/ bound\.cu:9\n {2}0000 {2}\S/m);
    expect(stdout).toMatch(/^ {4}\/\/ bound\.cu:5 inlined at bound\.cu:12\n {2}[0-9a-f]{4} {2}FMUL/m);
    const { sass } = JSON.parse(
      (await line.run(["inspect", "rich.cubin", "--sass", "--kernel", "third", "--json"])).stdout,
    );
    expect(sass.map(({ name }: { name: string }) => name)).toEqual(["third"]);
  });

  it("reads stdin", async () => {
    const { stdout } = await line.run(["inspect", "-"], {}, { input: readFileSync(line.path("rich.cubin")) });
    expect(stdout).toMatch(/^<stdin>: sm_90a, /);
    expect((await line.run(["inspect", "-"], {}, { input: "words" })).stderr).toBe(
      "<stdin>: error: expected a cubin or PTX, found standard input, which has no `.version`\n",
    );
  });
});

describe("inspect of PTX", () => {
  it("prints kernels with their parameters, and variables", async () => {
    const { code, stdout, stderr } = await line.run(["inspect", "rich.ptx"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^rich\.ptx: PTX 8\.0 for sm_75, 3 kernels\n\nscale\n {2}parameter /);
    expect(stdout).toMatch(/^ {2}shape +\.b8 +24 +8$/m);
    expect(stdout).toMatch(/^third\n {2}no parameters$/m);
    expect(stdout).toMatch(/^ {2}weights +const +\.f32 +16$/m);
    const one = JSON.parse((await line.run(["inspect", "rich.ptx", "--kernel", "second", "--json"])).stdout);
    expect(one).toMatchObject({
      version: "8.0",
      target: "sm_75",
      kernels: [{ name: "second", parameters: [{ name: "count" }] }],
    });
    expect((await line.run(["inspect", "bare.ptx"])).stdout).toBe("bare.ptx: PTX 8.0 for sm_75, 0 kernels\n");
  });

  it("names the lines of a filled kernel as they were written", async () => {
    const segments = [".version 8.0\n.target sm_75\n.visible .entry k() {\n", "\n\tret;\n}\n"];
    const lines = [
      { kernelLine: 1, lines: 3, head: 0, tail: 0 },
      { kernelLine: 5, lines: 3, head: 0, tail: 0 },
    ];
    const template = { names: ["func"], segments, holes: [0], lines };
    line.write("filled.json", JSON.stringify({ template, stubs: { func: "\t// one\n\tnop $ 5;" } }));
    const { code, stdout, stderr } = await line.run(["inspect", "filled.json"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^filled\.json: error: injection `func`, site 1, stub line 2, column \d+: /);
    expect(stderr).toMatch(/^ *2 \| \tnop \$ 5;$/m);
  });

  it("exits with 1 for other files, and for missing ones", async () => {
    const cases: Record<string, RegExp> = {
      "text.txt":
        /^text\.txt: error: expected a cubin or PTX, found `text\.txt`, which has no `\.version`\n$/,
      "words.ptx":
        /^words\.ptx: error: line 2, column 1: expected a function or a directive, found `hello world`/,
      "program.exe":
        /^program\.exe: error: expected a cubin or PTX, found `program\.exe`, which is neither\n$/,
      "all.fatbin": /^all\.fatbin: error: expected a cubin or PTX, found `all\.fatbin`, a fat binary: .*\n$/,
      empty: /^empty: error: expected a cubin or PTX, found `empty`, which has no `\.version`\n$/,
      "rich.ptxx":
        /^rich\.ptxx: error: expected a file to read, found `rich\.ptxx`: no such file, did you mean `rich\.ptx`\?\n$/,
      ".": /^\.: error: expected a file to read, found `\.`: a folder/,
      "rich.ptx --kernel scael":
        /^rich\.ptx: error: expected a kernel of the PTX, found `scael`, did you mean `scale`\?\n$/,
      ...(BACKENDS.length === 0
        ? {}
        : {
            "cut.cubin":
              /^cut\.cubin: error: expected at least \d+ bytes, found 1000: the cubin is truncated/,
            "rich.cubin --kernel thrid":
              /^rich\.cubin: error: expected a kernel of the cubin, found `thrid`, did you mean `third`\?\n$/,
          }),
    };
    for (const [words, message] of Object.entries(cases)) {
      const { code, stdout, stderr } = await line.run(["inspect", ...words.split(" ")]);
      expect({ words, code, stdout }).toEqual({ words, code: 1, stdout: "" });
      expect(stderr).toMatch(message);
    }
    const json = JSON.parse((await line.run(["inspect", "nothing", "--json"])).stdout);
    expect(json).toMatchObject({ ok: false, error: { code: "FILE", file: "nothing" } });
  });
});

describe.runIf(BACKENDS.length > 0)("cache", () => {
  it("counts entries, verifies them, and clears the cache", async () => {
    await line.run(["compile", "rich.ptx", "-a", "sm_80,sm_90", "-o", "made"]);
    const { entries, bytes, ok, folder } = JSON.parse((await line.run(["cache", "stats", "--json"])).stdout);
    expect({ ok, folder, entries }).toEqual({ ok: true, folder: line.path("cache"), entries: 2 });
    expect((await line.run(["cache"])).stdout).toContain(": 2 entries (2 cubins), ");
    expect(bytes).toBeGreaterThan(1000);
    expect(await line.run(["cache", "verify", "--folder", "cache"])).toEqual({
      code: 0,
      stdout: "cache: 2 entries sound, none corrupt\n",
      stderr: "",
    });
    const [part] = readdirSync(line.path("cache"));
    const [name] = readdirSync(join(line.path("cache"), part!));
    writeFileSync(join(line.path("cache"), part!, name!), "damage");
    const damaged = await line.run(["cache", "verify", "--folder", "cache"]);
    expect(damaged).toMatchObject({ code: 1, stdout: "cache: 1 entry sound, 1 entry corrupt and deleted\n" });
    expect((await line.run(["cache", "clear", "--folder", "cache"])).stdout).toBe("cache: 1 entry removed\n");
    expect((await line.run(["cache", "stats", "--folder", "cache"])).stdout).toBe(
      "cache: 0 entries, 0 bytes\n",
    );
    writeFileSync(join(line.path("cache"), part!, ".0a.new"), "half");
    expect((await line.run(["cache", "stats", "--folder", "cache"])).stdout).toBe(
      "cache: 0 entries, 1 unfinished, 4 bytes\n",
    );
  });

  it("shows how many entries there are of each kind", async () => {
    const disk = new DiskCache(line.path("kinds"), 2 ** 20);
    disk.put("0".repeat(64), ENTRY);
    for (const digit of ["1", "2"]) disk.put(digit.repeat(64), ENTRY, "cuda");
    disk.put("1".repeat(64), ENTRY, "headers");
    await disk.flush();
    expect((await line.run(["cache", "stats", "--folder", "kinds"])).stdout).toBe(
      "kinds: 4 entries (1 cubin, 2 results from CUDA, 1 list of headers), 1.6 KiB\n",
    );
    const { kinds } = JSON.parse((await line.run(["cache", "stats", "--folder", "kinds", "--json"])).stdout);
    const bytes = encodeEntry("0".repeat(64), ENTRY).length;
    expect(kinds).toEqual({
      cubin: { entries: 1, bytes },
      cuda: { entries: 2, bytes: 2 * bytes },
      headers: { entries: 1, bytes },
    });
  });

  it("shows what was fetched, and deletes it only on request", async () => {
    line.write("full/compilers/nvidia-nvjitlink-13.0.88/lib/library", "x".repeat(1000));
    line.write("full/compilers/nvidia-nvjitlink-13.0.88/License.txt", "license");
    line.write("full/programs/nats-server-2.15.1/nats-server", "program");
    const all =
      "full: 0 entries, 0 bytes\n  fetched nvidia-nvjitlink-13.0.88, 1007 bytes\n  fetched nats-server-2.15.1, 7 bytes\n";
    expect((await line.run(["cache", "clear", "--folder", "full"])).stdout).toBe("full: 0 entries removed\n");
    expect((await line.run(["cache", "--folder", "full"])).stdout).toBe(all);
    expect((await line.run(["cache", "clear", "--fetched", "--folder", "full"])).stdout).toBe(
      all.replace("0 entries, 0 bytes", "0 entries removed").replaceAll("fetched", "removed"),
    );
    expect((await line.run(["cache", "--folder", "full"])).stdout).toBe("full: 0 entries, 0 bytes\n");
  });

  it("refuses a path that is not a folder, and accepts a folder that compilers have not created yet", async () => {
    for (const [folder, reason] of [
      ["nowhere", "no such file"],
      ["rich.ptx", "a part of its path is not a folder"],
    ]) {
      expect(await line.run(["cache", "stats", "--folder", folder!])).toMatchObject({
        code: 1,
        stderr: `error: expected a folder, found \`${folder}\`: ${reason}\n`,
      });
    }
    const env = { MM_PTX_CACHE_DIR: line.path("later") };
    expect((await line.run(["cache", "stats"], env)).stdout).toMatch(/later: 0 entries, 0 bytes\n$/);
    line.write("mine/keep.txt", "not the cache's");
    await line.run(["cache", "clear", "--folder", "mine"]);
    expect(line.read("mine/keep.txt")).toBe("not the cache's");
  });
});

describe("doctor", () => {
  it.runIf(IN_PROCESS)(
    "compiles with each backend, and finds the other tools or says where it looked",
    async () => {
      const { code, stdout, stderr } = await line.run(["doctor", "--json"], {
        MM_PTX_DRIVER: "/nowhere/libcuda.so.1",
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const report = JSON.parse(stdout);
      expect(report).toMatchObject({
        ok: true,
        node: process.versions.node,
        driver: { file: "/nowhere/libcuda.so.1", problem: expect.stringContaining("/nowhere") },
      });
      for (const { name, milliseconds, problems } of report.backends) {
        if (BACKENDS.includes(name)) expect(milliseconds).toEqual([expect.any(Number), expect.any(Number)]);
        else expect(problems.length).toBeGreaterThan(0);
      }
      for (const { path, version, tried } of report.tools) {
        if (path === undefined) expect(tried.length).toBeGreaterThan(0);
        else expect(version).toMatch(/^\d+\./);
      }
      const text = await line.run(["doctor"]);
      expect(text.stdout).toMatch(/^mm-ptx-cuda \S+, Node /);
      expect(text.stdout).toMatch(/\nPTX compiles here\n$/);
    },
  );

  it.runIf(IN_PROCESS)("says why no cubins can be stored in the cache", async () => {
    line.write("file", "");
    for (const folder of [line.path("file"), line.path("file/below"), "/proc/nowhere"]) {
      const { code, stdout } = await line.run(["doctor"], { MM_PTX_CACHE_DIR: folder });
      expect(code).toBe(0);
      expect(stdout).toContain(
        `\nCache\n  - ${folder}  no cubins can be stored in it\n      expected a folder`,
      );
    }
    const later = line.path("not/yet");
    const { stdout } = await line.run(["doctor"], { MM_PTX_CACHE_DIR: later });
    expect(stdout).toContain(`\n  + ${later}  0 entries`);
    expect(readdirSync(later)).toEqual([]);
  });

  it.runIf(IN_PROCESS)(
    "has colours where the terminal shows them, and nothing else that controls it",
    async () => {
      const environment = { MM_PTX_CACHE_DIR: line.path("folder\x1b[1m") };
      const { stdout } = await line.run(["doctor"], { ...environment, FORCE_COLOR: "1" });
      expect(stdout).toContain("\x1b[32mPTX compiles here\x1b[39m\n");
      expect(stdout.match(/\\u001b.*/g)).toEqual(["\\u001b[1m  0 entries  0 bytes"]);
    },
  );

  it("exits with 1 if nothing compiles, and lists everything that was tried", () => {
    const env = {
      PATH: line.path("nowhere"),
      HOME: line.folder,
      MM_PTX_NATIVE_DIR: line.path("nothing"),
      MM_PTX_CACHE_DIR: line.path("cache"),
      NODE_OPTIONS: NO_TOOLKITS,
    };
    const main = installedAlone();
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [main, ...words], { env, encoding: "utf8" });
    const { status, stdout, stderr } = run("doctor");
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    // Paths below the home folder are printed without its name.
    expect(stdout).toContain("MM_PTX_NATIVE_DIR: ~/nothing: mmptx.node: not there");
    expect(stdout).not.toContain(line.folder);
    expect(stdout).toMatch(/\n {2}- ptxas +missing\n +PATH: ~\/nowhere: not there\n/);
    expect(stdout).toMatch(
      /\nno backend on this machine can compile PTX; each line above says what is missing, and `npx mm-ptx fetch compiler` downloads NVIDIA's compilers\n$/,
    );
    const report = JSON.parse(run("doctor", "--json").stdout);
    expect(report).toMatchObject({ ok: false, ptxVersions: [], driver: { problem: expect.any(String) } });
    const compile = run("compile", line.path("rich.ptx"), "-a", "sm_90");
    expect(compile.status).toBe(1);
    expect(compile.stderr).toMatch(
      /^error: expected a compiler for PTX, found none:\n {2}- MM_PTX_NATIVE_DIR: /,
    );
  });
});

/** The program in a copy of this package without its platform packages; its other dependencies are linked. */
function installedAlone(): string {
  const source = join(ROOT, "packages/cuda");
  const target = line.path("alone/node_modules/@mm-ptx/cuda");
  cpSync(join(source, "dist"), join(target, "dist"), { recursive: true });
  cpSync(join(source, "package.json"), join(target, "package.json"));
  const { dependencies } = readManifest("packages/cuda");
  for (const name of Object.keys(dependencies!)) {
    symlinkSync(realpathSync(join(source, "node_modules", name)), line.path(`alone/node_modules/${name}`));
  }
  return join(target, "dist/cli/main.js");
}
