// Source lines of nvcc's `-lineinfo` in faults.
import { readFileSync } from "node:fs";
import { u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { checkProgram, EmulatedDevice, type EmulatorError } from "../../src/index.js";
import { frameWords, hasSourceLines, sourceFrames } from "../../src/view/index.js";

const PTX = readFileSync(new URL("./shift.ptx", import.meta.url), "utf8");
const SHIFT = "_ZN4grid5shiftIfEEvPT_PKS1_i";
const FILE = "/project/shift.cu";

/** The error of a launch that loads one row too many. */
async function failed(ptx: string): Promise<EmulatorError> {
  using device = EmulatedDevice.open();
  const [out, data] = [device.allocateFloat32(32), device.allocateFloat32(32)];
  device.stream.launch(device.load(ptx).kernel(SHIFT), { grid: 1, block: 32 }, [out, data, u32(32)]);
  return device.synchronize().then(
    () => expect.fail("expected a launch that fails"),
    (error: EmulatorError) => error,
  );
}

describe("a fault in code that was compiled with -lineinfo", () => {
  it("names the line in CUDA and the calls that were inlined", async () => {
    const { message, fault } = await failed(PTX);
    expect(fault?.place?.frames).toEqual([
      { file: FILE, line: 6, column: 3, function: "_ZN4grid2atIfEET_PKS1_i" },
      { file: FILE, line: 10, column: 3, function: "_ZN4grid4cellEPKfiii" },
      { file: FILE, line: 19, column: 5, function: SHIFT },
    ]);
    expect(message).toMatch(
      /^shift\.cu:6 in `.*at.*`, inlined at shift\.cu:10 in `.*cell.*`, inlined at shift\.cu:19 \(PTX line \d+, column 2\): expected an address/,
    );
  });

  it("names only the PTX without -lineinfo", async () => {
    const { message, fault } = await failed(PTX.replaceAll(/^\t\.(loc|file)\t.*$/gm, ""));
    expect(fault?.place?.frames).toEqual([]);
    expect(message).toMatch(/^line \d+, column 2: expected an address/);
  });
});

describe("the frames of an instruction", () => {
  it("are known for every instruction of every function", () => {
    const program = checkProgram(PTX);
    expect(hasSourceLines(program)).toBe(true);
    for (const [index, { instructions, name }] of program.functions.entries()) {
      for (const i of instructions.keys()) {
        const frames = sourceFrames(program, index, i);
        expect(frames.at(-1)).toMatchObject({ file: FILE, function: name });
      }
    }
  });

  it("are none for an unknown function", () => {
    expect(sourceFrames(checkProgram(PTX), 99, 0)).toEqual([]);
    expect(frameWords([])).toBe("");
  });
});

describe("a refusal of code that was compiled with -lineinfo", () => {
  it("names the line in CUDA", () => {
    using device = EmulatedDevice.open();
    const module = device.load(PTX.replace("ld.global.f32 \t%f1, [%rd6];", "tcgen05.wait::ld.sync.aligned;"));
    expect(() => module.kernel("grid::shift").prepare({ grid: 1, block: 1 }, [])).toThrow(
      /^expected a kernel that the emulator supports, found `void grid::shift<float>\(float\*, float const\*, int\)`:\nshift\.cu:6 in `grid::at`, inlined at shift\.cu:10 in `grid::cell`, inlined at shift\.cu:19 \(PTX line 74, column 2\): expected/,
    );
    expect(module.notes[0]?.frames?.map(({ line }) => line)).toEqual([6, 10, 19]);
  });
});
