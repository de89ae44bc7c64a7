// Packing and expanding promise not to change programs. Here this is tested for machine code: for each kernel
// of the corpus and of the examples with sites, a variant in a pack and an alternative in its branch are
// compared with the kernel rendered alone.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type AnnotatedPtx,
  expandSites,
  type PackOptions,
  type PtxPack,
  pack,
  parsePtx,
} from "../packages/inject/dist/index.js";
import { runSeed } from "../packages/stack/test/support/random.js";
import { assemble, BACKENDS } from "./support/assemble.js";
import { cases, SOAK } from "./support/counts.js";
import { randomStackStubs, stubsFor } from "./support/kernel-stubs.js";
import { KERNELS as CORPUS } from "./support/kernels.js";
import { differences, type KernelCode, machineCode, SUBROUTINES } from "./support/machine-code.js";
import { TARGETS } from "./support/targets.js";
import { ROOT } from "./support/workspace.js";

/** A kernel to repeat. */
interface Kernel {
  readonly name: string;
  readonly annotated: AnnotatedPtx;
  /** The target of its PTX, for example `sm_75`. */
  readonly target: string;
}

const EXAMPLES = ["apps", "examples"].map((folder) => join(ROOT, folder));
const KERNELS: readonly Kernel[] = [
  ...CORPUS.map((kernel) => ({
    name: kernel.name,
    target: kernel.target,
    annotated: kernel.annotated("macro"),
  })),
  ...EXAMPLES.flatMap((folder) =>
    readdirSync(folder).map((name) => ({ name, file: join(folder, name, "kernel.ptx") })),
  )
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => {
      const ptx = readFileSync(file, "utf8");
      return { name, target: /^\.target (\w+)/m.exec(ptx)![1]!, annotated: parsePtx(ptx) };
    })
    // The others have nothing that could be packed.
    .filter(({ annotated }) => annotated.injections.length > 0),
];

/** Different programs for the variants of a pack. */
const PROGRAMS = Math.max(3, cases(10));
/**
 * Numbers of variants that every kernel is packed with, and for which target; 100 take half a minute for each
 * target.
 */
const PACKS = (SOAK ? [1, 10, 100] : [1, 4]).flatMap((count) =>
  TARGETS.map((arch) => [count, arch] as const),
);
/** The number of variants that the small kernels are packed with. */
const MANY = SOAK ? 1000 : 40;
/** Outside of a soak, tests take every third kernel by turns. */
const some = (turn: number) => KERNELS.filter((_, index) => SOAK || index % 3 === turn);
const SMALL = ["elementwise", "globals"];
const ALTERNATIVES = 2;
/** The constants that contain the targets of branches. */
const JUMP_TABLES = ".nv.constant2.";
/**
 * Differences that arise when instructions are in another order or use other registers. The compiler has
 * subroutines for division, roots and reciprocals with a rounding mode. Around calls of them, its choice of
 * registers depends on the rest of a module, also without packs: there, these differences are allowed.
 */
const SCHEDULING = ["instructions", ".nv.info.", "registers"];

type Stubs = Record<string, string>;

/** Random programs for a kernel; `exact` ones call no subroutines of the compiler. */
const programsFor = (kernel: Kernel, seed: number, count: number, exact = true): Stubs[] =>
  Array.from({ length: count }, (_, i) => {
    const make = randomStackStubs((seed + i) >>> 0, kernel.target);
    return stubsFor(kernel.annotated, (injection) => {
      const stub = make(injection);
      return exact ? stub.replace(/\b(div|rcp|sqrt)\.r[mnpz]\b/g, "$1.approx") : stub;
    });
  });

/** The machine code of each text by its name; texts that do not assemble fail the test. */
async function compiled(texts: ReadonlyMap<string, string>, arch: string): Promise<Map<string, Uint8Array>> {
  const modules = [...texts].map(([what, ptx]) => ({ what, ptx }));
  const { cubins, failures } = await assemble(modules, arch, BACKENDS[0]!);
  expect(failures).toEqual([]);
  return new Map(cubins);
}

