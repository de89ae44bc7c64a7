// Programs for the sites of a kernel: a farm makes the same PTX of them as this machine, and compiles it to the same cubins.

import { PtxCompiler, type PtxJob } from "@mm-ptx/cuda";
import { expandSites, pack } from "@mm-ptx/inject";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnection } from "../src/connection.js";
import { decodeParcel, type Parcel } from "../src/frames/parcel.js";
import { FarmCompiler, ProgramKernel, type ProgramTable } from "../src/index.js";
import { inboxOf, JOBS } from "../src/names.js";
import { LACKS, TestFarm } from "./support/farm.js";
import {
  AST,
  KERNEL,
  kernelOf,
  programsFrom,
  STACK,
  type TestLanguage,
  wrongOf,
} from "./support/programs.js";
import { plain } from "./support/results.js";

const OPTIONS = { arch: "sm_90", cache: false, workers: 1 } as const;

const describeKernel = <Table extends ProgramTable>(language: TestLanguage<Table>) =>
  describe(`a kernel for programs of ${language.name}`, () => {
    const { adding, fromWords, stubOf } = language;
    const last = adding(-1);

    it("makes the PTX that its parts make", () => {
      const kernel = kernelOf(language);
      const func = adding(1);
      const filled = kernel.fill({ func, last });
      expect(filled).toEqual(KERNEL.fill({ func: stubOf(func), last: stubOf(last) }));
      expect(structuredClone(filled)).toEqual(filled);
      const programs = programsFrom(language, 1, 3);
      const expanded = expandSites(KERNEL, "func", 3, { select: "%tid.x" });
      const stubs = Object.fromEntries(programs.map((program, i) => [`func_${i}`, stubOf(program)]));
      expect(kernel.alternatives("func", programs, { select: "%tid.x", others: { last } })).toEqual(
        expanded.fill({ ...stubs, last: stubOf(last) }),
      );
      const packed = pack(
        KERNEL,
        programs.map((program) => ({ func: stubOf(program), last: stubOf(last) })),
      );
      const made = kernel.pack(programs.map((program) => ({ func: program, last })));
      expect(made.text).toBe(packed.text);
      expect(made.names).toEqual(packed.names);
      expect(made.variants).toEqual(packed.variants);
      expect([...made.stubs()]).toEqual([...packed.stubs()]);
      expect(made.locate(12)).toEqual(packed.locate(12));
      expect(made.unpack("evaluate_1")).toEqual(packed.unpack("evaluate_1"));
    });

    it("keeps programs that are changed later", () => {
      const words = adding(1).words.slice();
      const filled = kernelOf(language).fill({ func: fromWords(words), last });
      words.fill(0);
      expect(filled.stubs.func).toBe(stubOf(adding(1)));
    });

    it("refuses what is no program, or for no site", () => {
      const kernel = kernelOf(language);
      const refused: (() => unknown)[] = [
        () => kernel.fill({ func: last }),
        () => kernel.fill({ func: last, last, other: last }),
        () => kernel.fill({ func: last, last: "text" as never }),
        () => kernel.fill({ func: last, last: { words: new Uint32Array(3) } as never }),
        () => kernel.fill(null as never),
        () => kernel.alternatives("func", [], { others: { last } }),
        () => kernel.alternatives("func", [last]),
        () => kernel.pack([]),
        () => kernel.pack([{ func: last }]),
      ];
      for (const call of refused) expect(call).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
      expect(() => kernel.alternatives("no", [last])).toThrow(
        expect.objectContaining({ code: "INJECTION_NAME_NOT_FOUND" }),
      );
    });
  });
describeKernel(STACK);
describeKernel(AST);

it("kernels for programs refuse those of another language", () => {
  const [stack, ast] = [STACK.adding(1), AST.adding(1)];
  expect(() => kernelOf(AST).fill({ func: ast, last: stack })).toThrow(
    "expected a program of AST PTX for site `last`, found one of Stack PTX",
  );
  expect(() => kernelOf(STACK).pack([{ func: ast as never, last: stack }])).toThrow(
    "expected a program of Stack PTX for site `func`, found one of AST PTX",
  );
  expect(() =>
    kernelOf(STACK).alternatives("func", [stack, ast as never], { others: { last: stack } }),
  ).toThrow("expected a program of Stack PTX for site `func_1`, found one of AST PTX");
});

it("kernels for programs refuse tables of other languages, and outputs that a site does not have", () => {
  for (const table of [undefined, null, {}, { kind: "inject" }, { kind: "toString" }])
    expect(() => new ProgramKernel(KERNEL, table as never)).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining("expected a table of Stack PTX or AST PTX, found "),
      }),
    );
  for (const outputs of [{ func: "x" }, { nowhere: "z" }, { constructor: "z" }])
    expect(() => kernelOf(AST, { outputs })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});

const FORMS = ["fill", "alternatives", "pack"];

