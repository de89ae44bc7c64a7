// What a worker makes of programs: the PTX that their submitter would make, or nothing, and not for longer than it may.

import { hash } from "node:crypto";
import { RECIPE, renderSource, type Source } from "@mm-ptx/cuda/backend";
import { fingerprintOfTable } from "@mm-ptx/types/internal";
import { type KernelFile, readKernelFile, writeKernelFile } from "@mm-ptx/types/kernel-file";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { SOAK } from "../../../tests/support/counts.js";
import { decodeParcel, encodeParcel, type Parcel } from "../src/frames/parcel.js";
import type { ProgramOf, ProgramPack, ProgramTable } from "../src/index.js";
import type { ProgramRecipe } from "../src/programs/kernel.js";
import { Maker } from "../src/programs/maker.js";
import { openSources } from "../src/worker/sources.js";
import { AST, type KERNEL, kernelOf, STACK, type TestLanguage } from "./support/programs.js";

afterEach(() => {
  vi.restoreAllMocks();
});

const recipeOf = (ptx: object): ProgramRecipe =>
  (ptx as { readonly [RECIPE]: unknown })[RECIPE] as ProgramRecipe;

/** Each parcel is from another submitter, so that no setup is known. */
let submitters = 0;

/** What a worker makes of the jobs of a parcel. */
async function madeOf(
  recipes: readonly ProgramRecipe[],
  setup: Uint8Array = recipes[0]!.setup.bytes,
): Promise<(string | undefined)[]> {
  const [{ setup: kernel, form }] = recipes as [ProgramRecipe];
  const jobs = recipes.map(({ programs }) => programs);
  const blob = { hash: kernel.hash, bytes: setup.length };
  const sent: Parcel = { options: { arch: "sm_90" }, timeoutMs: 0, deaths: 0, setup: blob, form, jobs };
  const parcel = decodeParcel(encodeParcel(sent)) as Parcel;
  submitters++;
  const make = await openSources(`submitter-${submitters}`, parcel, async () => setup);
  return parcel.jobs.map((job) => textOf(make(job)));
}

const textOf = (source: Source | undefined): string | undefined =>
  source === undefined ? undefined : (renderSource(source) as string);

/** The PTX that the submitter makes; `undefined` if it can't. */
function localText(ptx: ReturnType<typeof KERNEL.fill> | ProgramPack): string | undefined {
  try {
    if ("text" in ptx) return ptx.text;
    const { template, stubs } = ptx;
    return renderSource({ template, stubs: template.names.map((name) => stubs[name]!) }) as string;
  } catch {
    return undefined;
  }
}

