// Modules: PTX and compiled results, their kernels and variables.
import { expect, it } from "vitest";
import { SAXPY, STEP, TABLE } from "./support/kernels.js";
import { onDevices } from "./support/places.js";

onDevices("modules", ({ open }) => {
  it("have variables, which can be written", async () => {
    using device = open();
    const module = device.load(TABLE);
    using out = device.allocateUint32(4);
    const look = async () => {
      device.stream.launch(module.kernel("look"), { grid: 1, block: 4 }, [out]);
      return Array.from(await out.read());
    };
    expect(await look()).toEqual([10, 20, 30, 40]);
    await module.global("table").copyFrom(Uint32Array.of(7), { offset: 8 });
    await module.global("scale").copyFrom(Uint32Array.of(100));
    expect(await look()).toEqual([100, 200, 700, 400]);
    expect(module.global("table").byteLength).toBe(16);
  });

  it("report the parameters of their kernels", () => {
    using device = open();
    const { name, parameters } = device.load(SAXPY).kernel("saxpy");
    expect(name).toBe("saxpy");
    expect(parameters).toEqual([
      { name: "x", type: "u64", offset: 0, bytes: 8, align: 8 },
      { name: "y", type: "u64", offset: 8, bytes: 8, align: 8 },
      { name: "a", type: "f32", offset: 16, bytes: 4, align: 4 },
      { name: "n", type: "u32", offset: 20, bytes: 4, align: 4 },
    ]);
  });

  it("report a kernel's requirements", () => {
    using device = open();
    const { maxThreadsPerBlock, sharedBytes, localBytes } = device.load(SAXPY).kernel("saxpy").attributes;
    expect([maxThreadsPerBlock, sharedBytes, localBytes]).toEqual([device.limits.maxThreadsPerBlock, 0, 0]);
  });

  it("list their names", () => {
    using device = open();
    const module = device.load(STEP);
    expect(module.kernels).toEqual(["step"]);
    expect(() => module.kernel("steps")).toThrowError(expect.objectContaining({ code: "NOT_FOUND" }));
    expect(() => module.global("x")).toThrowError(expect.objectContaining({ code: "NOT_FOUND" }));
  });

  it("may be loaded in large numbers", () => {
    using device = open();
    const modules = Array.from({ length: 20 }, (_, i) => device.load(STEP.replaceAll("step", `step${i}`)));
    expect(modules.map(({ kernels }) => kernels[0])).toEqual(Array.from(modules, (_, i) => `step${i}`));
    for (const module of modules) module.dispose();
  });
});
