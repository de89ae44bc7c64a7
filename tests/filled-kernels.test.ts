// Filled kernels and packs on their whole way, from a site to the compiler, the emulator and the command
// lines, whose errors name the line of the stub.

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capabilities, PtxCompiler, readCubin } from "../packages/cuda/dist/index.js";
import { EmulatedDevice } from "../packages/emulator/dist/index.js";
import { PtxInjectError, type PtxPack, pack, parsePtx } from "../packages/inject/dist/index.js";
import { checkFilledKernel } from "../packages/types/dist/core/index.js";
import { ProgramFolder } from "./support/command-line.js";

const COMPILES = capabilities().backends.some(({ available }) => available);
const PTX = `.version 8.0
.target sm_75
.address_size 64
.visible .entry scale(.param .u64 data)
{
	.reg .f32 %f<4>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [data];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	ld.global.f32 %f1, [%rd3];
	{
	.reg .f32 %_x0;
	mov.f32 %_x0, %f1;
	// PTX_INJECT_START func
	// _x0 m f32 F32 x
	// PTX_INJECT_END
	mov.f32 %f2, %_x0;
	}
	st.global.f32 [%rd3], %f2;
	ret;
}
`;
const KERNEL = parsePtx(PTX);
const TWICE = "\tadd.f32 %_x0, %_x0, %_x0;";
const SQUARE = "\tmul.f32 %_x0, %_x0, %_x0;";
const WRONG = `${TWICE}\n\tadd.f33 %_x0, %_x0, %_x0;`;
const PLACE = "injection `func`, site 1, stub line 2";

async function run(device: EmulatedDevice, ptx: Parameters<EmulatedDevice["load"]>[0], kernel: string) {
  const buffer = device.allocate(16);
  await buffer.copyFrom(new Float32Array([1, 2, 3, 4]));
  await device.stream.run(device.load(ptx).kernel(kernel), { grid: 1, block: 4 }, [buffer]);
  const bytes = (await buffer.read()) as Uint8Array;
  return [...new Float32Array(bytes.slice().buffer)];
}

/** The message with which a call throws or rejects. */
async function messageOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("expected an error, found none");
}

describe("a pack", () => {
  const good = pack(KERNEL, [{ func: TWICE }, { func: SQUARE }]);
  const bad = pack(KERNEL, [{ func: TWICE }, { func: SQUARE }, { func: WRONG }]);

  it("is loaded by the emulator, whose errors name variant and stub line", async () => {
    using device = EmulatedDevice.open();
    expect(await run(device, good, "scale_0")).toEqual([2, 4, 6, 8]);
    expect(await run(device, good, "scale_1")).toEqual([1, 4, 9, 16]);
    expect(await messageOf(() => device.load(bad))).toContain(`(variant 2, ${PLACE}): expected`);
  });

  it.runIf(COMPILES)("is compiled, and errors name variant and stub line", async () => {
    using compiler = new PtxCompiler({ arch: "sm_90", cache: false, workers: 1 });
    const compiled = await compiler.compile(good);
    expect(compiled.kernels.map(({ name }) => name)).toEqual(["scale_0", "scale_1"]);
    expect(readCubin(compiled.cubin).entries).toEqual(expect.arrayContaining(["scale_0", "scale_1"]));
    for (const compile of [
      () => compiler.compile(bad),
      () => compiler.compile({ ptx: bad, priority: 1 }),
      () => compiler.compileSync(bad),
    ]) {
      expect(await messageOf(compile)).toContain(`: variant 2, ${PLACE}: `);
    }
  });

  it("accepts filled kernels or copies of them in place of stubs, but not of another kernel", () => {
    const filled = [TWICE, SQUARE, WRONG].map((func) => KERNEL.fill({ func }));
    const texts = (packs: readonly PtxPack[]) => packs.map(({ text }) => text);
    const copies = [structuredClone(filled), JSON.parse(JSON.stringify(filled)) as typeof filled];
    expect(texts([filled, ...copies].map((one) => pack(KERNEL, one)))).toEqual(texts([bad, bad, bad]));
    expect(pack(KERNEL, [filled[0]!, { func: SQUARE }]).text).toBe(good.text);
    const other = parsePtx(PTX.replace("scale", "other")).fill({ func: TWICE });
    expect(() => pack(KERNEL, [filled[0]!, other])).toThrowError(PtxInjectError);
    expect(() => pack(KERNEL, [filled[0]!, other])).toThrowError(
      "stubs of variant 1: expected a filled kernel of this PTX, found one of another text",
    );
  });
});

describe("an annotated kernel that is not filled", () => {
  const FILL_FIRST = "a kernel that has to be filled first with `kernel.fill(stubs)`";

  it("is refused by the emulator", async () => {
    using device = EmulatedDevice.open();
    expect(await messageOf(() => device.load(KERNEL as never))).toContain(FILL_FIRST);
  });

  it.runIf(COMPILES)("is refused by the compiler", async () => {
    using compiler = new PtxCompiler({ arch: "sm_90", cache: false, workers: 1 });
    expect(await messageOf(() => compiler.compile(KERNEL as never))).toContain(FILL_FIRST);
    expect(await messageOf(() => compiler.compile({ ptx: KERNEL as never }))).toContain(FILL_FIRST);
  });
});

