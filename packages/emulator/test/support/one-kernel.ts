// A kernel of a few lines, run once on a device of its own, for tests of launches.
import { type LaunchArgument, u32 } from "@mm-ptx/types/device";
import { expect } from "vitest";
import { EmulatedDevice, type EmulatedDeviceOptions, type EmulatorError } from "../../src/index.js";

/** The line of the first instruction of `body` if no lines precede the kernel. */
export const FIRST_LINE = 14;

/**
 * A kernel `k(u64 data, u32 n)`: `%rd1` is data, `%r1` is n, `%r2` the thread's index; `setUp` is an extra
 * line.
 */
export const kernelText = (setUp: string, body: string, before = "") => `.version 8.0
.target sm_75
.address_size 64
${before}
.visible .entry k(.param .u64 data, .param .u32 n)
{
	.reg .pred %p<4>;
	.reg .b32 %r<10>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [data];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %tid.x;
	${setUp}
${body}
	ret;
}
`;

export interface Run {
  readonly body: string;
  readonly before?: string;
  readonly options?: EmulatedDeviceOptions;
  /** A device to run on, which is kept, instead of one of its own with `options`. */
  readonly device?: EmulatedDevice | undefined;
  readonly grid?: number;
  readonly block?: number;
  readonly n?: number;
  /** Size of the buffer `data` in bytes. */
  readonly bytes?: number;
}

/** Runs a kernel. @returns the contents of `data` afterwards */
export async function runKernel(
  setUp: string,
  { body, before = "", options = {}, device: given, grid = 1, block = 4, n = 0, bytes = 64 }: Run,
): Promise<Uint32Array> {
  const device = given ?? EmulatedDevice.open(options);
  try {
    using data = device.allocate(bytes);
    using module = device.load(kernelText(setUp, body, before));
    const args: LaunchArgument[] = [data, u32(n)];
    device.stream.launch(module.kernel("k"), { grid, block }, args);
    return await data.as(Uint32Array).read();
  } finally {
    if (given === undefined) device.dispose();
  }
}

/** The error of a launch that must fail. */
export const failureOf = (running: Promise<unknown>): Promise<EmulatorError> =>
  running.then(
    () => expect.fail("expected a launch that fails"),
    (error: EmulatorError) => error,
  );
