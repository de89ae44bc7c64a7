// Kernels by their names in CUDA.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { kernelNamed } from "../../src/device/kernel-names.js";
import { EmulatedDevice } from "../../src/index.js";

const KERNELS = [
  "_Z5scalePff",
  "_ZN2ns5scaleIfEEvPT_S1_i",
  "_ZN2ns5scaleIdEEvPT_S1_i",
  "_ZN36_GLOBAL__N__c6070fe2_4_t_cu_ba88ac676hiddenILj256EEEvP6__half",
  "plain",
];

describe("a kernel", () => {
  it.each([
    ["plain", 4],
    ["_ZN2ns5scaleIdEEvPT_S1_i", 2],
    ["scale", 0],
    ["scale(float *, float)", 0],
    ["ns::scale<double>", 2],
    ["scale<double>", 2],
    ["ns::scale<float>(float*, float, int)", 1],
    ["void ns::scale<float>(float*, float, int)", 1],
    ["hidden", 3],
    ["hidden<256>", 3],
    ["(anonymous namespace)::hidden", 3],
  ])("is found by %s", (name, index) => {
    expect(kernelNamed(name, KERNELS)).toBe(KERNELS[index]);
  });

  it("has to be the only one with a name", () => {
    expect(() => kernelNamed("ns::scale", KERNELS)).toThrow(
      "expected the name of one kernel, found `ns::scale`, which means `void ns::scale<float>(float*, float, int)` (_ZN2ns5scaleIfEEvPT_S1_i), `void ns::scale<double>(double*, double, int)` (_ZN2ns5scaleIdEEvPT_S1_i)",
    );
  });

  it.each(["scal", "cale", "scale<int>", "ns", ""])("is not found by `%s`", (name) => {
    expect(() => kernelNamed(name, KERNELS)).toThrow(
      /^expected a kernel of the module \(`scale\(float\*, float\)` \(_Z5/,
    );
  });

  it("of a module has the name that launches show", () => {
    using device = EmulatedDevice.open();
    const ptx = readFileSync(new URL("../source/shift.ptx", import.meta.url), "utf8");
    const kernel = device.load(ptx).kernel("grid::shift");
    expect(kernel.name).toBe("_ZN4grid5shiftIfEEvPT_PKS1_i");
    expect(() => kernel.prepare({ grid: 1, block: 1 }, [])).toThrow(
      "kernel `void grid::shift<float>(float*, float const*, int)`",
    );
  });
});
