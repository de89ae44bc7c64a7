// Kernels that reach what the emulator does not support are refused when they are launched; the others of their module
// run.
import { expect, it } from "vitest";
import { EmulatedDevice, type EmulatorError } from "../../src/index.js";

const HEAD = ".version 9.0\n.target sm_100a\n.address_size 64\n";
const MODULE = `${HEAD}.extern .global .u32 elsewhere;
.global .align 8 .u64 table[1] = {helper};
.func helper() { tcgen05.wait::ld.sync.aligned; ret; }
.func between() { call helper; ret; }
.visible .entry fine(.param .u64 out)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [out];
	st.global.u32 [%rd1], 7;
	ret;
}
.visible .entry itself() { tcgen05.wait::st.sync.aligned; ret; }
.visible .entry through() { call between; ret; }
.visible .entry outside(.param .u64 out)
{
	.reg .b32 %r<2>;
	ld.global.u32 %r1, [elsewhere];
	ret;
}
.visible .entry indirect(.param .u64 out, .param .u32 calls)
{
	.reg .pred %p;
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u32 %r1, [calls];
	setp.eq.u32 %p, %r1, 0;
	@%p bra $done;
	ld.global.u64 %rd1, [table];
	proto: .callprototype _ ();
	call %rd1, (), proto;
$done:
	ret;
}
`;

const SHAPE = { grid: 1, block: 1 };

function errorOf(work: () => unknown): EmulatorError {
  try {
    work();
  } catch (error) {
    return error as EmulatorError;
  }
  throw new Error("expected an error, found none");
}

it("runs the other kernels of a module and notes what it refuses", async () => {
  using device = EmulatedDevice.open();
  const module = device.load(MODULE);
  expect(module.notes.map(({ code, line }) => [code, line])).toEqual([
    ["UNSUPPORTED", 6],
    ["UNSUPPORTED", 15],
    ["UNSUPPORTED", 20],
  ]);
  const out = device.allocateUint32(1);
  device.stream.launch(module.kernel("fine"), SHAPE, [out]);
  expect([...(await out.read())]).toEqual([7]);
  expect(module.globals).toEqual(["table"]);
});

it.each([
  ["itself", 15, "found `itself`:\nline 15, column 28: expected an instruction"],
  ["through", 6, "found `through`:\nin `helper`, which it calls, line 6, column 18: expected"],
  ["outside", 20, "expected a definition of `elsewhere`, found `.extern` alone"],
])("refuses to launch `%s`", (name, line, message) => {
  using device = EmulatedDevice.open();
  const kernel = device.load(MODULE).kernel(name);
  const error = errorOf(() => device.stream.launch(kernel, SHAPE, []));
  expect(error).toMatchObject({ code: "UNSUPPORTED", problems: [{ code: "UNSUPPORTED", line }] });
  expect(error.message).toContain(message);
});

it("refuses a call through an address when it is reached", async () => {
  using device = EmulatedDevice.open();
  const kernel = device.load(MODULE).kernel("indirect");
  const out = device.allocateUint32(1);
  const { u32 } = await import("@mm-ptx/types/device");
  await device.stream.run(kernel, SHAPE, [out, u32(0)]);
  const failure = device.stream.run(kernel, SHAPE, [out, u32(1)]);
  await expect(failure).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message: expect.stringContaining("found a call of `helper`: line 6, column 18: expected an instruction"),
  });
  device.recover();
  const error = await device.stream.run(kernel, SHAPE, [out, u32(1)]).catch((caught) => caught);
  expect(error.fault.place.instruction).toBe("call %rd1, (), proto");
});