/** Listens to what is put into the queue. @returns the parcels so far */
async function parcelsIn(servers: string): Promise<() => Promise<readonly Parcel[]>> {
  const connection = await openConnection({ servers: [servers] }, "listener", inboxOf("viewer", "listener"));
  const parcels: Parcel[] = [];
  connection.subscribe(JOBS, {
    callback: (_, { data }) => {
      const parcel = data.length === 0 ? undefined : decodeParcel(data);
      if (parcel !== undefined && "jobs" in parcel) parcels.push(parcel);
    },
  });
  await connection.flush();
  return async () => {
    await connection.close();
    return parcels;
  };
}

/** The jobs of all forms; the last two can't be compiled. */
function jobsOf<Table extends ProgramTable>(
  language: TestLanguage<Table>,
  kernel = kernelOf(language),
): readonly PtxJob[] {
  const programs = programsFrom(language, 1, 12);
  const last = language.adding(-1);
  const wrong = wrongOf(language);
  return [
    ...programs.map((func) => kernel.fill({ func, last })),
    { ptx: kernel.fill({ func: language.adding(100), last }), priority: 2 },
    kernel.alternatives("func", programs, { others: { last } }),
    kernel.alternatives("last", programs.slice(0, 4), { select: "%tid.x", others: { func: last } }),
    kernel.pack(programs.slice(0, 5).map((func) => ({ func, last }))),
    { ptx: kernel.pack([{ func: last, last }]) },
    kernel.fill({ func: wrong, last }),
    kernel.pack([
      { func: last, last },
      { func: wrong, last },
    ]),
  ];
}

describe.skipIf(LACKS !== undefined)(`programs on a farm${LACKS === undefined ? "" : ` (${LACKS})`}`, () => {
  let farm: TestFarm;
  let local: PtxCompiler;
  beforeAll(async () => {
    farm = await TestFarm.start();
    await farm.worker();
    local = new PtxCompiler(OPTIONS);
  });
  afterAll(async () => {
    await local?.disposeAsync();
    await farm?.[Symbol.asyncDispose]();
  });
  const compiler = (options = {}) =>
    new FarmCompiler({ ...OPTIONS, servers: farm.servers, local: "never", ...options });

  /** Compiles jobs here and on the farm. @returns the parcels of the farm */
  async function compared(jobs: readonly PtxJob[]): Promise<readonly Parcel[]> {
    await using remote = compiler();
    const seen = await parcelsIn(farm.servers);
    const [found, expected] = [await remote.compileAll(jobs), await local.compileAll(jobs)];
    expect(found.map(plain)).toEqual(expected.map(plain));
    expect(found.slice(-2)).toMatchObject([
      { ok: false, error: { code: "INVALID_ARGUMENT" } },
      { ok: false, error: { code: "INVALID_ARGUMENT", message: expect.stringContaining("program 2") } },
    ]);
    expect(remote.farm).toMatchObject({ wrong: 0, resubmitted: 0, repeated: 0, local: 0 });
    return seen();
  }
  const kinds = (parcels: readonly Parcel[]) => new Set(parcels.map(({ form }) => form?.kind));

  const describeLanguage = <Table extends ProgramTable>(language: TestLanguage<Table>) =>
    describe(language.name, () => {
      const last = language.adding(-1);

      it("has the results and errors of this machine's compiler", async () => {
        const jobs = jobsOf(language);
        expect(kinds(await compared(jobs))).toEqual(new Set(FORMS));
        await using both = compiler({ local: "help", cache: { folder: farm.folder } });
        const expected = (await local.compileAll(jobs)).map(plain);
        expect((await both.compileAll(jobs)).map(plain)).toEqual(expected);
        const again = await both.compileAll(jobs.slice(0, 14));
        expect(again.map((each) => each.ok && each.info.from)).toEqual(new Array(14).fill("cache"));
      });

      it("has them with routines and options, and with limits that workers refuse", async () => {
        for (const options of language.taken) {
          const kernel = kernelOf(language, options);
          const ran = "routines" in options ? [kernel.fill({ func: language.running, last })] : [];
          expect(kinds(await compared([...ran, ...jobsOf(language, kernel)]))).toEqual(new Set(FORMS));
        }
        const refused = await compared(jobsOf(language, kernelOf(language, language.left)));
        expect(kinds(refused)).toEqual(new Set([...FORMS, undefined]));
      });

      it("travels as a blob if it is too long for a message", async () => {
        await using remote = compiler();
        const long = language.long();
        const job = kernelOf(language, language.taken[0]).alternatives("func", [long, long], {
          others: { last },
        });
        expect(plain((await remote.compileAll([job]))[0]!)).toEqual(
          plain((await local.compileAll([job]))[0]!),
        );
        expect(remote.farm).toMatchObject({ remote: 1, wrong: 0 });
      });
    });
  describeLanguage(STACK);
  describeLanguage(AST);
});