const describeLanguage = <Table extends ProgramTable>(language: TestLanguage<Table>) =>
  describe(`programs of ${language.name} on a worker`, () => {
    const { adding, fromWords, running, taken, table } = language;
    const last = adding(-1);
    const kernel = kernelOf(language);
    const filled = kernel.fill({ func: adding(1), last });
    const recipe = recipeOf(filled);
    const file = readKernelFile(recipe.setup.bytes);
    const kind = table.kind as "ast" | "stack";

    /** The instructions of valid programs in any order, and any instructions at all. */
    const words = fc.array(
      fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom(...pairsOf(adding(2).words), ...pairsOf(running.words)) },
        { weight: 1, arbitrary: fc.tuple(fc.nat({ max: 2 ** 20 }), fc.nat({ max: 9 })) },
      ),
      { maxLength: 12 },
    );
    const programs = fc.oneof(
      fc.constant(running),
      fc.integer({ min: -9, max: 9 }).map(adding),
      words.map((pairs) => fromWords(Uint32Array.from(pairs.flat()))),
    );

    it("becomes the submitter's PTX, or nothing if that can't be made", async () => {
      const routines = kernelOf(language, taken[0]);
      const forms = fc.constantFrom("fill", "alternatives", "pack");
      const counts = { made: 0, unmade: 0 };
      await fc.assert(
        fc.asyncProperty(fc.array(programs, { minLength: 1, maxLength: 4 }), forms, async (all, form) => {
          const [func] = all as [ProgramOf<Table>];
          const ptx =
            form === "fill"
              ? routines.fill({ func, last })
              : form === "pack"
                ? routines.pack(all.map((each) => ({ func: each, last })))
                : routines.alternatives("func", all, { select: "%tid.x", others: { last } });
          const [made] = await madeOf([recipeOf(ptx)]);
          expect(made).toBe(localText(ptx));
          counts[made === undefined ? "unmade" : "made"]++;
        }),
        { numRuns: SOAK ? 2000 : 150 },
      );
      expect(Math.min(counts.made, counts.unmade)).toBeGreaterThan(10);
    });

    it("becomes nothing if the kernel is damaged", async () => {
      const { bytes } = recipe.setup;
      await fc.assert(
        fc.asyncProperty(
          fc.nat({ max: bytes.length - 1 }),
          fc.integer({ min: 1, max: 255 }),
          async (at, change) => {
            const damaged = Uint8Array.from(bytes);
            damaged[at]! ^= change;
            for (const setup of [damaged, bytes.subarray(0, at), new Uint8Array(at)])
              expect(await madeOf([recipe], setup)).toEqual([undefined]);
          },
        ),
        { numRuns: SOAK ? 10_000 : 50 },
      );
    });

    it("becomes nothing if the table is unknown, or there are more languages or no language", async () => {
      const part = file[kind]!;
      const files: readonly KernelFile[] = [
        { ...file, [kind]: { ...part, table: "0".repeat(64) } },
        { ptx: file.ptx },
        { ...fileOf(STACK), ...fileOf(AST) },
        { ...file, [kind]: { ...part, jobs: part.jobs.slice(1) } },
        { ...file, ptx: "not PTX" },
      ];
      for (const each of files) expect(await madeOf([recipe], writeKernelFile(each))).toEqual([undefined]);
    });

    it("becomes PTX with a table that only the submitter has", async () => {
      const cut = { ...table, instructions: table.instructions.slice(0, -1) } as unknown as Table;
      const own = { ...cut, fingerprint: fingerprintOfTable(cut) };
      const ptx = kernelOf({ ...language, table: own }).fill({ func: adding(1), last });
      expect(readKernelFile(recipeOf(ptx).setup.bytes)[kind]!.table).toEqual(own);
      expect(await madeOf([recipeOf(ptx)])).toEqual([localText(filled)]);
    });

    it("becomes nothing beyond limits of the worker", () => {
      const routines = kernelOf(language, taken[0]);
      const ran = recipeOf(routines.fill({ func: running, last }));
      const own = readKernelFile(ran.setup.bytes);
      const most = { steps: 100, characters: 100_000 };
      const make = (bounds: Partial<typeof most>, from = ran, deadline?: number) =>
        new Maker(own, { ...most, ...bounds }).make(from.form, from.programs, deadline);
      expect(make({})).toEqual(ran.make());
      const refused = expect.objectContaining({ code: "INVALID_ARGUMENT" });
      expect(() => make({ steps: 3 })).toThrow(refused);
      expect(() => make({ characters: 300 })).toThrow("expected at most 300 characters of PTX, found more");
      expect(() => make({}, ran, performance.now() - 1)).toThrow("take less time");
      const step = adding(1).words.slice(2);
      const long = fromWords(Uint32Array.from([...running.words, ...new Array(999).fill([...step]).flat()]));
      const one = recipeOf(routines.fill({ func: long, last }));
      expect(() => make({ steps: 1e6, characters: 20_000 }, one)).toThrow("found more");
      expect(make({ steps: 1e6 }, one)).toEqual(one.make());
      // Not the error of `pack`: its text is not made.
      const huge = { kind: "pack", count: 2 ** 21 } as const;
      expect(() => new Maker(own, most).shape(huge)).toThrow("at most 100000 characters of PTX");
    });

    it("becomes nothing if those before it in the parcel have taken too long", async () => {
      const text = localText(filled);
      let now = 0;
      vi.spyOn(performance, "now").mockImplementation(() => {
        now += 200;
        return now;
      });
      const recipes = [recipe, recipe, recipe, recipe];
      const made = vi.spyOn(Maker.prototype, "make");
      expect(await madeOf(recipes)).toEqual([text, text, undefined, undefined]);
      expect(await madeOf(recipes)).toEqual([text, text, undefined, undefined]);
      expect(made).toHaveBeenCalledTimes(4);
    });
  });

const pairsOf = (words: Uint32Array): (readonly [number, number])[] =>
  Array.from({ length: words.length / 2 }, (_, i) => [words[2 * i]!, words[2 * i + 1]!]);

const fileOf = <Table extends ProgramTable>(language: TestLanguage<Table>): KernelFile =>
  readKernelFile(
    recipeOf(kernelOf(language).fill({ func: language.adding(1), last: language.adding(1) })).setup.bytes,
  );

it("the kernel that workers ask for says the same in every version", () => {
  const headOf = <Table extends ProgramTable>(language: TestLanguage<Table>): string => {
    const { adding, running, taken } = language;
    const { setup } = recipeOf(kernelOf(language, taken[0]).fill({ func: running, last: adding(1) }));
    expect(setup.hash).toBe(hash("sha256", setup.bytes));
    const text = Buffer.from(setup.bytes).toString("latin1");
    return /\{"\w+":.*\}\}/.exec(text)![0].replace(language.table.fingerprint, "");
  };
  const registers = '[{"name":"_x0","stackIndex":0},{"name":"_x1","stackIndex":0}]';
  const stack = `"job":{"registers":${registers},"requests":[0]},"programs":[]`;
  expect(headOf(STACK)).toBe(
    `{"stack":{"table":"","limits":{"stackSize":64},"routines":[1],"jobs":[{"site":"func",${stack}},{"site":"last",${stack}}]}}`,
  );
  const ast = '"job":{"inputs":["_x1"],"output":"_x0"},"programs":[]';
  expect(headOf(AST)).toBe(
    `{"ast":{"table":"","limits":{"maxStackDepth":20},"routines":[3],"jobs":[{"site":"func",${ast}},{"site":"last",${ast}}]}}`,
  );
});

describeLanguage(STACK);
describeLanguage(AST);
