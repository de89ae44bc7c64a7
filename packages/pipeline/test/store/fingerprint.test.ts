// What results are kept under: whatever could change them changes the fingerprint.
import { EmulatedDevice } from "@mm-ptx/emulator";
import { parsePtx } from "@mm-ptx/inject";
import { type Device, u32 } from "@mm-ptx/types/device";
import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { input, type LaunchPlan, output, outputs, squaredError } from "../../src/index.js";
import { PlanReader } from "../../src/launch/resolved.js";
import type { KernelPipelineOptions } from "../../src/pipeline-options.js";
import { digestOf, fingerprintOf } from "../../src/store/fingerprint.js";
import { KERNEL } from "../support/kernel.js";

const data = Float32Array.of(1, 2, 3, 4);
const PLAN: LaunchPlan = {
  grid: 1,
  block: 32,
  args: [input(data), output(Float32Array, 4), u32(4)],
};

/** The fingerprint of a pipeline with some options, another kernel or another launch. */
function fingerprint({
  kernel = KERNEL,
  plan = PLAN,
  read = outputs(),
  ...options
}: Partial<KernelPipelineOptions> & { readonly plan?: LaunchPlan } = {}): string {
  using device = EmulatedDevice.open();
  const annotated = typeof kernel === "string" ? parsePtx(kernel) : kernel;
  const resolved = new PlanReader(() => plan, device, plan.args.length).plan(1);
  const given = { kernel, sites: {}, device, ...options };
  return fingerprintOf(given, annotated, "scale", resolved, read);
}

const compilerWith = (arch: string, effort: string, version: string) => ({
  stream: () => {
    throw new Error("expected no compile");
  },
  options: { arch, effort },
  version,
});

it("is the same for equal kernels, launches, data and options", () => {
  const again = { ...PLAN, args: [input(data.slice()), output(Float32Array, 4), u32(4)] };
  expect(fingerprint({ plan: again })).toBe(fingerprint());
  expect(fingerprint()).toMatch(/^[0-9a-f]{32}$/);
});

it("is another one for another kernel, launch, data or option", () => {
  const [source, result, count] = PLAN.args as [never, never, never];
  const withArgs = (...args: LaunchPlan["args"]) => ({ plan: { ...PLAN, args } });
  const zero = Float32Array.of(0, 2, 3, 4);
  const negative = Float32Array.of(-0, 2, 3, 4);
  const different = [
    {},
    { kernel: KERNEL.text.replace("setp.ge", "setp.gt") },
    { plan: { ...PLAN, grid: 2 } },
    { plan: { ...PLAN, block: 64 } },
    { plan: { ...PLAN, sharedBytes: 16 } },
    withArgs(input(zero), result, count),
    withArgs(input(negative), result, count),
    withArgs(input(new Int32Array(data.buffer)), result, count),
    withArgs(source, output(Float32Array, 4, { initial: data }), count),
    withArgs(source, output(Float32Array, 8), count),
    withArgs(source, output(Int32Array, 4), count),
    withArgs(source, result, u32(5)),
    { read: squaredError(data) },
    { read: squaredError(zero) },
    { read: squaredError(negative) },
    { compiler: compilerWith("sm_90", "draft", "13.0") },
    { compiler: compilerWith("sm_80", "draft", "13.0") },
    { compiler: compilerWith("sm_90", "final", "13.0") },
    { compiler: compilerWith("sm_90", "draft", "13.1") },
    { finalCompiler: compilerWith("sm_90", "draft", "13.0") },
    { finalists: { quantile: 0.1 } },
    { device: { kind: "cuda", name: "one" } as Device },
    { device: { kind: "cuda", name: "one" } as Device, timing: true as const },
    { device: { kind: "cuda", name: "one" } as Device, timing: { repeat: 3 } },
    { finalists: { quantile: 0.2 } },
    { finalists: () => true },
    { finalists: () => false },
  ] as const;
  const found = different.map(fingerprint);
  expect(new Set(found).size).toBe(found.length);
});

it("differs for values that differ anywhere", () => {
  const value = fc.anything({ withTypedArray: true, maxDepth: 3 });
  // What JSON makes of them must not be taken for them.
  const written = (one: unknown): string => {
    const write = (part: unknown): unknown =>
      ArrayBuffer.isView(part)
        ? {
            [part.constructor.name]: Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString(
              "hex",
            ),
          }
        : Array.isArray(part)
          ? ["array", ...part.map(write)]
          : typeof part === "object" && part !== null
            ? ["object", ...Object.entries(part).flatMap(([name, each]) => [name, write(each)])]
            : [typeof part, Object.is(part, -0) ? "-0" : String(part)];
    return JSON.stringify(write(one));
  };
  fc.assert(
    fc.property(value, value, (first, second) => {
      expect(digestOf(first) === digestOf(second)).toBe(written(first) === written(second));
    }),
    { numRuns: cases(2000) },
  );
});
