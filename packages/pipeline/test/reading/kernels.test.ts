// The kernels assemble, so that what runs in the emulator also loads on a GPU.
import type { TypedArray, TypedArrayClass } from "@mm-ptx/types/device";
import { expect, it } from "vitest";
import { assemble, BACKENDS } from "../../../../tests/support/assemble.js";
import { absoluteError, type ErrorReading, maximumError, squaredError } from "../../src/index.js";
import { errorKernel, hashKernel } from "../../src/reading/kernels.js";
import { CLASSES } from "./support/scores.js";

const TARGET = Float32Array.of(0);
const float = (format: ErrorReading["format"]) => squaredError(TARGET, { format: format! });

const KERNELS: readonly (readonly [ErrorReading, TypedArrayClass<TypedArray>])[] = [
  ...CLASSES.map((elements) => [squaredError(TARGET), elements] as const),
  ...[float("f16"), float("bf16")].map((reading) => [reading, CLASSES[2]!] as const),
  ...[absoluteError(TARGET), maximumError(TARGET)].map((reading) => [reading, CLASSES[8]!] as const),
];

it.skipIf(BACKENDS.length === 0)("the kernels of all scores assemble for their target", async () => {
  const modules = [
    ...KERNELS.map(([reading, elements]) => ({
      what: `${reading.kind} of ${reading.format ?? elements.name}`,
      ptx: errorKernel(reading, elements),
    })),
    ...[1, 2, 4].map((bytes) => ({ what: `hash of ${bytes} bytes`, ptx: hashKernel(bytes) })),
  ];
  const { cubins, failures } = await assemble(modules, "sm_75", BACKENDS[0]!);
  expect(failures).toEqual([]);
  expect(cubins.size).toBe(CLASSES.length + 7);
});
