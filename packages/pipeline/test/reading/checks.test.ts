// Mistakes in readings and in the memory that they are computed from.
import { EmulatedDevice } from "@mm-ptx/emulator";
import type { DeviceBuffer } from "@mm-ptx/types/device";
import { afterAll, describe, expect, it } from "vitest";
import {
  maximumError,
  output,
  outputHash,
  outputs,
  PipelineError,
  type ReductionOptions,
  reduction,
  squaredError,
} from "../../src/index.js";
import { checkReading } from "../../src/reading/check.js";
import { openReduction } from "../../src/reading/open.js";

const device = EmulatedDevice.open();
afterAll(() => device.dispose());

const FLOATS = [output(Float32Array, 2)];
const TWO = [...FLOATS, output(Uint16Array, 3)];

const PTX = `.version 6.4
.target sm_75
.address_size 64
.visible .entry ones(.param .u64 scores)
{
	ret;
}
`;
const OPTIONS: ReductionOptions = {
  ptx: PTX,
  kernel: "ones",
  grid: () => 1,
  block: 1,
  args: ({ scores }) => [scores],
  scores: Float64Array,
};

/** The code and the message of what a function throws. */
function problemOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof PipelineError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "nothing";
}

const wrong = <T>(value: unknown): T => value as T;

describe("a reading that cannot be", () => {
  it.each<[string, () => unknown, string]>([
    [
      "a target that is not an array",
      () => squaredError(wrong([1, 2])),
      "expected an array of numbers as the target of `squaredError`, found an array",
    ],
    [
      "a view as target",
      () => squaredError(wrong(new DataView(new ArrayBuffer(8)))),
      "expected an array of numbers as the target of `squaredError`, found an object of DataView",
    ],
    [
      "an unknown option",
      () => squaredError(Float32Array.of(1), wrong({ outputs: 1 })),
      "unknown option `outputs` of `squaredError`, did you mean `output`?",
    ],
    [
      "an index below 0",
      () => maximumError(Float32Array.of(1), { output: -1 }),
      "option `output`: expected a whole number from 0 to 65536, found -1",
    ],
    [
      "an unknown format",
      () => maximumError(Float32Array.of(1), { format: wrong("f8") }),
      "option `format`: expected `f16`, `bf16`, found `f8`",
    ],
    [
      "a reduction without a kernel",
      () => reduction(wrong({ ...OPTIONS, kernel: undefined })),
      "option `kernel`: expected a string, found undefined",
    ],
    [
      "a reduction with a fixed grid",
      () => reduction({ ...OPTIONS, grid: wrong(1) }),
      "option `grid`: expected a function, found 1",
    ],
    [
      "a reduction without a block",
      () => reduction(wrong({ ...OPTIONS, block: undefined })),
      "option `block`: expected a number of threads, or up to three, found undefined",
    ],
    [
      "scores in bytes",
      () => reduction({ ...OPTIONS, scores: wrong(Uint8Array) }),
      "option `scores`: expected Float32Array, Float64Array, Int32Array or Uint32Array, found a function",
    ],
  ])("with %s is refused when it is made", (_, make, message) => {
    expect(problemOf(make)).toBe(`INVALID_ARGUMENT: ${message}`);
  });

  it.each<[string, unknown, readonly unknown[], string]>([
    ["nothing", undefined, FLOATS, "expected a reading, such as what `outputs()` returns, found undefined"],
    ["a function", outputs, FLOATS, "expected a reading, such as what `outputs()` returns, found a function"],
    [
      "an unknown kind",
      { kind: "squareError" },
      FLOATS,
      "option `kind`: expected `outputs`, `squaredError`, `absoluteError`, `maximumError`, `outputHash`, `reduction`, found `squareError`, did you mean `squaredError`?",
    ],
    ["no output", outputs(), [], "expected a launch plan with an `output` to read, found none"],
    [
      "a target of another length",
      squaredError(new Float32Array(3)),
      FLOATS,
      "expected 2 numbers in the target of `squaredError`, as output 0 has, found 3",
    ],
    [
      "NaN in the target",
      squaredError(Float32Array.of(1, NaN)),
      FLOATS,
      "expected finite numbers in the target of `squaredError`, found NaN at index 1",
    ],
    [
      "infinity in the target",
      maximumError(Float64Array.of(-Infinity, 0)),
      FLOATS,
      "expected finite numbers in the target of `maximumError`, found -Infinity at index 0",
    ],
    [
      "the only output's number wrong",
      squaredError(Float32Array.of(1, 2), { output: 1 }),
      FLOATS,
      "expected output 0, the only one of the launch plan, for `squaredError`, found 1",
    ],
    [
      "an output that does not exist",
      squaredError(Float32Array.of(1, 2), { output: 2 }),
      TWO,
      "expected an output from 0 to 1 for `squaredError`, found 2",
    ],
    [
      "a format for other elements",
      squaredError(Float32Array.of(1, 2), { format: "f16" }),
      TWO,
      "expected a Uint16Array, which contains f16, as output 0 for `squaredError`, found Float32Array",
    ],
    [
      "elements that are unknown",
      squaredError(Float32Array.of(1, 2)),
      [output(wrong<typeof Uint8Array>(Uint8ClampedArray), 2)],
      "expected numbers as output 0 for `squaredError`, found Uint8ClampedArray",
    ],
    [
      "elements of an odd size",
      outputHash(),
      [output(wrong<typeof Uint8Array>(Object.assign(() => {}, { BYTES_PER_ELEMENT: 3 })), 2)],
      "expected elements of 1, 2, 4 or 8 bytes as output 0 for `outputHash`, found 3 bytes",
    ],
    [
      "a target that is not in f64",
      { kind: "squaredError", target: new Float32Array(2), output: 0 },
      FLOATS,
      "expected a Float64Array as the target of `squaredError`, found an object of Float32Array",
    ],
    [
      "a property as output",
      { kind: "squaredError", target: new Float64Array(2), output: "length" },
      FLOATS,
      "option `output`: expected a whole number from 0 to 65536, found `length`",
    ],
    [
      "a reduction without functions",
      { ...reduction(OPTIONS), args: undefined },
      FLOATS,
      "option `args`: expected a function, found undefined",
    ],
  ])("with %s is refused with the plan", (_, reading, plan, message) => {
    expect(problemOf(() => checkReading(reading, wrong(plan)))).toBe(`INVALID_ARGUMENT: ${message}`);
  });
});

