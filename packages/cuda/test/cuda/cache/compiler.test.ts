// Results of CUDA compiles from the cache: what is found again, and what makes a compile necessary.

import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CudaCompiler, type CudaCompilerOptions, DiskCache } from "../../../src/index.js";
import { filesIn } from "../../support/cache.js";
import { CUDA_BACKENDS, fakeTool, KERNEL, NVRTC } from "../../support/cuda.js";

const arch = "sm_90";
let root = "";
const at = (name: string): string => join(root, name);
const write = (name: string, text: string): void => {
  mkdirSync(join(at(name), ".."), { recursive: true });
  writeFileSync(at(name), text);
};
const make = (options: CudaCompilerOptions = {}): CudaCompiler =>
  new CudaCompiler({ workers: 1, cache: { folder: at("cache") }, ...options });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "mm-ptx-cuda-cache-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

// Everything that a compiler searches for is in one kernel, because each compile takes a while.
const SOURCE = `#include <value.h>
#if __has_include(<extra.h>)
#include <extra.h>
#else
#define EXTRA 1
#endif
extern "C" __global__ void k(int* x) { x[0] = 1000 * VALUE + EXTRA; int unused; }
`;

describe.each(CUDA_BACKENDS)("backend %s", { timeout: 120_000 }, (backend) => {
  test("finds a result until a header changes, appears or goes", async () => {
    for (const name of ["first", "second"]) mkdirSync(at(name));
    write("second/value.h", "#define VALUE 7\n");
    const options = { arch, includes: [at("first"), at("second")] };
    let compiler = make({ backend });
    const compile = async () => {
      const { ptx, from } = await compiler.compile(SOURCE, options);
      return [from, /\b(\d{4,});/.exec(ptx)?.[1]];
    };
    const first = await compiler.compile(SOURCE, options);
    expect(first.from).toBe("compiled");
    const { milliseconds, from, ...rest } = first;
    expect(await compiler.compile(SOURCE, options)).toEqual({ ...rest, milliseconds: 0, from: "cache" });
    expect(first.warnings).toHaveLength(1);
    await compiler.disposeAsync();
    compiler = make({ backend });
    expect(await compile()).toEqual(["cache", "7001"]);

    write("second/value.h", "#define VALUE 8\n");
    expect(await compile()).toEqual(["compiled", "8001"]);
    expect(await compile()).toEqual(["cache", "8001"]);
    write("second/value.h", "#define VALUE 7\n");
    expect(await compile()).toEqual(["cache", "7001"]);

    write("first/value.h", "#define VALUE 9\n");
    expect(await compile()).toEqual(["compiled", "9001"]);
    write("first/extra.h", "#define EXTRA 2\n");
    expect(await compile()).toEqual(["compiled", "9002"]);
    rmSync(at("first/extra.h"));
    expect(await compile()).toEqual(["compiled", "9001"]);
    await compiler.disposeAsync();
  });
});

