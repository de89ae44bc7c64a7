// A packed program computes what it computes alone, bit for bit: every kernel of the corpus, with random programs, as
// alternatives that are paired, as alternatives each with each, and as kernels of one module, on both engines.
import { EmulatedDevice, type EngineName } from "@mm-ptx/emulator";
import { type AnnotatedPtx, pack } from "@mm-ptx/inject";
import {
  type DeviceBuffer,
  f32,
  type LaunchArgument,
  type LaunchDimensions,
  u32,
} from "@mm-ptx/types/device";
import { afterAll, describe, expect, it } from "vitest";
import { SOAK, smoke } from "../../../../tests/support/counts.js";
import { MODELS, type ModelCase } from "../../../../tests/support/emulated/kernel-models.js";
import { randomAstStubs, randomStackStubs, stubsFor } from "../../../../tests/support/kernel-stubs.js";
import { KERNEL_STYLES, type Kernel, STYLES } from "../../../../tests/support/kernels.js";
import { Random } from "../../../stack/dist/random/index.js";
import { runSeed } from "../../../stack/test/support/random.js";
import { alternativesKernel } from "../../src/packing/alternatives.js";
import { choosePacking } from "../../src/packing/choose.js";
import type { Axis } from "../../src/packing/question.js";
import { stubObstacle } from "../../src/packing/stub.js";

type Stubs = Readonly<Record<string, string>>;
type Launch = ModelCase["launches"][number];

/** Only the kernels as the header writes them, without the one that takes as long as all others, and fewer programs, except in a soak. */
const CASES = KERNEL_STYLES.filter(
  ({ name, style }) => name in MODELS && (SOAK || (style === STYLES[0] && name !== "semiring")),
);
const ROUNDS = smoke(10);
/** The styles differ in the text around sites, so the others need fewer rounds. */
const OTHER_ROUNDS = 2;
const PROGRAMS = 3;
/** Alternatives of each injection if each runs with each, for the first injections; the others have one. */
const CROSSED = [2, 3, 2];
/** How many of those are compared, except in a soak. */
const COMPARED = 4;
const ALIGNMENT = 256;

/** Inputs and launches of a kernel; what its sites compute plays no part in them. */
function caseOf(kernel: Kernel, seed: number): ModelCase {
  const zeros = new Proxy({}, { get: () => 0 }) as Readonly<Record<string, number>>;
  const sites = new Proxy({}, { get: () => () => zeros }) as Parameters<(typeof MODELS)[string]>[0];
  return MODELS[kernel.name]!(sites, new Random(seed));
}

/** Random stubs for all injections that may be alternatives. */
function stubsWith(annotated: AnnotatedPtx, kernel: Kernel, axis: Axis, random: Random): Stubs {
  for (;;) {
    const seed = random.word();
    const make = random.below(3) === 0 ? randomAstStubs(seed) : randomStackStubs(seed, kernel.target);
    const stubs = stubsFor(annotated, (injection) => {
      // An output that a stub does not write has an undefined value.
      const written = injection.operands.filter(({ direction }) => direction === "out");
      const zeros = written.map(
        ({ register, registerType }) => `mov.b${/\d+/.exec(registerType)![0]} %${register}, 0;`,
      );
      return [...zeros, make(injection)].join("\n");
    });
    const fits = annotated.injections.every((one) => stubObstacle(stubs[one.name]!, axis, one) === undefined);
    if (fits) return stubs;
  }
}

/** A device for each engine: its memory takes longer to make than most kernels take to run. */
const devices = new Map<EngineName, EmulatedDevice>();
const deviceOf = (engine: EngineName): EmulatedDevice => {
  const device = devices.get(engine) ?? EmulatedDevice.open({ engine, onPrint: () => {} });
  devices.set(engine, device);
  return device;
};
afterAll(() => {
  for (const device of devices.values()) device.dispose();
});

const isOutput = (given: ModelCase, argument: Launch["args"][number]): boolean =>
  "buffer" in argument && argument.buffer in given.expected;

/** How a kernel of a pack is launched. */
interface Variant {
  readonly kernel: string;
  /** Of each launch: the first alternative and their number. */
  readonly ranges: readonly (readonly [first: number, count: number])[];
  readonly axis: Axis;
  readonly hasFirst: boolean;
}

const ALONE = { ranges: [[0, 1]], axis: "z", hasFirst: false } as const;

/** The outputs of each alternative, as hexadecimal digits. */
async function run(
  engine: EngineName,
  text: string,
  given: ModelCase,
  launch: Launch,
  { kernel, ranges, axis, hasFirst }: Variant,
): Promise<string[]> {
  const device = deviceOf(engine);
  using module = device.load(text);
  for (const [name, contents] of Object.entries(given.globals ?? {})) {
    await module.global(name).copyFrom(contents);
  }
  const total = ranges.reduce((sum, [, count]) => sum + count, 0);
  const buffers: { readonly buffer: DeviceBuffer; readonly bytes: number | undefined }[] = [];
  const args: LaunchArgument[] = [];
  for (const argument of launch.args) {
    if ("f32" in argument) args.push(f32(argument.f32));
    else if ("u32" in argument) args.push(u32(argument.u32));
    else if ("buffer" in argument) {
      const contents = given.buffers[argument.buffer]!;
      const own = isOutput(given, argument);
      const stride = strideOf(contents.byteLength);
      const buffer = device.allocate(own ? total * stride : contents.byteLength);
      const bytes = new Uint8Array(contents.buffer, contents.byteOffset, contents.byteLength);
      for (let i = 0; i < (own ? total : 1); i++) await buffer.copyFrom(bytes, { offset: i * stride });
      buffers.push({ buffer, bytes: own ? contents.byteLength : undefined });
      args.push(buffer);
    }
  }
  const [x = 1, y = 1] = [launch.grid].flat();
  for (const [first, count] of ranges) {
    const grid = (axis === "z" ? [x, y, count] : [x, count, 1]) as LaunchDimensions;
    const { sharedBytes = 0 } = launch;
    const shape = { grid, block: launch.block as LaunchDimensions, sharedBytes };
    device.stream.launch(module.kernel(kernel), shape, hasFirst ? [...args, u32(first)] : args);
  }
  const found = Array.from({ length: total }, () => "");
  for (const { buffer, bytes } of buffers) {
    if (bytes === undefined) continue;
    const all = (await buffer.read()) as Uint8Array;
    found.forEach((text, i) => {
      const part = all.subarray(i * strideOf(bytes), i * strideOf(bytes) + bytes);
      found[i] = `${text} ${Buffer.from(part).toString("hex")}`;
    });
  }
  for (const { buffer } of buffers) buffer.dispose();
  return found;
}

