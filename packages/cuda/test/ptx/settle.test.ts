// Every job is settled exactly once, over a scripted backend.

import { beforeEach, expect, test, vi } from "vitest";
import { type JobResult, PtxCompileError, PtxCompiler } from "../../src/index.js";
import type { Backend, BackendJob, BackendOutcome } from "../../src/ptx/backend.js";

interface Started {
  readonly job: BackendJob;
  readonly done: (outcome: BackendOutcome) => void;
}

const started: Started[] = [];
const forgotten: string[] = [];

vi.mock(import("../../src/ptx/select.js"), async (original) => ({
  ...(await original()),
  selectBackend: (): Backend => ({
    name: "in-process",
    version: "0.0.0",
    start(job, done) {
      if (job.target.arch === "sm_75") throw new RangeError("no place for another");
      started.push({ job, done });
      return () => forgotten.push(job.target.arch);
    },
    run: () => expect.fail("nobody blocks"),
    stats: () => expect.fail("nobody asks"),
    close() {},
  }),
}));

beforeEach(() => {
  started.length = 0;
  forgotten.length = 0;
});

const compiled = (): BackendOutcome => ({
  kind: "compiled",
  cubin: new Uint8Array(1),
  log: "",
  milliseconds: 1,
  from: "compiled",
});
const failure = (compile: Promise<unknown>) => compile.catch((error: unknown) => error as PtxCompileError);
const codes = (results: readonly JobResult[]) => results.map((each) => (each.ok ? "ok" : each.error.code));

test("an outcome that cannot be read fails its job alone", async () => {
  using compiler = new PtxCompiler({ arch: "sm_90", cache: false });
  const results = compiler.compileAll(["a", "b"]);
  started[0]!.done({ ...compiled(), log: undefined } as unknown as BackendOutcome);
  started[1]!.done(compiled());
  expect(codes(await results)).toEqual(["INTERNAL", "ok"]);
  const [broken] = await results;
  expect(broken).toMatchObject({ error: { cause: expect.any(TypeError) } });
});

test("an architecture that cannot be started cancels those that were", async () => {
  using compiler = new PtxCompiler({ arch: "sm_90", cache: false });
  const compile = failure(compiler.compile({ ptx: "a", arch: ["sm_90", "sm_75"] }));
  expect(forgotten).toEqual(["sm_90"]);
  expect(await compile).toMatchObject({ code: "INTERNAL", message: "no place for another" });
});

test("a disposed compiler returns each result once, whatever its backend reports later", async () => {
  const compiler = new PtxCompiler({ arch: "sm_90", cache: false, workers: 1 });
  const stream = compiler.stream(["a", "b", "c"]);
  const first = stream.next();
  compiler[Symbol.dispose]();
  const results = [(await first).value as JobResult];
  for (const { done } of started) done(compiled());
  for await (const result of stream) results.push(result);
  expect(results.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(codes(results)).toEqual(["DISPOSED", "DISPOSED", "DISPOSED"]);
  expect(forgotten).toHaveLength(3);
});

test("an aborted job stays aborted, whatever its backend reports later", async () => {
  using compiler = new PtxCompiler({ arch: "sm_90", cache: false });
  const controller = new AbortController();
  const results = compiler.compileAll([{ ptx: "a", signal: controller.signal }, "b"]);
  controller.abort();
  for (const { done } of started) done(compiled());
  expect(codes(await results)).toEqual(["ABORTED", "ok"]);
  expect(forgotten).toContain("sm_90");
  expect((await results).every((each) => each.ok || each.error instanceof PtxCompileError)).toBe(true);
});

test("a call that its own job aborts leaves nothing running", async () => {
  using compiler = new PtxCompiler({ arch: "sm_90", cache: false });
  const controller = new AbortController();
  const job = {
    get ptx() {
      controller.abort();
      return "a";
    },
  };
  const error = await failure(compiler.compile(job, { signal: controller.signal }));
  expect(error).toMatchObject({ code: "ABORTED" });
  expect(forgotten).toEqual(["sm_90"]);
});
