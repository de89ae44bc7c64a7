// The size of packs is the one that costs least in the run.
import { describe, expect, it } from "vitest";
import { SizeTuner } from "../../src/scheduling/tuner.js";

/** Packs one after the other, each of which costs what `each` says for one program of its size. */
function run(tuner: SizeTuner, packs: number, each: (size: number) => number): number[] {
  return Array.from({ length: packs }, () => {
    const { size } = tuner;
    tuner.begin();
    tuner.record(size, each(size) * size, 0);
    return size;
  });
}

const auto = (most = 4096) => new SizeTuner("alternatives", undefined, most);

describe("sizes", () => {
  it("grow until packs get no cheaper", () => {
    const tuner = auto();
    expect(run(tuner, 7, (size) => Math.abs(size - 128) + 10)).toEqual([64, 64, 128, 128, 256, 256, 128]);
    expect(tuner.chosen).toBe(128);
    expect(tuner.curve.map(({ size, packs }) => [size, packs])).toEqual([
      [64, 2],
      [128, 3],
      [256, 2],
    ]);
  });

  it("grow to the largest one if each is cheaper", () => {
    const tuner = auto();
    run(tuner, 9, (size) => 1000 / size);
    expect(tuner.chosen).toBe(512);
  });

  it("stay below the most programs that a pack may have", () => {
    const tuner = auto(200);
    run(tuner, 9, (size) => 1000 / size);
    expect(tuner.chosen).toBe(128);
    expect(Math.max(...tuner.curve.map(({ size }) => size))).toBe(128);
  });

  it("are tried again, because the first packs are slow in any case", () => {
    const tuner = auto();
    let packs = 0;
    const sizes = run(tuner, 60, (size) => (++packs < 3 ? 100 : size === 64 ? 5 : 10));
    expect(sizes.slice(4, 8)).not.toContain(64);
    expect(tuner.chosen).toBe(64);
  });

  it("stay small if large packs are hardly cheaper", () => {
    const tuner = auto();
    run(tuner, 12, (size) => 10 - size / 10_000);
    expect(tuner.chosen).toBe(64);
  });

  it("are fixed by the caller", () => {
    const tuner = new SizeTuner("kernels", 7, 4096);
    expect(run(tuner, 3, () => 1)).toEqual([7, 7, 7]);
    expect(tuner.chosen).toBe(7);
    expect(new SizeTuner("single", undefined, 4096).size).toBe(1);
  });

  it("are not measured by packs that are not full", () => {
    const tuner = auto();
    tuner.begin();
    tuner.record(5, 1, 1);
    expect(tuner.curve).toEqual([]);
  });
});