describe("the JSON of `ptxinject render --filled`", () => {
  const inject = new ProgramFolder("packages/inject/dist/cli/main.js");
  const program = (main: string) => Object.assign(new ProgramFolder(main), { folder: inject.folder });
  const emulate = program("packages/emulator/dist/cli/main.js");
  const cuda = program("packages/cuda/dist/cli/main.js");
  const LAUNCH = ["--block", "4", "--arg", "buffer=in.bin:out.bin"];

  beforeAll(async () => {
    inject.write("k.ptx", PTX);
    inject.write("in.bin", new Uint8Array(new Float32Array([1, 2, 3, 4]).buffer));
    for (const [name, stub] of Object.entries({ good: SQUARE, bad: WRONG })) {
      const words = ["render", "k.ptx", "--text", `func=${stub}`, "--filled", "-o", `${name}.json`];
      expect(await inject.run(words)).toMatchObject({ code: 0, stdout: `written ${name}.json\n` });
    }
  });
  afterAll(() => inject.remove());

  it("equals the filled kernel", () => {
    const filled = checkFilledKernel(JSON.parse(inject.read("good.json")));
    expect(filled).toEqual(KERNEL.fill({ func: SQUARE }));
  });

  it.each([
    [["inspect", "good.json"]],
    [["render", "good.json"]],
    [["render", "good.json", "--text", `func=${SQUARE}`, "--filled"]],
    [["expand", "good.json", "func", "--count", "2", "--select", "%ctaid.x"]],
    [["pack", "good.json", "--stubs", "func=*.txt"]],
  ])("is no PTX to fill: ptxinject %j", async (words) => {
    const { code, stdout, stderr } = await inject.run(words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(
      "expected PTX, found `good.json`, the JSON of a filled kernel, whose sites have their stubs already",
    );
    inject.write("other.json", "{}");
    const other = await inject.run(["inspect", "other.json"]);
    expect(other.code).toBe(1);
    expect(other.stderr).toContain("expected PTX, found `other.json`, which is JSON");
  });

  it("runs in the emulator, whose errors name the stub", async () => {
    expect((await emulate.run(["good.json", ...LAUNCH])).code).toBe(0);
    const out = readFileSync(inject.path("out.bin"));
    expect([...new Float32Array(new Uint8Array(out).buffer)]).toEqual([1, 4, 9, 16]);
    const { code, stderr } = await emulate.run(["bad.json", ...LAUNCH]);
    expect(code).toBe(1);
    expect(stderr).toContain(`bad.json: error: ${PLACE}: expected`);
  });

  it.runIf(COMPILES)("compiles, and errors name the stub", async () => {
    const words = ["compile", "good.json", "bad.json", "-a", "sm_90", "-o", "out", "--no-cache"];
    const { code, stdout, stderr } = await cuda.run(words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "written out/good.cubin\n" });
    expect(stderr).toContain(`${PLACE}: `);
    // Extra properties of the JSON object are ignored.
    inject.write("more.json", JSON.stringify({ ...JSON.parse(inject.read("good.json")), message: "x" }));
    expect((await cuda.run(["compile", "more.json", "-a", "sm_90", "--no-cache"])).code).toBe(0);
  });

  it("is inspected like its PTX", async () => {
    const { stdout: rendered } = await inject.run(["render", "k.ptx", "--text", `func=${SQUARE}`]);
    inject.write("good.ptx", rendered);
    const expected = await cuda.run(["inspect", "good.ptx"]);
    expect(expected.stdout).toContain("scale");
    const found = await cuda.run(["inspect", "good.json"]);
    expect(found).toEqual({ ...expected, stdout: expected.stdout.replace("good.ptx", "good.json") });
  });

  it.each<[what: string, text: string]>([
    ["empty", "{}"],
    ["damaged", '{ "template": '],
    ["an array", "[]"],
    ["a template of null", '{ "template": null, "stubs": {} }'],
    ["stubs of another type", JSON.stringify({ ...KERNEL.fill({ func: "" }), stubs: { func: 5 } })],
    ["without a stub", JSON.stringify({ template: KERNEL.template(), stubs: {} })],
    [
      "with a hole too many",
      JSON.stringify({ template: { ...KERNEL.template(), holes: [0, 0] }, stubs: { func: "" } }),
    ],
    [
      "with a hole of no stub",
      JSON.stringify({ template: { ...KERNEL.template(), holes: [7] }, stubs: { func: "" } }),
    ],
    [
      "with odd lines",
      JSON.stringify({ template: { ...KERNEL.template(), lines: [1, 2] }, stubs: { func: "" } }),
    ],
  ])("is refused in one line if it is %s", async (_, text) => {
    inject.write("odd.json", text);
    const commands = [emulate.run(["odd.json", ...LAUNCH]), cuda.run(["inspect", "odd.json"])];
    if (COMPILES) commands.push(cuda.run(["compile", "odd.json", "-a", "sm_90", "--no-cache"]));
    for (const { code, stdout, stderr } of await Promise.all(commands)) {
      expect([1, 2]).toContain(code);
      expect(stdout).toBe("");
      expect(stderr).toContain("odd.json");
      expect(stderr).not.toMatch(/^ +at /m);
      if (text.startsWith("{")) expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    }
  });
});
