// The built command `mm-ptx-emulate`: what it prints and writes, and how it reports mistakes.
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProgramFolder } from "../../../../tests/support/command-line.js";
import { floats, SCALE } from "../support/scale.js";

const FOREVER = `.version 8.0
.target sm_75
.address_size 64
.visible .entry forever()
{
	.reg .b32 %r<2>;
$L:
	add.u32 %r1, %r1, 1;
	bra $L;
}
`;
/** Prints `on`, then loops forever. */
const PRINTING = `.version 8.0
.target sm_75
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 args);
.global .align 1 .b8 text[4] = {111, 110, 10, 0};
.visible .entry forever()
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	mov.u64 %rd1, text;
	{
	.param .b64 format;
	.param .b64 args;
	.param .b32 r;
	st.param.b64 [format], %rd1;
	st.param.b64 [args], 0;
	call.uni (r), vprintf, (format, args);
	}
$L:
	add.u32 %r1, %r1, 1;
	bra $L;
}
`;

const ARGS = ["--arg", "buffer=in.bin:out.bin", "--arg", "f32=2", "--arg", "bytes=pair.bin"];

let program: ProgramFolder;
beforeAll(() => {
  program = new ProgramFolder("packages/emulator/dist/cli/main.js");
  program.write("scale.ptx", SCALE);
  program.write("forever.ptx", FOREVER);
  program.write("printing.ptx", PRINTING);
  program.write("two.ptx", SCALE + SCALE.slice(SCALE.indexOf(".visible")).replace("scale", "other"));
  program.write("bad.ptx", SCALE.replace("mov.u32 %r1", "mvo.u32 %r1").replace("%rd2, %r1", "%rd9, %r1"));
  program.write("in.bin", floats(1, 2, 3, 4));
  program.write("pair.bin", floats(0, 0.5));
});
afterAll(() => program.remove());

const run = (...words: string[]) => program.run(words);

