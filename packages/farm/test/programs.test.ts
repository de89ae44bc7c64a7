// Programs for the sites of a kernel: a farm makes the same PTX of them as this machine, and compiles it to the same cubins.

import { PtxCompiler, type PtxJob } from "@mm-ptx/cuda";
import { expandSites, pack } from "@mm-ptx/inject";
import { StackCompiler, StackProgram, siteJob } from "@mm-ptx/stack";
import { f32, table } from "@mm-ptx/stack/default";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnection } from "../src/connection.js";
import { decodeParcel, type Parcel } from "../src/frames/parcel.js";
import { FarmCompiler, type ProgramKernel } from "../src/index.js";
import { inboxOf, JOBS } from "../src/names.js";
import { LACKS, TestFarm } from "./support/farm.js";
import { KERNEL, kernelOf, programOf, programsFrom, WRONG } from "./support/programs.js";
import { plain } from "./support/results.js";

const OPTIONS = { arch: "sm_90", cache: false, workers: 1 } as const;

const stubOf = (program: StackProgram): string =>
  new StackCompiler(table).compile(program, siteJob(table, KERNEL.injection("func").operands));
const last = programOf(-1);

describe("a kernel for programs", () => {
  it("makes the PTX that its parts make", () => {
    const kernel = kernelOf();
    const [func] = programsFrom(1, 1) as [StackProgram];
    const filled = kernel.fill({ func, last });
    expect(filled).toEqual(KERNEL.fill({ func: stubOf(func), last: stubOf(last) }));
    expect(structuredClone(filled)).toEqual(filled);
    const programs = programsFrom(1, 3);
    const expanded = expandSites(KERNEL, "func", 3, { select: "%tid.x" });
    const stubs = Object.fromEntries(programs.map((program, i) => [`func_${i}`, stubOf(program)]));
    expect(kernel.alternatives("func", programs, { select: "%tid.x", others: { last } })).toEqual(
      expanded.fill({ ...stubs, last: stubOf(last) }),
    );
    const sets = programs.map((program) => ({ func: program, last }));
    const packed = pack(
      KERNEL,
      programs.map((program) => ({ func: stubOf(program), last: stubOf(last) })),
    );
    const made = kernel.pack(sets);
    expect(made.text).toBe(packed.text);
    expect(made.names).toEqual(packed.names);
    expect(made.variants).toEqual(packed.variants);
    expect([...made.stubs()]).toEqual([...packed.stubs()]);
    expect(made.locate(12)).toEqual(packed.locate(12));
    expect(made.unpack("evaluate_1")).toEqual(packed.unpack("evaluate_1"));
  });

  it("keeps programs that are changed later", () => {
    const words = programOf(1).words.slice();
    const filled = kernelOf().fill({ func: StackProgram.fromWords(words), last });
    words.fill(0);
    expect(filled.stubs.func).toBe(stubOf(programOf(1)));
  });

  it("refuses what is no program, or for no site", () => {
    const kernel = kernelOf();
    const refused: (() => unknown)[] = [
      () => kernel.fill({ func: last }),
      () => kernel.fill({ func: last, last, other: last }),
      () => kernel.fill({ func: last, last: "text" as unknown as StackProgram }),
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

/** The jobs of all forms, with a kernel for each set of options. */
function jobsOf(kernel: ProgramKernel): readonly PtxJob[] {
  const programs = programsFrom(1, 12);
  return [
    ...programs.map((func) => kernel.fill({ func, last })),
    { ptx: kernel.fill({ func: programOf(100), last }), priority: 2 },
    kernel.alternatives("func", programs, { others: { last } }),
    kernel.alternatives("last", programs.slice(0, 4), { select: "%tid.x", others: { func: last } }),
    kernel.pack(programs.slice(0, 5).map((func) => ({ func, last }))),
    { ptx: kernel.pack([{ func: last, last }]) },
    kernel.fill({ func: WRONG, last }),
    kernel.pack([
      { func: last, last },
      { func: WRONG, last },
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

  it.each([
    ["the default options", {}],
    ["a routine and other limits", { routines: [StackProgram.of(f32(3))], limits: { stackSize: 64 } }],
    ["sequential copies", { requestCopies: "sequential", executionLimit: 1000 }],
    ["limits that workers refuse", { limits: { maxAstSize: 2 ** 25 } }],
  ] as const)("have the results and errors of this machine's compiler, with %s", async (_, options) => {
    await using remote = compiler();
    const seen = await parcelsIn(farm.servers);
    const jobs = jobsOf(kernelOf(options));
    const [found, expected] = [await remote.compileAll(jobs), await local.compileAll(jobs)];
    expect(found.map(plain)).toEqual(expected.map(plain));
    expect(found.slice(-2)).toMatchObject([
      { ok: false, error: { code: "INVALID_ARGUMENT" } },
      { ok: false, error: { code: "INVALID_ARGUMENT", message: expect.stringContaining("program 2") } },
    ]);
    expect(remote.farm).toMatchObject({ wrong: 0, resubmitted: 0, repeated: 0, local: 0 });
    const parcels = await seen();
    expect(new Set(parcels.map(({ form }) => form?.kind))).toEqual(
      new Set(["limits" in options && "maxAstSize" in options.limits ? undefined : "fill", ...FORMS]),
    );
  });

  it("have them when this machine helps, and with a cache", async () => {
    await using both = compiler({ local: "help", cache: { folder: farm.folder } });
    const jobs = jobsOf(kernelOf());
    const expected = (await local.compileAll(jobs)).map(plain);
    expect((await both.compileAll(jobs)).map(plain)).toEqual(expected);
    const again = await both.compileAll(jobs.slice(0, 14));
    expect(again.map((each) => each.ok && each.info.from)).toEqual(new Array(14).fill("cache"));
  });

  it("travel as a blob if they are too many for a message", async () => {
    const kernel = kernelOf();
    const long = StackProgram.of(...Array.from({ length: 50_000 }, (_, i) => f32(i)), ...programOf(3));
    await using remote = compiler();
    const job = kernel.alternatives("func", [long, long], { others: { last } });
    expect(plain((await remote.compileAll([job]))[0]!)).toEqual(plain((await local.compileAll([job]))[0]!));
    expect(remote.farm).toMatchObject({ remote: 1, wrong: 0 });
  });
});
