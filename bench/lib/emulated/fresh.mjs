// Runs in a process of its own, to measure code that the engine has not optimized yet: prints the
// milliseconds of `first` (from a kernel's text to its first result) or `names` (reading it and resolving its
// names). Arguments: which, lines, blocks.
import { largeKernel } from "../large-kernel.mjs";

const [which, lines, blocks] = process.argv.slice(2);
const text = largeKernel({ lines: Number(lines), blocks: Number(blocks) });

const WORK = {
  async first() {
    const { EmulatedDevice } = await import("@mm-ptx/emulator");
    const { u32 } = await import("@mm-ptx/types/device");
    const device = EmulatedDevice.open({ engine: "webassembly" });
    const out = device.allocate(32 * 8 * 32);
    return async () => {
      const kernel = device.load(text).kernel("large");
      device.stream.launch(kernel, { grid: 1, block: 32 }, [out, u32(7)]);
      await device.synchronize();
    };
  },
  async names() {
    const { readModule } = await import("@mm-ptx/ptx");
    return () => readModule(text).names.uses;
  },
};

const work = await WORK[which]();
const start = performance.now();
await work();
console.log(performance.now() - start);
