// What `printf` reads is checked like other accesses, on both engines.
import { describe, expect, it } from "vitest";
import { EmulatedDevice } from "../../src/index.js";

/** One thread writes a text to shared memory, and another one prints it. */
const PTX = (between: string) => `.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 values);
.global .align 1 .b8 format[4] = {37, 115, 33, 0};
.visible .entry print()
{
	.shared .align 1 .b8 text[4];
	.local .align 8 .b8 values[8];
	.reg .pred %p<3>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	mov.u32 %r1, %tid.x;
	setp.eq.u32 %p1, %r1, 0;
	mov.u32 %r2, 97;
	@%p1 st.shared.u8 [text], %r2;
	mov.u32 %r2, 0;
	@%p1 st.shared.u8 [text+1], %r2;
	${between}
	setp.ne.u32 %p2, %r1, 40;
	@%p2 bra $done;
	mov.u64 %rd1, text;
	cvta.shared.u64 %rd1, %rd1;
	st.local.u64 [values], %rd1;
	mov.u64 %rd2, values;
	cvta.local.u64 %rd2, %rd2;
	mov.u64 %rd3, format;
	cvta.global.u64 %rd3, %rd3;
	{
		.param .b64 a;
		.param .b64 b;
		.param .b32 r;
		st.param.b64 [a], %rd3;
		st.param.b64 [b], %rd2;
		call.uni (r), vprintf, (a, b);
	}
$done:
	ret;
}
`;

describe.each(["interpreter", "webassembly"] as const)("in %s", (engine) => {
  it.each([
    ["with a barrier", "bar.sync 0;", []],
    ["without a barrier", "", ["RACE", "RACE"]],
  ])("%s", async (_, between, kinds) => {
    const printed: string[] = [];
    const device = EmulatedDevice.open({
      engine,
      check: { races: true, uninitialized: true, memory: true },
      onPrint: (text) => printed.push(text),
    });
    const kernel = device.load(PTX(between)).kernel("print");
    const { findings } = await device.stream.run(kernel, { grid: 1, block: 64 }, []);
    expect(printed.join("")).toBe("a!");
    expect(findings.map(({ kind }) => kind)).toEqual(kinds);
    expect(findings.every(({ threads }) => threads[0]?.thread[0] === 40)).toBe(true);
  });
});
