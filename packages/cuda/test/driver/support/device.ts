// A device of a separate fake driver, and modules for it.

import { expect, onTestFinished } from "vitest";
import { CudaDevice, type CudaDeviceOptions } from "../../../src/index.js";
import { FakeDriver, type Orders } from "./fake-driver.js";

/** Kernels with parameters of several types, and a variable. */
export const PTX = `.version 7.5
.target sm_75
.address_size 64
.visible .global .align 4 .b8 table[64];
.visible .entry scale(.param .u64 out, .param .f32 factor, .param .u32 n)
{
	ret;
}
.visible .entry nothing()
{
	ret;
}
.visible .entry required() .reqntid 64
{
	ret;
}
.visible .entry typed(.param .u8 a, .param .s16 b, .param .f16 c, .param .b64 d, .param .f64 e, .param .align 4 .b8 f[12])
{
	ret;
}
`;

/** Opens a device, which is closed after the test; the driver must have found no mistakes then. */
export function fakeDevice(
  options: CudaDeviceOptions = {},
  orders: Orders = [],
  lacks: readonly string[] = [],
) {
  const fake = new FakeDriver(orders, lacks);
  const device = CudaDevice.open(0, options);
  onTestFinished(async () => {
    await device[Symbol.asyncDispose]();
    try {
      // A killed process frees nothing.
      if (device.isolated) expect(fake.violations()).toEqual([]);
      else fake.expectClean();
    } finally {
      fake.remove();
    }
  });
  return { fake, device };
}

export function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