describe.runIf(NVRTC)("with NVRTC", { timeout: 60_000 }, () => {
  test("options, header texts and the source are part of the key", async () => {
    await using compiler = make();
    const source = '#include "own.h"\nextern "C" __global__ void k(float* x) { x[0] = x[1] * x[2] + OWN; }\n';
    const headers = { "own.h": "#define OWN x[3]\n" };
    const calls = [
      [source, { arch, headers }],
      [source, { arch, headers: { "own.h": "#define OWN x[4]\n" } }],
      [source, { arch, headers, fmad: false }],
      [source, { arch, headers, defines: { OTHER: 1 } }],
      [source, { arch, headers, name: "other.cu" }],
      [source, { arch: "sm_80", headers }],
      [`${source}\n`, { arch, headers }],
    ] as const;
    for (const [text, options] of calls)
      expect((await compiler.compile(text, options)).from).toBe("compiled");
    for (const [text, options] of calls)
      expect((await compiler.compile(text, { timeoutMs: 60_000, ...options })).from).toBe("cache");
  });

  test("bytes and lowered names are found again, and changes to a result affect no other", async () => {
    const source = "template <class T> __global__ void k(T* x) { x[0] = T(1); }\n";
    const options = { arch, output: "cubin", nameExpressions: ["k<float>"] } as const;
    const compiler = make();
    const first = await compiler.compile(source, options);
    const bytes = first.cubin.slice();
    first.cubin.fill(0);
    const second = await compiler.compile(source, options);
    expect(second).toMatchObject({ from: "cache", loweredNames: { "k<float>": "_Z1kIfEvPT_" } });
    expect(Buffer.compare(second.cubin, bytes)).toBe(0);
    second.cubin.fill(0);
    await compiler.disposeAsync();
    await using later = make();
    expect(Buffer.compare((await later.compile(source, options)).cubin, bytes)).toBe(0);
  });

  test("mistakes are not cached, and sources that contain the time are not", async () => {
    await using compiler = make();
    for (const _ of [1, 2]) {
      const error = await compiler.compile("nonsense", { arch }).catch((caught) => caught);
      expect(error).toMatchObject({ code: "COMPILATION" });
      const timed = `__device__ char time[] = __TIME__;\n${KERNEL}`;
      expect((await compiler.compile(timed, { arch })).from).toBe("compiled");
    }
    expect(filesIn(at("cache"))).toEqual([]);
  });

  test.skipIf(process.platform === "win32")("`..` leads out of the target of a link", async () => {
    await using compiler = make();
    write(
      "target/inner/own.h",
      '#if __has_include("../late.h")\n#define LATE 2\n#else\n#define LATE 1\n#endif\n',
    );
    symlinkSync(at("target/inner"), at("link"));
    const source = '#include <own.h>\nextern "C" __global__ void k(int* x) { x[0] = LATE; }\n';
    const from = async () => (await compiler.compile(source, { arch, includes: [at("link")] })).from;
    expect([await from(), await from()]).toEqual(["compiled", "cache"]);
    write("target/late.h", "");
    expect(await from()).toBe("compiled");
  });

  test("a header that was missing is found once it is there", async () => {
    await using compiler = make();
    mkdirSync(at("folder"));
    const options = { arch, includes: [at("folder")] };
    const source = `#include "later.h"\n${KERNEL}`;
    const error = await compiler.compile(source, options).catch((caught) => caught);
    expect(error).toMatchObject({ code: "MISSING_HEADER" });
    write("folder/later.h", "#define LATER\n");
    expect((await compiler.compile(source, options)).from).toBe("compiled");
  });
});

/** A compiler that copies `value.h` of the first folder to its output, and counts its runs. */
function copyingCompiler(runs: string) {
  return fakeTool(
    "nvcc",
    `echo run >> "${runs}"
cat ../include1/value.h > ../out
echo "../out : kernel.cu ../include1/value.h" > ../dependencies`,
  );
}