it.each([outputs(), outputHash(), squaredError(Float32Array.of(1, 2)), reduction(OPTIONS)])(
  "a reading that fits the plan is accepted (%o)",
  (reading) => {
    expect(problemOf(() => checkReading(reading, FLOATS))).toBe("nothing");
    expect(Object.isFrozen(reading)).toBe(true);
  },
);

describe("scores", () => {
  const opened = () => openReduction(squaredError(Float32Array.of(1, 2)), device, FLOATS);
  const buffer: DeviceBuffer = device.allocate(100);
  const memory = (stride: number) => [{ buffer, stride }];

  it.each<[string, readonly { buffer: DeviceBuffer; stride: number }[], number, string, string]>([
    [
      "no programs",
      memory(8),
      0,
      "INVALID_ARGUMENT",
      "option `count`: expected a whole number from 1 to 2147483647, found 0",
    ],
    ["no memory", [], 1, "INVALID_ARGUMENT", "expected the memory of each output, 1 in all, found 0"],
    [
      "programs that overlap",
      memory(4),
      2,
      "INVALID_ARGUMENT",
      "expected a stride of at least 8 bytes and below 2^32 that aligns the elements of output 0, found 4",
    ],
    [
      "elements that are not aligned",
      memory(10),
      2,
      "INVALID_ARGUMENT",
      "expected a stride of at least 8 bytes and below 2^32 that aligns the elements of output 0, found 10",
    ],
    [
      "a stride that is too large",
      memory(2 ** 32),
      2,
      "INVALID_ARGUMENT",
      "expected a stride of at least 8 bytes and below 2^32 that aligns the elements of output 0, found 4294967296",
    ],
    [
      "memory that is too small",
      memory(32),
      4,
      "INSUFFICIENT_BUFFER",
      "expected at least 104 bytes for output 0 of 4 programs, found 100",
    ],
  ])("of %s are refused", async (_, given, count, code, message) => {
    using open = await opened();
    await expect(open.scores(given, count)).rejects.toMatchObject({ name: "PipelineError", code, message });
  });

  it("need a reduction that is open; disposing it twice is harmless", async () => {
    const open = await opened();
    open[Symbol.dispose]();
    open[Symbol.dispose]();
    const message = "expected an open reduction, found a disposed one";
    await expect(open.scores(memory(8), 1)).rejects.toMatchObject({ code: "DISPOSED", message });
  });

  it("that are queued when the reduction is disposed still arrive", async () => {
    const open = await opened();
    await buffer.fill(0);
    const scores = open.scores(memory(8), 1);
    open[Symbol.dispose]();
    expect(await scores).toEqual([5]);
  });

  it("fail with the error of a launch that failed before", async () => {
    using other = EmulatedDevice.open();
    const text = PTX.replace("ret;", "trap;");
    using open = await openReduction(outputHash(), other, FLOATS);
    const slices = other.allocate(8);
    other.stream.launch(other.load(text).kernel("ones"), { grid: 1, block: 1 }, [slices]);
    await expect(open.scores([{ buffer: slices, stride: 8 }], 1)).rejects.toMatchObject({ code: "TRAP" });
  });
});

describe("a reduction of the caller's", () => {
  const scoresOf = async (options: Partial<ReductionOptions>) => {
    using open = await openReduction(reduction({ ...OPTIONS, ...options }), device, FLOATS);
    const buffer = device.allocate(8);
    return open.scores([{ buffer, stride: 8 }], 1);
  };

  it("names its kernel", async () => {
    const message = "expected kernel `one` in the PTX of `reduction`, found none, did you mean `ones`?";
    await expect(scoresOf({ kernel: "one" })).rejects.toMatchObject({ code: "NOT_FOUND", message });
  });

  it.each(["grid", "args"] as const)("whose %s throws says so", async (name) => {
    const throws = () => {
      throw new RangeError("out of ideas");
    };
    const failure = scoresOf({ [name]: throws });
    await expect(failure).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: `\`${name}\` of \`reduction\` threw: out of ideas`,
      cause: expect.any(RangeError),
    });
  });

  it("fails with the device's errors for text, shapes and arguments", async () => {
    await expect(scoresOf({ ptx: PTX.replace("ret;", "rat;") })).rejects.toMatchObject({
      name: "EmulatorError",
    });
    await expect(scoresOf({ block: 2048 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(scoresOf({ args: () => [] })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(scoresOf({ args: wrong(() => 5) })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await scoresOf({})).toEqual([0]);
  });
});