const strideOf = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

/** Launches with different numbers of alternatives, if a launch can begin with any of them. */
function rangesOf(total: number, hasFirst: boolean): (readonly [number, number])[] {
  const middle = hasFirst ? Math.ceil(total / 3) : 0;
  return middle === 0
    ? [[0, total]]
    : [
        [0, middle],
        [middle, total - middle],
      ];
}

const ENGINES = ["webassembly", "interpreter"] as const;

describe.each(CASES)("$name, $style,", { timeout: 600_000 }, ({ kernel, style }) => {
  const annotated = kernel.annotated(style);
  const names = annotated.injections.map(({ name }) => name);
  const rounds = style === STYLES[0] ? ROUNDS : OTHER_ROUNDS;
  const seed = runSeed();
  const random = new Random(seed);

  // Outside of a soak, each engine has every second kernel.
  const turn = CASES.findIndex((one) => one.kernel === kernel) % ENGINES.length;
  it.each(SOAK ? ENGINES : [ENGINES[turn]!])("on the engine %s", async (engine) => {
    for (let round = 0; round < rounds; round++) {
      const given = caseOf(kernel, random.word());
      for (const launch of given.launches) {
        const own = launch.args.map((argument) => isOutput(given, argument));
        const readsY = annotated.text.includes("ctaid.y");
        const counted: Axis = readsY || random.below(2) === 0 ? "z" : "y";
        const answer = choosePacking({
          ...{ annotated, entry: launch.kernel, sites: names, perAlternative: own },
          grid: counted === "z" ? [1, 1, 1] : [1, 1, 2],
        });
        const programs = Array.from({ length: PROGRAMS }, () =>
          stubsWith(annotated, kernel, counted, random),
        );
        const alone = new Map<string, string>();
        const outputsOf = async (stubs: Stubs): Promise<string> => {
          const text = annotated.render(stubs);
          const known =
            alone.get(text) ??
            (await run(engine, text, given, launch, { kernel: launch.kernel, ...ALONE }))[0]!;
          alone.set(text, known);
          return known;
        };
        const expected = [];
        for (const stubs of programs) expected.push(await outputsOf(stubs));
        const why = `seed ${seed}`;

        const packed = pack(annotated, programs);
        for (const { index, entries } of packed.variants) {
          const found = await run(engine, packed.text, given, launch, {
            kernel: entries[launch.kernel]!,
            ...ALONE,
          });
          expect(found, why).toEqual([expected[index]]);
        }

        expect(answer.kind, why).toBe(kernel.name === "globals" ? "kernels" : "alternatives");
        if (answer.kind !== "alternatives") continue;
        expect(answer.axis, why).toBe(counted);
        const strides = launch.args.map((argument) =>
          "buffer" in argument && isOutput(given, argument)
            ? strideOf(given.buffers[argument.buffer]!.byteLength)
            : undefined,
        );
        const request = { annotated, entry: launch.kernel, axis: answer.axis, strides };
        const runAll = async (counts: readonly number[], combine: "cross" | "pairwise", total: number) => {
          const numbers = new Map(names.map((name, i) => [name, counts[i]!]));
          const { annotated: expanded, hasFirst } = alternativesKernel({
            ...request,
            counts: numbers,
            combine,
          });
          expect(hasFirst, why).toBe(answer.hasFirst);
          const stubs = names.flatMap((name, i) =>
            Array.from({ length: counts[i]! }, (_, k) => [`${name}_${k}`, programs[k]![name]!] as const),
          );
          const ranges = rangesOf(total, hasFirst);
          const variant = { kernel: launch.kernel, ranges, axis: answer.axis, hasFirst };
          return run(engine, expanded.render(Object.fromEntries(stubs)), given, launch, variant);
        };
        expect(
          await runAll(
            names.map(() => PROGRAMS),
            "pairwise",
            PROGRAMS,
          ),
          why,
        ).toEqual(expected);

        const counts = names.map((_, i) => CROSSED[i] ?? 1);
        const total = counts.reduce((product, count) => product * count, 1);
        const crossed = await runAll(counts, "cross", total);
        const compared = Array.from({ length: total }, (_, i) => i);
        while (!SOAK && compared.length > COMPARED) compared.splice(random.below(compared.length), 1);
        for (const i of compared) {
          let rest = i;
          const stubs: Record<string, string> = {};
          for (const [index, name] of [...names.entries()].reverse()) {
            stubs[name] = programs[rest % counts[index]!]![name]!;
            rest = Math.floor(rest / counts[index]!);
          }
          expect(crossed[i], `${why}, alternative ${i} of ${counts.join(" x ")}`).toBe(
            await outputsOf(stubs),
          );
        }
      }
    }
  });
});
