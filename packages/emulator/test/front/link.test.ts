// Several texts as one program, as of nvcc -rdc=true.
import { u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { EmulatedDevice, type EmulatorError } from "../../src/index.js";

const HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n";
const HELPER = ".func (.param .b32 r) helper(.param .b32 x)";
const CALLER = `${HEAD}.extern ${HELPER};
.extern .global .align 4 .u32 counter;
.extern .const .align 4 .b8 factor[16];
.global .align 4 .u32 own = 100;
.visible .global .align 8 .u64 table[2] = {generic(counter), generic(own)};
.visible .entry first(.param .u64 out)
{
	.reg .b32 %r<5>;
	.reg .b64 %rd<3>;
	.param .b32 given;
	.param .b32 taken;
	st.param.b32 [given], 20;
	call.uni (taken), helper, (given);
	ld.param.b32 %r1, [taken];
	ld.global.u32 %r2, [counter];
	ld.const.u32 %r3, [factor+4];
	ld.global.u64 %rd2, [table];
	ld.u32 %r4, [%rd2];
	add.u32 %r1, %r1, %r2;
	add.u32 %r1, %r1, %r3;
	add.u32 %r1, %r1, %r4;
	ld.global.u32 %r2, [own];
	add.u32 %r1, %r1, %r2;
	ld.param.u64 %rd1, [out];
	st.global.u32 [%rd1], %r1;
	ret;
}
`;
/** `helper(x)` is `2 * x + own`, and `own` is another variable than the caller's. */
const CALLEE = `${HEAD}.visible .global .align 4 .u32 counter = 5;
.visible .const .align 4 .b8 factor[16] = {0, 0, 0, 0, 7};
.global .align 4 .u32 own = 1000;
.visible ${HELPER}
{
	.reg .b32 %r<3>;
	ld.param.b32 %r1, [x];
	shl.b32 %r1, %r1, 1;
	ld.global.u32 %r2, [own];
	add.u32 %r1, %r1, %r2;
	st.param.b32 [r], %r1;
	ret;
}
.visible .entry second(.param .u32 index)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<3>;
	ld.param.u32 %r1, [index];
	mul.wide.u32 %rd1, %r1, 4;
	mov.u64 %rd2, factor;
	add.u64 %rd1, %rd1, %rd2;
	ld.const.u32 %r1, [%rd1];
	trap;
}
`;

function errorOf(...texts: string[]): EmulatorError {
  using device = EmulatedDevice.open();
  try {
    device.load(texts);
  } catch (error) {
    return error as EmulatorError;
  }
  throw new Error("expected an error, found none");
}

describe.each(["interpreter", "webassembly"] as const)("in %s", (engine) => {
  it.each([
    ["in order", [CALLER, CALLEE]],
    ["in another order", [CALLEE, CALLER]],
  ])("functions and variables of other texts are found %s", async (_, texts) => {
    using device = EmulatedDevice.open({ engine });
    const module = device.load(texts);
    const out = device.allocateUint32(1);
    await device.stream.run(module.kernel("first"), { grid: 1, block: 1 }, [out]);
    expect([...(await out.read())]).toEqual([2 * 20 + 1000 + 5 + 7 + 5 + 100]);
    expect(new Uint32Array((await module.global("counter").read()).slice().buffer)[0]).toBe(5);
  });

  it("faults name the text and its line", async () => {
    using device = EmulatedDevice.open({ engine });
    const kernel = device.load([CALLER, CALLEE]).kernel("second");
    const error = await device.stream
      .run(kernel, { grid: 1, block: 1 }, [u32(1)])
      .catch((caught) => caught as EmulatorError);
    const { fault, message } = error as EmulatorError;
    expect(fault?.place).toMatchObject({ text: 2, line: 26, column: 2, instruction: "trap" });
    expect(message).toContain("text 2, line 26, column 2: expected a kernel that runs to its end");
    expect(message).toContain("   26 | \ttrap;");
  });
});

it("what no text defines is a note", () => {
  using device = EmulatedDevice.open();
  const module = device.load([CALLER, `${HEAD}.visible .entry other() { ret; }`]);
  expect(module.notes.map(({ text }) => text)).toEqual([1, 1, 1, 1, 1]);
  // The table holds the address of a variable that is not defined.
  expect(module.notes.map(({ line }) => line)).toEqual([8, 16, 18, 19, 20]);
  expect(module.kernels).toEqual(["first", "other"]);
});

it.each([
  [
    "a second definition of a function",
    [CALLEE, `${HEAD}.visible ${HELPER} { ret; }`],
    "text 2, line 4, column 32: expected one definition of `helper`, found another one in text 1, line 7",
  ],
  [
    "a second definition of a variable",
    [CALLEE, `${HEAD}.visible .global .u32 counter;`],
    "text 2, line 4, column 23: expected one definition of `counter`, found another one in text 1, line 4",
  ],
  [
    "a second kernel of a name",
    [CALLER, `${HEAD}.entry first() { ret; }`],
    "text 2, line 4, column 8: expected one definition of `first`, found another one in text 1, line 9",
  ],
  [
    "other parameters",
    [CALLEE, `${HEAD}.extern .func helper(.param .b64 x);`],
    "text 2, line 4, column 1: expected the parameters and results of `helper` in text 1, line 7, found",
  ],
])("refuses %s", (_, texts, message) => {
  const error = errorOf(...texts);
  expect(error.message).toContain(message);
  expect(error.problems[0]).toMatchObject({ text: 2, line: 4 });
});

it("weak definitions give way, and common variables are one", async () => {
  const weak = (value: number) => `${HEAD}.weak .global .u32 shared = ${value};
.common .global .align 4 .b8 block[${4 * value}];
.weak .func (.param .b32 r) value() { st.param.b32 [r], ${value}; ret; }
`;
  const strong = `${HEAD}.visible .func (.param .b32 r) value() { st.param.b32 [r], 3; ret; }
.extern .global .u32 shared;
.visible .entry kernel(.param .u64 out)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<2>;
	.param .b32 taken;
	call.uni (taken), value, ();
	ld.param.b32 %r1, [taken];
	ld.global.u32 %r2, [shared];
	mad.lo.u32 %r1, %r1, 10, %r2;
	ld.param.u64 %rd1, [out];
	st.global.u32 [%rd1], %r1;
	ret;
}
`;
  using device = EmulatedDevice.open();
  const module = device.load([weak(1), weak(2), strong]);
  const out = device.allocateUint32(1);
  await device.stream.run(module.kernel("kernel"), { grid: 1, block: 1 }, [out]);
  expect([...(await out.read())]).toEqual([31]);
  expect(module.global("block").byteLength).toBe(8);
});

it("needs a text", () => {
  expect(errorOf()).toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(errorOf(CALLEE, `${HEAD}.visible .entry k() { ad.s32 1; ret; }`).message).toMatch(
    /^text 2, line 4, column 23: expected an instruction/,
  );
});
