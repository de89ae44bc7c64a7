// The corpus of kernels with Stack and AST PTX in their sites, on the emulator: each computes the same as a
// model on the CPU, bit for bit, in every style.

import { describe, expect, it } from "vitest";
import { EmulatedDevice, type EngineName } from "../packages/emulator/dist/index.js";
import type { AnnotatedPtx } from "../packages/inject/dist/index.js";
import { Random } from "../packages/stack/dist/random/index.js";
import { runSeed } from "../packages/stack/test/support/random.js";
import {
  type DeviceBuffer,
  f32,
  type LaunchArgument,
  type LaunchDimensions,
  u32,
} from "../packages/types/dist/device/index.js";
import { SOAK } from "./support/counts.js";
import { MODELS, type ModelCase } from "./support/emulated/kernel-models.js";
import { siteOf } from "./support/emulated/site.js";
import { wordOperation } from "./support/emulated/words.js";
import {
  normalStub,
  randomAstStubs,
  randomStackStubs,
  type StubMaker,
  stubsFor,
} from "./support/kernel-stubs.js";
import { KERNEL_STYLES, KERNELS, type Kernel, STYLES } from "./support/kernels.js";

const ENGINES = ["interpreter", "webassembly"] as const;
/** Outside of a soak, each kernel has its first style and one of the others, by turns. */
const WITH_MODELS = KERNEL_STYLES.filter(({ name, style }, index) => {
  const turn = 1 + (Math.floor(index / STYLES.length) % (STYLES.length - 1));
  return name !== "texture" && (SOAK || style === STYLES[0] || style === STYLES[turn]);
});

it("every kernel has a model, except the one with textures, which loads", () => {
  expect(Object.keys(MODELS).sort()).toEqual(
    KERNELS.map(({ name }) => name).filter((name) => name !== "texture"),
  );
  const { text } = KERNELS.find(({ name }) => name === "texture")!.annotated("macro");
  using device = EmulatedDevice.open();
  expect(device.load(text).notes).toEqual([]);
});

/**
 * The styles of a kernel differ in the text around its sites, not in what they compute: except in a soak,
 * only the first one runs on every engine and with more than one stub.
 */
const isWhole = (style: string): boolean => SOAK || style === STYLES[0];
const enginesOf = (style: string) => (isWhole(style) ? ENGINES : (["webassembly"] as const));
const stubsOf = (style: string): number => (isWhole(style) && SOAK ? 20 : 1);

const onWords = ({ ptx }: { readonly ptx: string }): boolean => wordOperation(ptx) !== undefined;

/** Stubs that write all outputs: an output that a site does not write has an undefined value. */
function whole(annotated: AnnotatedPtx, makers: readonly StubMaker[]): Record<string, string> | undefined {
  return makers
    .map((make) => stubsFor(annotated, make))
    .find((stubs) =>
      annotated.injections.every(({ name, operands }) =>
        operands.every(
          ({ direction, register }) =>
            direction === "in" || new RegExp(`mov\\.\\w+ %${register},`).test(stubs[name]!),
        ),
      ),
    );
}

async function compare(
  annotated: AnnotatedPtx,
  kernel: Kernel,
  stubs: Record<string, string>,
  seed: number,
  engines: readonly EngineName[],
): Promise<void> {
  const sites = Object.fromEntries(
    annotated.injections.map((injection) => [injection.name, siteOf(injection, stubs[injection.name]!)]),
  );
  const given = MODELS[kernel.name]!(sites, new Random(seed));
  const text = annotated.render(stubs);
  for (const engine of engines) {
    const found = await run(engine, text, given);
    expect(found.printed, `seed ${seed}, ${engine}`).toEqual(given.prints ?? []);
    for (const [name, expected] of Object.entries({ ...given.expected, ...given.expectedGlobals })) {
      const Elements = expected.constructor as new (buffer: ArrayBuffer) => Uint32Array;
      const values = new Elements(found.bytes.get(name)!.slice().buffer).subarray(0, expected.length);
      const wrong = [...values].flatMap((value, i) =>
        value === expected[i] ? [] : [`${name}[${i}]: expected ${expected[i]}, found ${value}`],
      );
      expect(wrong.slice(0, 3), `seed ${seed}, ${engine}, ${JSON.stringify(stubs, null, 1)}`).toEqual([]);
    }
  }
}