describe.skipIf(process.platform === "win32")("with a scripted compiler", () => {
  let fake: ReturnType<typeof fakeTool> | undefined;
  const runs = (): number => readFileSync(at("runs"), "utf8").split("\n").length - 1;
  const options = () => ({ arch, includes: [at("include")] });
  beforeEach(() => {
    fake = copyingCompiler(at("runs"));
    vi.stubEnv("MM_PTX_NVCC", fake.path);
    write("include/value.h", "// PTX\n");
  });
  afterEach(() => fake?.remove());

  test("damaged entries are compiled and written again", async () => {
    const fill = async (): Promise<string> => {
      const compiler = make({ backend: "nvcc" });
      const { from, ptx } = await compiler.compile("", options());
      expect(ptx).toBe("// PTX\n");
      await compiler.disposeAsync();
      return from;
    };
    expect(await fill()).toBe("compiled");
    const paths = filesIn(at("cache"));
    expect(paths.map((path) => path.split(".").at(-1)).sort()).toEqual(["cuda", "headers"]);
    for (const path of paths) {
      const bytes = readFileSync(path);
      for (const [i, index] of [0, 20, 44, 60, bytes.length - 1].entries()) {
        const damaged = Buffer.from(bytes);
        damaged[index]! ^= 1 << i;
        writeFileSync(path, damaged);
        expect(await fill(), `byte ${index}`).toBe("compiled");
        expect(await fill()).toBe("cache");
      }
    }
    expect(await new DiskCache(at("cache"), 2 ** 20).verify()).toEqual({ sound: 2, removed: 0 });
    const { kinds } = await new DiskCache(at("cache"), 2 ** 20).stats();
    expect(kinds).toMatchObject({ cubin: { entries: 0 }, cuda: { entries: 1 }, headers: { entries: 1 } });
  });

  test("a header that was only touched is a hit, and is not read again after that", async () => {
    const lists = () => filesIn(at("cache")).filter((path) => path.endsWith(".headers"));
    const compile = async () => {
      const compiler = make({ backend: "nvcc" });
      const { from } = await compiler.compile("", options());
      await compiler.disposeAsync();
      return [from, ...lists().map((path) => readFileSync(path, "base64"))];
    };
    const [, before] = await compile();
    utimesSync(at("include/value.h"), 1, 1);
    // The state of a file is kept once a further change of it would show.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const [from, after] = await compile();
    expect(from).toBe("cache");
    expect(after).not.toBe(before);
    expect(await compile()).toEqual(["cache", after]);
    expect(runs()).toBe(1);
  });

  test("several compilers write the same entries at once", async () => {
    const compilers = Array.from({ length: 4 }, () => make({ backend: "nvcc" }));
    await Promise.all(compilers.map((compiler) => compiler.compile("", options())));
    await Promise.all(compilers.map((compiler) => compiler.disposeAsync()));
    expect(await new DiskCache(at("cache"), 2 ** 20).verify()).toEqual({ sound: 2, removed: 0 });
    await using compiler = make({ backend: "nvcc" });
    expect((await compiler.compile("", options())).from).toBe("cache");
  });

  test("another compiler, folder or variable misses", async () => {
    await using compiler = make({ backend: "nvcc" });
    await compiler.compile("", options());
    expect((await compiler.compile("", options())).from).toBe("cache");
    vi.stubEnv("NVCC_APPEND_FLAGS", "-DX");
    expect((await compiler.compile("", options())).from).toBe("compiled");
    vi.unstubAllEnvs();
    write("other/value.h", "// PTX\n");
    expect((await compiler.compile("", { arch, includes: [at("other")] })).from).toBe("compiled");
    const newer = join(fake!.folder, "newer");
    writeFileSync(newer, `${readFileSync(fake!.path, "utf8")}# newer\n`, { mode: 0o755 });
    renameSync(newer, fake!.path);
    expect((await compiler.compile("", options())).from).toBe("compiled");
    expect(runs()).toBe(4);
  });

  test("hits respect signals and disposal, and no cache means none", async () => {
    const compiler = make({ backend: "nvcc" });
    await compiler.compile("", options());
    const signal = AbortSignal.abort("enough");
    expect(await compiler.compile("", { ...options(), signal }).catch((error) => error)).toMatchObject({
      code: "ABORTED",
      cause: "enough",
    });
    await compiler.disposeAsync();
    expect(await compiler.compile("", options()).catch((error) => error)).toMatchObject({ code: "DISPOSED" });
    using without = make({ backend: "nvcc", cache: false });
    for (const _ of [1, 2]) expect((await without.compile("", options())).from).toBe("compiled");
  });

  test("without a folder that can be written, everything works without the cache on disk", async () => {
    write("file", "");
    await using compiler = make({ backend: "nvcc", cache: { folder: at("file/cache") } });
    expect((await compiler.compile("", options())).from).toBe("compiled");
    expect((await compiler.compile("", options())).from).toBe("cache");
  });
});

test.each([
  [{ cache: 5 }, "option `cache`: expected a boolean or an object, found 5"],
  [{ cache: { folder: "" } }, "option `cache.folder`: expected the path of a folder"],
  [{ cache: { bytes: 1 } }, "unknown option `bytes`"],
])("refuses %o", (options, message) => {
  expect(() => new CudaCompiler(options as object)).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(message) }),
  );
});
