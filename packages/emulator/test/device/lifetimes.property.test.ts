// Buffers, parts, modules and launches in random order: every use after disposal throws, memory is not freed
// while work needs it, and in the end all memory is free.
import { bytes, f32 } from "@mm-ptx/types/device";
import fc from "fast-check";
import { expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { ADDRESS_BASE } from "../../src/run/memory.js";
import { fakeDevice } from "./fake.js";

const STEPS = [
  "allocate",
  "part",
  "view",
  "fill",
  "copy",
  "read",
  "load",
  "launch",
  "disposeBuffer",
  "disposeModule",
  "wait",
] as const;

it("keeps memory as long as needed and frees all of it in the end", async () => {
  const step = fc.record({ kind: fc.constantFrom(...STEPS), which: fc.nat(9), other: fc.nat(9) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      // The kernel's buffer must be allocated whenever it runs, even if it was disposed meanwhile.
      using device = fakeDevice(async ({ params, loaded }) => {
        await new Promise((resolve) => setImmediate(resolve));
        const { memory, pageTable } = loaded.memory;
        const offset = Number(new DataView(params.buffer).getBigUint64(0, true)) - ADDRESS_BASE;
        const valid = new Uint16Array(memory.buffer, pageTable)[Math.floor(offset / 256)]!;
        expect((offset % 256) + 4).toBeLessThanOrEqual(valid);
        return undefined;
      });
      const { total } = device.memoryInfo();
      const buffers = [device.allocate(8)];
      const modules = [device.load("")];
      const waiting: Promise<unknown>[] = [];
      const attempt = (isOpen: boolean, work: () => unknown) => {
        if (isOpen) waiting.push(Promise.resolve(work()));
        else waiting.push(expect((async () => work())()).rejects.toMatchObject({ code: "DISPOSED" }));
      };
      for (const { kind, which, other } of steps) {
        const buffer = buffers[which % buffers.length]!;
        const module = modules[which % modules.length]!;
        const second = buffers[other % buffers.length]!;
        const isOpen = !buffer.disposed;
        switch (kind) {
          case "allocate":
            buffers.push(device.allocate(8));
            break;
          case "part":
            attempt(isOpen, () => buffers.push(buffer.part(0, 8)));
            break;
          case "view":
            attempt(isOpen, () => buffer.as(Uint32Array).dispose());
            break;
          case "fill":
            attempt(isOpen, () => buffer.fill(which));
            break;
          case "copy":
            if (isOpen && !second.disposed && buffer.address === second.address) {
              // The parts overlap.
              waiting.push(
                expect(buffer.copyFrom(second)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" }),
              );
            } else attempt(isOpen && !second.disposed, () => buffer.copyFrom(second));
            break;
          case "read":
            attempt(isOpen, () => buffer.read());
            break;
          case "load":
            modules.push(device.load(""));
            break;
          case "launch":
            attempt(isOpen && !module.disposed, () => {
              const args = [buffer, f32(1), bytes(new Uint8Array(8))];
              device.stream.launch(module.kernel("scale"), { grid: 1, block: 1 }, args);
            });
            break;
          case "disposeBuffer":
            buffer.dispose();
            break;
          case "disposeModule":
            module.dispose();
            break;
          case "wait":
            await device.synchronize();
        }
      }
      await Promise.all(waiting);
      for (const one of [...buffers, ...modules]) one.dispose();
      await device.synchronize();
      expect(device.memoryInfo()).toEqual({ free: total, total });
    }),
    { numRuns: smoke(1000) },
  );
});