/** A device for each engine, whose memory takes longer to make than most kernels take to run. */
const devices = new Map<EngineName, EmulatedDevice>();
let printed: string[] = [];

function deviceOf(engine: EngineName): EmulatedDevice {
  const device =
    devices.get(engine) ?? EmulatedDevice.open({ engine, onPrint: (line) => printed.push(line) });
  devices.set(engine, device);
  return device;
}

async function run(
  engine: EngineName,
  text: string,
  given: ModelCase,
): Promise<{ bytes: ReadonlyMap<string, Uint8Array<ArrayBuffer>>; printed: readonly string[] }> {
  printed = [];
  const device = deviceOf(engine);
  using module = device.load(text);
  const buffers = new Map<string, DeviceBuffer>();
  for (const [name, contents] of Object.entries(given.buffers)) {
    const buffer = device.allocate(contents.byteLength);
    await buffer.copyFrom(contents);
    buffers.set(name, buffer);
  }
  for (const [name, contents] of Object.entries(given.globals ?? {})) {
    await module.global(name).copyFrom(contents);
  }
  for (const { kernel, grid, block, sharedBytes = 0, args } of given.launches) {
    const launchArgs = args.map((argument): LaunchArgument => {
      if ("buffer" in argument) return buffers.get(argument.buffer)!;
      if ("f32" in argument) return f32(argument.f32);
      if ("u32" in argument) return u32(argument.u32);
      throw new Error("expected an argument of a model");
    });
    const shape = { grid: grid as LaunchDimensions, block: block as LaunchDimensions, sharedBytes };
    device.stream.launch(module.kernel(kernel), shape, launchArgs);
  }
  const bytes = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const name of Object.keys(given.expected)) {
    bytes.set(name, (await buffers.get(name)!.read()) as Uint8Array<ArrayBuffer>);
  }
  for (const name of Object.keys(given.expectedGlobals ?? {})) {
    bytes.set(name, (await module.global(name).read()) as Uint8Array<ArrayBuffer>);
  }
  for (const buffer of buffers.values()) buffer.dispose();
  return { bytes, printed };
}

describe.each(WITH_MODELS)("$name, $style,", { timeout: 600_000 }, ({ kernel, style }) => {
  const seed = runSeed();
  const seeds = (n: number) => Array.from({ length: 20 }, (_, attempt) => (seed + 20 * n + attempt) >>> 0);

  it("with Stack PTX", async () => {
    const annotated = kernel.annotated(style);
    for (let n = 0; n < stubsOf(style); n++) {
      const stubs = whole(
        annotated,
        seeds(n).map((each) => randomStackStubs(each, kernel.target, onWords)),
      );
      expect(stubs, `seed ${seed}`).toBeDefined();
      await compare(annotated, kernel, stubs!, seed, enginesOf(style));
    }
  });

  it("with AST PTX", async () => {
    const annotated = kernel.annotated(style);
    for (let n = 0; n < stubsOf(style); n++) {
      const stubs = whole(
        annotated,
        seeds(n).map((each) => randomAstStubs(each)),
      );
      await compare(annotated, kernel, stubs!, seed, enginesOf(style));
    }
  });
});

it.each(WITH_MODELS.filter(({ name }) => name === "philox"))(
  "a Philox state gives normal numbers, $style",
  async ({ kernel, style }) => {
    const annotated = kernel.annotated(style);
    await compare(annotated, kernel, stubsFor(annotated, normalStub), runSeed(), ENGINES);
  },
);
