// The device that `npm run compare-with-gpu` compares the emulator with, where no other module is named: the first GPU. The
// emulator rounds multiplications and additions each for itself, and a compiler may fuse them, so this one must not.

import { CudaDevice, PtxCompiler } from "../../packages/cuda/dist/index.js";

export function open() {
  const device = CudaDevice.open(0);
  const compiler = new PtxCompiler({ arch: device.arch, fmad: false });
  const load = (/** @type {string} */ ptx) => device.load(compiler.compileSync(ptx).cubin);
  const dispose = () => {
    compiler.dispose();
    device.dispose();
  };
  /** @type {Record<PropertyKey, unknown>} */
  const own = { load, dispose, [Symbol.dispose]: dispose };
  return new Proxy(device, {
    get(target, name) {
      const value = own[name] ?? Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
