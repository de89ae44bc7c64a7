// Translations that fail: emitters with mistakes stand in for mistakes of the translator.
import { filledKernel } from "@mm-ptx/types/core";
import { describe, expect, it, vi } from "vitest";
import { EmulatedDevice, type EmulatorError } from "../../src/index.js";
import type { Select } from "../../src/wasm/emit/select.js";

/** The emitter of `brev` pushes nothing for its result, and that of `bfind` throws. */
vi.mock("../../src/wasm/emit/bits.js", async (original) => {
  const { BITS, ...rest } = await original<typeof import("../../src/wasm/emit/bits.js")>();
  const invalid: Select = () => (emitter, step) => emitter.assign(step, 0, "i32", () => {});
  const broken: Select = () => () => {
    throw new TypeError("no such emitter");
  };
  return { ...rest, BITS: { ...BITS, brev: invalid, bfind: broken } };
});

const THREADS = 1024;

/** Each thread transforms a word in several steps. */
const textOf = (body: string) => `.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 data)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [data];
	mov.u32 %r1, %tid.x;
	mad.wide.u32 %rd2, %r1, 4, %rd1;
	ld.global.u32 %r2, [%rd2];
	popc.b32 %r3, %r2;
${body}
	add.u32 %r2, %r2, %r3;
	st.global.u32 [%rd2], %r2;
	ret;
}
`;

async function run(engine: "auto" | "webassembly", text: Parameters<EmulatedDevice["load"]>[0]) {
  using device = EmulatedDevice.open({ engine });
  const data = device.allocateUint32(THREADS);
  await data.copyFrom(Uint32Array.from({ length: THREADS }, (_, i) => i + 1));
  const report = await device.stream.run(device.load(text).kernel("k"), { grid: 1, block: THREADS }, [data]);
  return { engine: report.engine, words: [...(await data.read()).subarray(0, 3)] };
}

const failureOf = (text: Parameters<EmulatedDevice["load"]>[0]): Promise<EmulatorError> =>
  run("webassembly", text).then(
    () => expect.fail("expected a launch that fails"),
    (error: EmulatorError) => error,
  );

describe("a translation that fails", () => {
  it.each([
    ["is not valid WebAssembly", "\tbrev.b32 %r2, %r2;", [0x80000001, 0x40000001, 0xc0000002]],
    ["ends with an exception", "\tbfind.u32 %r2, %r2;", [1, 2, 3]],
  ])("because it %s leaves the kernel to the interpreter", async (_, body, words) => {
    expect(await run("auto", textOf(body))).toEqual({ engine: "interpreter", words });
  });

  it.each([
    ["brev.b32 %r2, %r2", /Compiling function|invalid/, WebAssembly.CompileError],
    ["bfind.u32 %r2, %r2", /fails: no such emitter/, TypeError],
  ])("is an error that names `%s` if WebAssembly was requested", async (instruction, why, cause) => {
    const error = await failureOf(textOf(`\tadd.u32 %r2, %r2, 0;\n\t${instruction};`));
    expect([error.name, error.code, error.cause]).toEqual([
      "EmulatorError",
      "UNSUPPORTED",
      expect.any(cause),
    ]);
    expect(error.message).toMatch(
      /^line 14, column 2: expected a kernel `k` that WebAssembly can run, found one whose translation fails: /,
    );
    expect(error.message).toMatch(why);
    expect(error.message).toContain(`14 | \t${instruction};`);
  });

  it("is located in the stub that has the instruction", async () => {
    const [before, after] = textOf("#").split("#") as [string, string];
    const lines = [
      { kernelLine: 1, lines: 12, head: 0, tail: 0 },
      { kernelLine: 13, lines: 5, head: 0, tail: 0 },
    ];
    const template = { names: ["func"], segments: [before, after], holes: [0], lines };
    const error = await failureOf(
      filledKernel(template, { func: "\tnot.b32 %r2, %r2;\n\tbrev.b32 %r2, %r2;" }),
    );
    expect(error.message).toMatch(/^line 14, column 2 \(injection `func`, site 1, stub line 2\): expected/);
  });
});
