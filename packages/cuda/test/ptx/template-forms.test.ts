// Templates are identified by their content: clones share a key, a native copy and the parsed kernels.

import * as crypto from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { filledKernel, renderText } from "@mm-ptx/types/core";
import { describe, expect, test, vi } from "vitest";
import { cacheKey } from "../../src/cache/key.js";
import { PtxCompiler } from "../../src/index.js";
import { loadNative } from "../../src/native/load.js";
import { resolveJob } from "../../src/ptx/job.js";
import { resolveOptions } from "../../src/ptx/options.js";
import { formCount, formOf } from "../../src/ptx/template-forms.js";
import { BACKENDS } from "../support/backends.js";
import { module } from "../support/ptx.js";

vi.mock("node:crypto", { spy: true });

const ADD = "\tadd.f32 \t%f2, %f1, %f1;\n";
const feeds = (text: string) => text.split("\n").length - 1;

function filledWith(stub: string, name = "scale") {
  const segments = module(name).split(ADD) as [string, string];
  const lines = [
    { kernelLine: 1, lines: feeds(segments[0]), head: 0, tail: 0 },
    { kernelLine: feeds(segments[0]) + 1, lines: feeds(segments[1]), head: 0, tail: 0 },
  ];
  return filledKernel({ names: ["func"], segments, holes: [0], lines }, { func: stub });
}

test("a clone has the same key and the same form, and is hashed once", () => {
  const filled = filledWith(ADD, "hashed");
  const target = resolveOptions({ arch: "sm_90" });
  const keyOf = (job: unknown) =>
    cacheKey({ source: resolveJob(job).source, target, timeoutMs: 0, priority: 0 }, { version: "13.0.88" });
  const key = keyOf(filled);
  const clone = structuredClone(filled);
  const digests = () =>
    vi.mocked(crypto.hash).mock.calls.filter(([, data]) => String(data).startsWith("[[")).length;
  const before = digests();
  for (let i = 0; i < 10; i++) expect(keyOf(clone)).toBe(key);
  for (let i = 0; i < 10; i++) expect(keyOf({ ...clone, priority: i })).toBe(key);
  expect(digests() - before).toBe(1);
  expect(formOf(clone.template)).toBe(formOf(filled.template));
  expect(formOf(filledWith("", "hashed").template)).toBe(formOf(filled.template));
  expect(formOf(filledWith("", "other").template)).not.toBe(formOf(filled.template));
});

test("forms of templates that were collected are forgotten", { timeout: 120_000 }, async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const before = formCount();
  const lines = [{ kernelLine: 1, lines: 0, head: 0, tail: 0 }];
  for (let i = 0; i < 100_000; i++)
    formOf(Object.freeze({ names: [], segments: [`// ${i}`], holes: [], lines }));
  for (let i = 0; i < 100 && formCount() - before > 100; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(formCount() - before).toBeLessThan(100);
});

describe.each(BACKENDS.filter((backend) => backend !== "ptxas"))("backend %s", (backend) => {
  test("clones share their native copy", async () => {
    const { addon } = loadNative().native!;
    const create = vi.spyOn(addon, "createTemplate");
    using compiler = new PtxCompiler({ arch: "sm_90", backend, cache: false });
    const filled = filledWith(ADD, `native_${backend.replace("-", "_")}`);
    const first = await compiler.compile(filled);
    for (let i = 0; i < 5; i++) {
      const again = await compiler.compile(structuredClone(filled));
      expect(again.kernels).toBe(first.kernels);
      expect(Buffer.from(again.cubin).equals(first.cubin)).toBe(true);
    }
    expect(create).toHaveBeenCalledTimes(1);
    create.mockRestore();
  });
});

describe.each(BACKENDS)("what a compile returns, backend %s", (backend) => {
  test("is plain data", async () => {
    using compiler = new PtxCompiler({ arch: "sm_90", backend, cache: false });
    const result = await compiler.compile({ ptx: filledWith(ADD), arch: ["sm_90", "sm_80"] });
    for (const one of [result, ...result.modules]) {
      expect(Object.getPrototypeOf(one)).toBe(Object.prototype);
      for (const property of Object.values(Object.getOwnPropertyDescriptors(one)))
        expect("value" in property).toBe(true);
    }
    const clone = structuredClone(result);
    expect(clone).toEqual(result);
    expect(clone.kernels).toEqual([
      { name: "scale", parameters: [expect.objectContaining({ type: "u64", offset: 0, bytes: 8 })] },
    ]);
    expect(Object.keys(result)).toEqual(["arch", "cubin", "kernels", "info", "source", "modules"]);
    expect(result.modules[0]!.source).toBe(result.source);
  });

  test("names its source as it was given, whatever happens to that later", async () => {
    using compiler = new PtxCompiler({ arch: "sm_90", backend, cache: false });
    const filled = filledWith(ADD);
    const stubs: Record<string, string> = { ...filled.stubs };
    const text = renderText(filled);
    const bytes = new TextEncoder().encode(text);
    const pending = compiler.compileAll([
      text,
      bytes,
      filled,
      { ...filled, priority: 1 },
      { ...filled, stubs },
    ]);
    for (const name of Object.keys(stubs)) stubs[name] = "";
    bytes.fill(0);
    const sources = (await pending).map((result) => result.ok && result.source);
    expect(sources[0]).toBe(text);
    expect(new TextDecoder().decode(sources[1] as Uint8Array)).toBe(text);
    for (const source of sources.slice(2)) {
      expect(source).toEqual(filled);
      expect(Object.isFrozen(source) && Object.isFrozen((source as typeof filled).stubs)).toBe(true);
    }
  });

  test("names variant, injection, site and stub line of a pack in errors", async () => {
    using compiler = new PtxCompiler({ arch: "sm_90", backend, cache: false });
    const text = module().replace(ADD, "\tnope.f32 \t%f2, %f1;\n");
    const at = feeds(text.slice(0, text.indexOf("\tnope"))) + 1;
    const pack = {
      text,
      locate: (line: number) =>
        line === at
          ? ({ kind: "stub", injection: "func", site: 0, stubLine: 1, kernelLine: 5, variant: 3 } as const)
          : ({ kind: "kernel", kernelLine: line } as const),
      stubs: () => [{ injection: "func", variant: 3, text: "\tnope.f32 \t%f2, %f1;" }],
    };
    for (const job of [pack, { ptx: pack, priority: 1 }]) {
      await expect(compiler.compile(job)).rejects.toMatchObject({
        message: expect.stringContaining("variant 3, injection `func`, site 1, stub line 1: "),
      });
    }
    expect((await compiler.compile({ ...pack, text: module() })).kernels).toHaveLength(1);
  });
});
