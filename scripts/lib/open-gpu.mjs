// The default device that `npm run compare-with-gpu` compares the emulator with: the first GPU. The emulator
// rounds multiplications and additions separately, so the compiler must not fuse them.

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