describe("a launch", () => {
  it("reads its arguments from files and writes its results to others", async () => {
    const { code, stdout, stderr } = await run("scale.ptx", "--block", "4", ...ARGS);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(/^ran scale on 4 threads \(\w+, [\d.]+ ms\)\nwritten out.bin \(16 bytes\)\n$/);
    expect(new Uint8Array(readFileSync(program.path("out.bin")))).toEqual(floats(2.5, 4.5, 6.5, 8.5));
  });

  it("that stops is part of the reports of checks, whose suppressions are read first", async () => {
    const words = ["forever.ptx", "--timeout", "50", "--check", "sync"];
    const { code, stdout, stderr } = await run(...words, "--report", "text", "--report", "junit=-");
    expect(code).toBe(1);
    expect(stdout).toContain('tests="1" failures="1"');
    expect(stderr).toMatch(/^no findings; a launch stopped with an error\n[\s\S]*forever/);
    const unread = await run(...words, "--suppress", "none.txt");
    expect(unread.stderr).toMatch(/^error: expected a file to read/);
  });

  it("accepts a filled kernel as JSON, and names the line of its stub", async () => {
    const segments = SCALE.split("\tfma.rn.f32 %f3, %f3, %f1, %f2;") as [string, string];
    const [before, after] = segments.map((text) => text.split("\n").length - 1) as [number, number];
    const lines = [
      { kernelLine: 1, lines: before, head: 0, tail: 0 },
      { kernelLine: before + 1, lines: after, head: 0, tail: 0 },
    ];
    const template = { names: ["func"], segments, holes: [0], lines };
    const write = (name: string, func: string) =>
      program.write(name, JSON.stringify({ template, stubs: { func } }));
    write("filled.json", "\tfma.rn.f32 %f3, %f3, %f1, %f2;");
    write("wrong.json", "\n\tfma.rn.f33 %f3, %f3, %f1, %f2;");
    program.write("odd.json", "{");
    expect((await run("filled.json", "--block", "4", ...ARGS)).code).toBe(0);
    expect(new Uint8Array(readFileSync(program.path("out.bin")))).toEqual(floats(2.5, 4.5, 6.5, 8.5));
    expect((await run("wrong.json", "--block", "4", ...ARGS)).stderr).toMatch(
      /^wrong\.json: error: injection `func`, site 1, stub line 2: expected/,
    );
    expect((await run("odd.json", "--block", "4", ...ARGS)).stderr).toContain(
      "expected JSON of a filled kernel",
    );
  });

  it("runs on several threads of the machine, and ends", async () => {
    const words = ["scale.ptx", "--block", "4", "--engine", "webassembly", "--workers", "2", ...ARGS];
    expect((await run(...words)).code).toBe(0);
    expect(new Uint8Array(readFileSync(program.path("out.bin")))).toEqual(floats(2.5, 4.5, 6.5, 8.5));
  });

  it("shows the line of the CUDA source where a kernel of nvcc -lineinfo fails", async () => {
    const shift = (name: string) =>
      readFileSync(new URL(`../source/${name}`, import.meta.url), "utf8").replace("/project/", "sources/");
    program.write("shift.ptx", shift("shift.ptx"));
    const words = ["shift.ptx", "--kernel", "_ZN4grid5shiftIfEEvPT_PKS1_i", "--block", "4"];
    const fails = async () =>
      (await run(...words, "--arg", "zeros=16", "--arg", "zeros=16", "--arg", "u32=4")).stderr;
    expect(await fails()).toMatch(/^sources.shift.cu:6:3: error: expected an address/);
    program.write("shift.cu", shift("shift.cu"));
    program.write("shift.ptx", shift("shift.ptx").replace("sources/", ""));
    const [head, ...lines] = (await fails()).trimEnd().split("\n");
    expect(head).toMatch(/^shift.cu:6:3: error: expected an address/);
    expect(lines.slice(0, 6)).toEqual([
      "    6 |   return data[index];",
      "      |   ^",
      expect.stringMatching(/^`.*at.*` was inlined at shift.cu:10:3$/),
      "   10 |   return at(data, row * width + column);",
      "      |   ^",
      expect.stringMatching(/^`.*cell.*` was inlined at shift.cu:19:5$/),
    ]);
    expect(lines.slice(8)).toEqual([
      "shift.ptx:74:2",
      "   74 | \tld.global.f32 \t%f1, [%rd6];",
      expect.stringMatching(/^ {6}\| \t\^+$/),
    ]);
  });

  it("writes how often lines of the CUDA source ran", async () => {
    program.write("shift.ptx", readFileSync(new URL("../source/shift.ptx", import.meta.url), "utf8"));
    const words = ["--kernel", "grid::shift", "--arg", "zeros=16", "--arg", "zeros=32", "--arg", "u32=4"];
    const { code } = await run("shift.ptx", ...words, "--lcov", "out.info");
    expect(code).toBe(0);
    const tracefile = readFileSync(program.path("out.info"), "utf8");
    expect(tracefile).toMatch(/^TN:\nSF:\/project\/shift\.cu\nFN:25,shift\(int\*\)\n/);
    expect(tracefile).toContain("\nDA:6,4\n");
    const without = await run("scale.ptx", "--block", "4", ...ARGS, "--lcov", "-");
    expect(without.stderr).toContain("no source lines to count: compile the kernel with nvcc -lineinfo");
  });

  it("prints memory as numbers", async () => {
    const words = ["scale.ptx", "--block", "4", ...ARGS];
    expect((await run(...words, "--print", "f32")).stdout).toBe("data: 2.5 4.5 6.5 8.5\n");
    expect((await run(...words, "-p", "u16")).stdout).toBe("data: 0 16416 0 16528 0 16592 0 16648\n");
    expect(JSON.parse((await run(...words, "-p", "s64", "--json")).stdout).memory).toEqual([
      { name: "data", type: "s64", values: ["4652218416149561344", "4685995413366374400"] },
    ]);
  });

  it("prints the same as JSON", async () => {
    const words = ["scale.ptx", "-k", "scale", "-g", "1,1", "-b", "2", "-a", "zeros=8", ...ARGS.slice(2)];
    const { code, stdout } = await run(...words, "--trace", "1", "--json");
    const { milliseconds, engine, trace, traceLeftOut, ...rest } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(rest).toEqual({
      ok: true,
      kernel: "scale",
      kernelName: "scale",
      grid: [1, 1, 1],
      block: [2, 1, 1],
      printed: [],
      outputs: [],
    });
    expect([typeof milliseconds, engine]).toEqual(["number", "interpreter"]);
    expect([trace.length, traceLeftOut]).toEqual([10, 0]);
    expect(trace[3]).toEqual({
      function: "scale",
      line: 12,
      instruction: "mov.u32 %r1, %tid.x",
      values: [{ register: "%r1", type: "u32", text: "1", bits: "0x1" }],
    });
  });

  it("may write a buffer back to its file", async () => {
    program.write("there.bin", floats(1, 2));
    const args = ["-a", "buffer=there.bin:there.bin", ...ARGS.slice(2)];
    expect((await run("scale.ptx", "--block", "2", ...args)).code).toBe(0);
    expect(new Uint8Array(readFileSync(program.path("there.bin")))).toEqual(floats(2.5, 4.5));
  });

  it("may have more dynamic shared memory than 48 KiB", async () => {
    const args = ["-a", "zeros=8", ...ARGS.slice(2)];
    expect((await run("scale.ptx", "--shared", "100000", ...args)).code).toBe(0);
    const { code, stderr } = await run("scale.ptx", "--shared", "300000", ...args);
    expect(stderr).toContain("expected `bytes` as a whole number from 0 to 232448, found 300000");
    expect(code).toBe(1);
  });

  it("has its listing and its picture in the JSON if they go to stdout", async () => {
    const words = ["scale.ptx", "-a", "zeros=8", ...ARGS.slice(2), "--listing", "-", "--json"];
    expect(JSON.parse((await run(...words)).stdout).listing).toContain("16 |         fma.rn.f32");
    const picture = words.map((word) => (word === "--listing" ? "--heat-map" : word));
    expect(JSON.parse((await run(...picture)).stdout).heatMap).toMatch(/^<svg /);
  });

  it("is traced, counted and drawn", async () => {
    const shown = ["--trace", "0:3", "--listing", "-", "--heat-map", "heat.svg"];
    const { code, stdout } = await run(
      "scale.ptx",
      "--block",
      "4",
      "--arg",
      "zeros=16",
      ...ARGS.slice(2),
      ...shown,
    );
    expect(code).toBe(0);
    expect(stdout).toContain("   12  mov.u32 %r1, %tid.x                             %r1=3\n");
    expect(stdout).toContain("    4   10.0 %    17 |         st.global.f32 [%rd1], %f3;\n");
    expect(program.read("heat.svg")).toMatch(
      /^<svg .*aria-label="scale of scale.ptx, 1 x 1 x 1 blocks of 4 x 1 x 1 threads"/,
    );
  });
});