/** The names that symbols of a pack's cubin have in a module of one variant. */
function plainNames(packed: PtxPack): (symbol: string) => string {
  const originals = new Map<string, string>();
  for (const { names } of packed.variants) {
    for (const [original, own] of Object.entries(names)) originals.set(own, original);
  }
  return (symbol) => {
    const found = packed.unpack(symbol);
    if (found === undefined) return originals.get(symbol) ?? symbol;
    const own = packed.variants[found.variant]!.entries[found.entry]!;
    return symbol.replace(own, found.entry);
  };
}

/** The differences of a kernel from itself alone, in words. */
function changesOf(
  what: string,
  alone: Map<string, KernelCode>,
  found: KernelCode | undefined,
  entry: string,
): string[] {
  const single = alone.get(entry);
  const allowed = single?.get(SUBROUTINES) ? SCHEDULING : [];
  return differences(single, found)
    .filter((each) => !allowed.includes(each))
    .map((each) => `${what}: ${each}`);
}

/** The differences of kernels of a pack from themselves alone. */
function changes(packed: PtxPack, cubin: Uint8Array, alone: (variant: number) => Uint8Array): string[] {
  const code = machineCode(cubin, plainNames(packed));
  return packed.variants.flatMap(({ index, entries }) => {
    const single = machineCode(alone(index));
    return Object.entries(entries).flatMap(([entry, own]) => changesOf(own, single, code.get(own), entry));
  });
}

/** The same for packs of `count` variants of the kernels. */
async function changesInPacks(
  kernels: readonly Kernel[],
  count: number,
  arch: string,
  seed: number,
  { exact = true, ...options }: PackOptions & { exact?: boolean } = {},
): Promise<string[]> {
  const texts = new Map<string, string>();
  const packs = new Map<string, PtxPack>();
  for (const kernel of kernels) {
    const annotated = kernel.annotated;
    const programs = programsFor(kernel, seed, Math.min(count, PROGRAMS), exact);
    for (const [i, stubs] of programs.entries()) texts.set(`${kernel.name} ${i}`, annotated.render(stubs));
    const variants = Array.from({ length: count }, (_, i) => programs[i % PROGRAMS]!);
    const packed = pack(annotated, variants, options);
    packs.set(kernel.name, packed);
    texts.set(kernel.name, packed.text);
  }
  const cubins = await compiled(texts, arch);
  return [...packs].flatMap(([name, packed]) =>
    changes(packed, cubins.get(name)!, (variant) => cubins.get(`${name} ${variant % PROGRAMS}`)!),
  );
}

describe.skipIf(BACKENDS.length === 0)("in a pack", () => {
  it.each(PACKS)(
    "of %i, each variant of the kernels is the same as alone on %s",
    { timeout: 900_000 },
    async (count, arch) => {
      const seed = runSeed();
      expect(await changesInPacks(some(count === 1 ? 0 : 1), count, arch, seed), `seed ${seed}`).toEqual([]);
    },
  );

  it(`of ${MANY}, small kernels are the same as alone`, { timeout: 900_000 }, async () => {
    const seed = runSeed();
    const small = KERNELS.filter(({ name }) => SMALL.includes(name));
    expect(small).toHaveLength(SMALL.length);
    expect(await changesInPacks(small, MANY, "sm_90", seed), `seed ${seed}`).toEqual([]);
  });

  it("whose variants share state, they are the same as alone", { timeout: 900_000 }, async () => {
    const seed = runSeed();
    const stateful = KERNELS.filter(({ name }) => name === "globals");
    expect(await changesInPacks(stateful, 10, "sm_90", seed, { shared: "all" }), `seed ${seed}`).toEqual([]);
  });

  it("only registers differ where the compiler calls subroutines", { timeout: 900_000 }, async () => {
    const seed = runSeed();
    const found = await changesInPacks(some(2), PROGRAMS, "sm_90", seed, {
      exact: false,
    });
    expect(found, `seed ${seed}`).toEqual([]);
  });

  it("exact programs call no subroutines", async () => {
    const texts = new Map(
      KERNELS.map((kernel) => {
        const [stubs] = programsFor(kernel, runSeed(), 1);
        return [kernel.name, kernel.annotated.render(stubs!)] as const;
      }),
    );
    const cubins = await compiled(texts, "sm_90");
    const calling = [...cubins].filter(([, cubin]) =>
      [...machineCode(cubin).values()].some((code) => code.get(SUBROUTINES) !== ""),
    );
    expect(calling.map(([name]) => name)).toEqual([]);
  });

  it("a difference between variants is detected", async () => {
    const kernel = KERNELS.find(({ name }) => name === "elementwise")!;
    const annotated = kernel.annotated;
    const [one, other] = programsFor(kernel, 1, 2) as [Stubs, Stubs];
    const packed = pack(annotated, [one, other]);
    const cubins = await compiled(
      new Map([
        ["pack", packed.text],
        ["alone", annotated.render(one)],
      ]),
      "sm_90",
    );
    const found = changes(packed, cubins.get("pack")!, () => cubins.get("alone")!);
    expect(found).toContain("elementwise_1: instructions");
    expect(found.filter((what) => what.startsWith("elementwise_0"))).toEqual([]);
  });
});

