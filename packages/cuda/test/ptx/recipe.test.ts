// PTX that is made when it is needed: before a compile for the backends of this package, later for those that take recipes.

import { filledKernel } from "@mm-ptx/types/core";
import { describe, expect, it } from "vitest";
import {
  type Backend,
  type BackendJob,
  isCubinFor,
  RECIPE,
  type Recipe,
  writtenSource,
} from "../../src/backend.js";
import { cacheKey } from "../../src/cache/key.js";
import { PtxCompiler } from "../../src/index.js";

const TEXT = [".version 8.0\n.target sm_75\n.address_size 64\n.entry k(.param .u64 p) {\n", "\nret;\n}\n"];
const TEMPLATE = {
  names: ["f"],
  segments: TEXT,
  holes: [0],
  lines: [
    { kernelLine: 1, lines: 4, head: 0, tail: 0 },
    { kernelLine: 5, lines: 3, head: 0, tail: 0 },
  ],
};

/** PTX with a recipe, and how often it was made. */
function made(digest: string, make = () => filledKernel(TEMPLATE, { f: "// here" })) {
  const counts = { made: 0 };
  const recipe: Recipe = {
    digest,
    outline: TEMPLATE,
    make: () => {
      counts.made++;
      return make();
    },
  };
  const ptx = Object.defineProperties(
    {},
    {
      template: { enumerable: true, value: TEMPLATE },
      stubs: { enumerable: true, get: () => recipe.make().stubs },
      [RECIPE]: { value: recipe },
    },
  ) as ReturnType<typeof filledKernel>;
  return { ptx: Object.freeze(ptx), counts };
}

/** A backend that gives every job the same bytes, and remembers the jobs. */
function remembering(takesRecipes: boolean): { readonly jobs: BackendJob[]; readonly open: () => Backend } {
  const jobs: BackendJob[] = [];
  const outcome = {
    kind: "compiled",
    cubin: new Uint8Array(4),
    log: "",
    milliseconds: 0,
    from: "compiled",
  } as const;
  const none = { queued: 0, running: 0, compiled: 0, failed: 0, workersStarted: 0, workersCrashed: 0 };
  const open = (): Backend => ({
    name: "isolated",
    version: "1",
    takesRecipes,
    start: (job, done) => {
      jobs.push(job);
      setImmediate(done, outcome);
      return () => {};
    },
    run: (job) => {
      jobs.push(job);
      return outcome;
    },
    stats: () => ({ ...none, workersOutgrown: 0, workersRecycled: 0, workerPeakBytes: 0 }),
    close: () => {},
  });
  return { jobs, open };
}

const OPTIONS = { arch: "sm_90", cache: false } as const;
const FAILS = (): never => {
  throw new Error("no such program");
};

describe("PTX with a recipe", () => {
  it("reaches backends that take recipes before it is made, and its result has its kernels", async () => {
    const { jobs, open } = remembering(true);
    await using compiler = new PtxCompiler(OPTIONS, open);
    const { ptx, counts } = made("a");
    const result = await compiler.compile({ ptx, priority: 3 });
    expect(result.kernels.map(({ name }) => name)).toEqual(["k"]);
    expect(counts.made).toBe(0);
    expect(jobs).toMatchObject([{ priority: 3, isSingle: true, source: { recipe: { digest: "a" } } }]);
    expect(result.source).toBe(ptx);
    expect(writtenSource(jobs[0]!.source)).toMatchObject({ stubs: ["// here"] });
    await compiler.compileAll([ptx]);
    expect(jobs[1]).toMatchObject({ isSingle: false });
  });

  it("is made once for other backends", async () => {
    const { jobs, open } = remembering(false);
    await using compiler = new PtxCompiler(OPTIONS, open);
    const { ptx, counts } = made("a");
    const { source } = await compiler.compile(ptx);
    expect(counts.made).toBe(1);
    expect(jobs).toMatchObject([{ source: { stubs: ["// here"] } }]);
    expect(source).toEqual(filledKernel(TEMPLATE, { f: "// here" }));
  });

  it("has the key of its recipe in the cache", () => {
    const { jobs, open } = remembering(true);
    using compiler = new PtxCompiler(OPTIONS, open);
    for (const digest of ["a", "a", "b"]) compiler.compileSync(made(digest).ptx);
    const [first, again, other] = jobs.map((job) => cacheKey(job, { version: "1" }));
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it("that can't be made fails with why", async () => {
    const { open } = remembering(false);
    await using compiler = new PtxCompiler(OPTIONS, open);
    await expect(compiler.compile(made("a", FAILS).ptx)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "no such program",
    });
  });
});

describe("the header of a cubin", () => {
  it("names its architecture, or the base of one that runs nothing else", () => {
    const header = Buffer.alloc(64);
    header.write("\x7fELF\x02\x01", 0, "latin1");
    header[8] = 8;
    header.writeUInt16LE(190, 18);
    header.writeUInt32LE(90 << 8, 48);
    expect(["sm_90", "sm_90a", "sm_80"].map((arch) => isCubinFor(header, arch))).toEqual([true, true, false]);
    expect(() => isCubinFor(header.subarray(0, 60), "sm_90")).toThrow(
      expect.objectContaining({ code: "INVALID_CUBIN" }),
    );
  });
});