describe("a mistake or fault", () => {
  it("in a launch has its file and line", async () => {
    const { code, stderr } = await run("scale.ptx", "--block", "5", ...ARGS);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^scale.ptx:15:2: error: expected an address in an allocation, found a load of 4 bytes at 0x7f\w+, right after buffer 1 \(16 bytes at 0x7f\w+\); thread \(4, 0, 0\) of block \(0, 0, 0\) of kernel `scale`\n {3}15 \| \tld/,
    );
    const { stdout } = await run("scale.ptx", "--block", "5", ...ARGS, "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      error: {
        code: "OUT_OF_BOUNDS",
        file: "scale.ptx",
        place: { line: 15, thread: [4, 0, 0] },
        address: expect.stringMatching(/^0x7f\w+10$/),
        near: { label: "buffer 1", distance: 16 },
      },
    });
  });

  it("in a traced launch is printed after the trace", async () => {
    const { code, stdout, stderr } = await run("scale.ptx", "--block", "5", ...ARGS, "--trace", "4");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {3}14 {2}add.s64 .*\n$/m);
    expect(stderr).toContain("scale.ptx:15:2: error");
  });

  it("does not end a trace, which is truncated", async () => {
    const { stdout } = await run("forever.ptx", "--budget", "300000", "--trace", "0");
    expect(stdout.split("\n")).toHaveLength(10_001);
  });

  it("in the PTX is reported together with all others", async () => {
    const { code, stderr } = await run("bad.ptx");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^bad.ptx:12:2: error: .*mvo/);
    expect(stderr).toMatch(/^bad.ptx:13:\d+: error: .*%rd9/m);
  });

  it("that takes too long is reported with its loop", async () => {
    for (const limit of [
      ["--budget", "100000"],
      ["--timeout", "50"],
    ]) {
      const { code, stderr } = await run("forever.ptx", ...limit);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^forever.ptx: error: kernel `forever`: expected .*loop from line 8, column 2/);
    }
  });

  it("does not delay an interrupt, even within a translated block", async () => {
    const child = program.start(["printing.ptx", "--engine", "webassembly", "--timeout", "30000"]);
    child.stdout!.once("data", () => child.kill("SIGINT"));
    expect(await once(child, "close")).toEqual([null, "SIGINT"]);
  });

  it.each<[string[], string]>([
    [
      ["scale.ptx", "--arg", "f32"],
      "option `--arg`: expected type=value (u8, s8, u16, s16, u32, s32, u64, s64, f16, bf16, f32, f64, buffer, zeros, bytes), found `f32`",
    ],
    [["scale.ptx", "--arg", "fp32=2"], "did you mean `f32`?"],
    [["scale.ptx", "--arg", "f32=two"], "option `--arg`: expected a number, found `f32=two`"],
    [["scale.ptx", "--arg", "u32=1.5"], "option `--arg`: expected a whole number, found `u32=1.5`"],
    [
      ["scale.ptx", "--arg", "u8=256"],
      "option `--arg`: expected a whole number from 0 to 255 for u8, found 256",
    ],
    [["scale.ptx", "--arg", "zeros=x"], "option `--arg`: expected a number of bytes, found `zeros=x`"],
    [["scale.ptx", "--arg", "buffer=:out"], "option `--arg`: expected a path, found `buffer=:out`"],
    [
      ["scale.ptx", "--block", "1,2,3,4"],
      "option `--block`: expected 1 to 3 numbers above 0, separated by commas, such as 16,16, found `1,2,3,4`",
    ],
    [["scale.ptx", "--grid", "4,0"], "numbers above 0, separated by commas, such as 16,16, found `4,0`"],
    [["scale.ptx", "--budget", "0"], "option `--budget`: expected a whole number above 0, found `0`"],
    [
      ["scale.ptx", "--trace", "1:2:3"],
      "option `--trace`: expected a thread as x,y,z, or block:thread, found `1:2:3`",
    ],
    [
      ["scale.ptx", "--engine", "gpu"],
      "option `--engine`: expected an engine (auto, webassembly, interpreter), found `gpu`",
    ],
    [["scale.ptx", "--workers", "1000"], "option `--workers`: expected at most 256 workers, found `1000`"],
    [["scale.ptx", "--blok", "4"], "expected a known option, found `--blok`, did you mean `--block`?"],
    [
      ["scale.ptx", "--memory", "99999999999"],
      "option `--memory`: expected at most 4261412864 bytes of memory, found `99999999999`",
    ],
    [["scale.ptx", "-a", "zeros=1:o", "-a", "zeros=1:./o"], "expected each output once, found `./o` twice"],
    [
      ["scale.ptx", "-a", "zeros=8", "-p", "fp32"],
      "option `--print`: expected a type of numbers (u8, s8, u16, s16, u32, s32, u64, s64, f32, f64), found `fp32`, did you mean `f32`?",
    ],
    [["scale.ptx", "-p", "f32"], "(0), found it 1 times"],
    [["scale.ptx", ...ARGS, "-p", "f32", "-p", "f32"], "(1), found it 2 times"],
    [
      ["scale.ptx", "-a", "zeros=10", ...ARGS.slice(2), "-p", "f32"],
      "expected memory of whole f32 values for `--print`, found 10 bytes",
    ],
    [[], "expected the argument `file`, found nothing"],
    [["scale.ptx", "-a", "zeros=1:-"], "option `--arg`: expected a file to write, found `zeros=1:-`"],
    [["-", "-a", "buffer=-"], "expected an input once, found standard input twice"],
    [
      ["scale.ptx", "--listing", "-", "--heat-map", "-"],
      "expected an output once, found standard output twice",
    ],
    [
      ["scale.ptx", "--listing", "scale.ptx"],
      "that do not overwrite inputs, found `scale.ptx`, which is an input",
    ],
    [["scale.ptx", "-a", "buffer=in.bin", "--heat-map", "in.bin"], "found `in.bin`, which is an input"],
    [
      ["scale.ptx", "-k", "scal"],
      "expected a kernel of the module (`scale`), found `scal`, did you mean `scale`?",
    ],
    [["two.ptx"], "expected `--kernel` for a file with `scale`, `other`, found nothing"],
  ])("%j is a wrong command line", async (words, message) => {
    const { code, stdout, stderr } = await run(...words);
    expect(stderr).toContain(message);
    expect([code, stdout]).toEqual([2, ""]);
  });

  it.each<[string[], string]>([
    [["nowhere.ptx"], "error: expected a file to read, found `nowhere.ptx`: no such file\n"],
    [["scale.ptx"], "scale.ptx: error: expected 3 arguments for kernel `scale`, found 0\n"],
    [
      ["scale.ptx", "--block", "2048", ...ARGS],
      "expected a whole number from 1 to 1024 as block.x, found 2048",
    ],
    [
      ["scale.ptx", "--memory", "10", ...ARGS],
      "expected room for 16 bytes (buffer 1) and 496 after them, found 10 bytes of memory",
    ],
  ])("%j fails", async (words, message) => {
    const { code, stderr } = await run(...words);
    expect(stderr).toContain(message);
    expect(code).toBe(1);
  });
});

it("shows its help, which names every option, and its version", async () => {
  const { code, stdout } = await run("--help");
  const names = [
    "kernel",
    "grid",
    "block",
    "shared",
    "arg",
    "engine",
    "memory",
    "budget",
    "timeout",
    "check",
    "print",
    "trace",
    "listing",
    "heat-map",
    "json",
  ];
  for (const name of names) expect(stdout).toContain(`--${name}`);
  expect([code, existsSync(program.path("o"))]).toEqual([0, false]);
  expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