/** Every injection of a kernel, expanded to alternatives that the block chooses between. */
function expandAll(annotated: AnnotatedPtx, count: number): AnnotatedPtx {
  return annotated.injections.reduce(
    (expanded, { name }) => expandSites(expanded, name, count, { select: "%ctaid.x" }),
    annotated,
  );
}

describe.skipIf(BACKENDS.length === 0)("in a branch", () => {
  // With a constant in place of the block's index the compiler resolves the branch itself, and one program is
  // left.
  it.each(TARGETS)(
    "each alternative is the same as alone, once chosen, on %s",
    { timeout: 900_000 },
    async (arch) => {
      const seed = runSeed();
      const texts = new Map<string, string>();
      const kernels = some(2);
      for (const kernel of kernels) {
        const annotated = kernel.annotated;
        const programs = programsFor(kernel, seed, ALTERNATIVES);
        const stubs = programs.flatMap((program, i) =>
          Object.entries(program).map(([name, stub]) => [`${name}_${i}`, stub] as const),
        );
        const expanded = expandAll(annotated, ALTERNATIVES).render(Object.fromEntries(stubs));
        texts.set(`${kernel.name}, choosing`, expanded);
        for (let choice = 0; choice <= ALTERNATIVES; choice++) {
          const chosen = expanded.replaceAll("mov.u32 %_choice, %ctaid.x;", `mov.u32 %_choice, ${choice};`);
          texts.set(`${kernel.name} ${choice}, chosen`, chosen);
          const alone = programs[choice] ?? zeros(annotated);
          texts.set(`${kernel.name} ${choice}, alone`, annotated.render(alone));
        }
      }
      const cubins = await compiled(texts, arch);
      const found: string[] = [];
      const differing = new Set<string>();
      for (const { name } of kernels) {
        for (let choice = 0; choice <= ALTERNATIVES; choice++) {
          const chosen = machineCode(cubins.get(`${name} ${choice}, chosen`)!);
          const alone = machineCode(cubins.get(`${name} ${choice}, alone`)!);
          for (const [entry, code] of chosen) {
            // The table of the branch remains, although nothing reads it any more.
            const changed = differences(alone.get(entry), code).filter((what) => what !== JUMP_TABLES);
            if (changed.length > 0) differing.add(`${name} ${choice}`);
            const wrong = changed.filter((what) => !SCHEDULING.includes(what));
            found.push(...wrong.map((what) => `${name} ${choice}, ${entry}: ${what}`));
          }
        }
      }
      expect(found, `seed ${seed}`).toEqual([]);
      // The compiler orders the instructions of a few kernels differently, depending on what it saw before it
      // resolved the branches. Choosing a wrong alternative would make all of them differ.
      const most = (kernels.length * (ALTERNATIVES + 1)) / 4;
      expect(differing.size, `${[...differing].join(", ")}; seed ${seed}`).toBeLessThan(most);
    },
  );
});

/** Stubs that do the same as when no alternative is chosen. */
function zeros({ injections }: AnnotatedPtx): Stubs {
  return Object.fromEntries(
    injections.map(({ name, operands }) => [
      name,
      operands
        .filter(({ direction }) => direction === "out")
        .map(({ register, registerType }) => `\tmov.b${/\d+/.exec(registerType)![0]} %${register}, 0;`)
        .join("\n"),
    ]),
  );
}
