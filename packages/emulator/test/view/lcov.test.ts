// Coverage by source line, and source lines in listings and traces.
import { readFileSync } from "node:fs";
import { u32 } from "@mm-ptx/types/device";
import { describe, expect, it } from "vitest";
import { EmulatedDevice, type TraceStep } from "../../src/index.js";
import { annotatedListing, heatMap, lcov, traceLine } from "../../src/view/index.js";

const PTX = readFileSync(new URL("../source/shift.ptx", import.meta.url), "utf8");
const device = EmulatedDevice.open();

/** Counts of a launch of 4 threads that shifts 6 columns. */
async function counted(ptx = PTX) {
  const module = device.load(ptx);
  const steps: TraceStep[] = [];
  const [out, data] = [device.allocateFloat32(6), device.allocateFloat32(12)];
  const options = {
    grid: 1,
    block: 4,
    counts: true,
    trace: { onStep: (step: TraceStep) => steps.push(step) },
  };
  const kernel = module.kernel("grid::shift<float>");
  const { counts } = await device.stream.run(kernel, options, [out, data, u32(6)]);
  return { program: module.program, counts: counts!, steps };
}

describe("an lcov tracefile", () => {
  it("has the lines and functions of each file", async () => {
    expect(lcov([await counted()])).toBe(
      [
        "TN:",
        "SF:/project/shift.cu",
        "FN:25,shift(int*)",
        "FN:17,void grid::shift<float>(float*, float const*, int)",
        "FN:29,void (anonymous namespace)::hidden<3>(int*)",
        "FNDA:0,shift(int*)",
        "FNDA:4,void grid::shift<float>(float*, float const*, int)",
        "FNDA:0,void (anonymous namespace)::hidden<3>(int*)",
        "FNF:3",
        "FNH:1",
        "DA:6,6",
        "DA:10,6",
        "DA:17,4",
        "DA:18,6",
        "DA:19,6",
        "DA:21,4",
        "DA:25,0",
        "DA:29,0",
        "LF:8",
        "LH:6",
        "end_of_record",
        "",
      ].join("\n"),
    );
  });

  it("adds launches", async () => {
    const run = await counted();
    const text = lcov([run, run, await counted()]);
    expect(text).toContain("DA:6,18\nDA:10,18\nDA:17,12\n");
    expect(text).toContain("FNDA:12,void grid::shift");
    expect(text.match(/end_of_record/g)).toHaveLength(1);
  });

  it("is empty without source lines and without launches", async () => {
    expect(lcov([])).toBe("");
    expect(lcov([await counted(PTX.replaceAll(/^\t\.(loc|file)\t.*$/gm, ""))])).toBe("");
  });

  it("refuses counts of another program", async () => {
    const { program } = await counted();
    expect(() => lcov([{ program, counts: [] }])).toThrow("expected the counts of a launch of this program");
    expect(() => lcov(undefined as never)).toThrow("expected a list of programs with their counts");
  });
});

describe("source lines", () => {
  it("are rows of listings and heat maps", async () => {
    const { program, counts } = await counted();
    const listing = annotatedListing(program, counts);
    expect(listing).toMatch(/^ {21}\| \/\/ shift\.cu:17\n +4 .* ld\.param/m);
    const place =
      "// shift.cu:6 in `grid::at`, inlined at shift.cu:10 in `grid::cell`, inlined at shift.cu:19";
    expect(listing).toContain(`| ${place}\n`);
    expect(heatMap(program, counts, "shift")).toContain(place);
  });

  it("are columns of traces", async () => {
    const { steps } = await counted();
    const load = steps.find(({ instruction }) => instruction.startsWith("ld.global"))!;
    expect(load.frames.map(({ line }) => line)).toEqual([6, 10, 19]);
    expect(traceLine(load)).toMatch(/^ {3}74 {2}shift\.cu:6 {8}ld\.global\.f32 %f1, \[%rd6\]/);
  });
});
