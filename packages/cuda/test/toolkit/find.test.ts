// The search for NVIDIA's libraries and programs, in a folder tree that represents a machine.

import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BUILTINS } from "../../src/cuda/nvrtc.js";
import { CudaCompiler, Linker, PtxCompiler } from "../../src/index.js";
import { companionsOf, findTool, type ToolName } from "../../src/toolkit/find.js";
import { byVersion, type Place } from "../../src/toolkit/places.js";

/** The files of the machine; folders that are not listed do not exist. */
const machine = vi.hoisted(() => ({
  toolkits: [] as Place[],
  fetched: [] as Place[],
  python: [] as Place[],
  system: [] as string[],
  path: [] as string[],
}));
vi.mock("../../src/toolkit/places.js", async (original) => ({
  ...(await original<object>()),
  toolkitPlaces: () => machine.toolkits,
  fetchedPlaces: () => machine.fetched,
  pythonPlaces: () => machine.python,
  systemFolders: () => machine.system,
  programFolders: () => machine.path,
}));

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "mm-ptx-find-"));
  const place = (name: string): Place => ({ name, folder: join(root, name) });
  machine.toolkits = [place("toolkit")];
  machine.fetched = [place("set-up")];
  machine.python = [place("Python package")];
  machine.system = [join(root, "system")];
  machine.path = [join(root, "path")];
  for (const name of ["MM_PTX_NVRTC", "MM_PTX_NVCC", "MM_PTX_NVJITLINK", "MM_PTX_PTXAS"])
    vi.stubEnv(name, undefined);
});
afterEach(() => {
  rmSync(root, { recursive: true });
  vi.unstubAllEnvs();
});

/** A library: a copy of Node, which is a file that the loader accepts. */
function library(path: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync("/proc/self/exe", file);
  return file;
}

function program(path: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "");
  chmodSync(file, 0o755);
  return file;
}

const find = (name: ToolName, refused: readonly string[] = []) =>
  findTool(name, (path) => {
    if (refused.includes(path)) throw new Error("too old");
    return 1;
  });

describe.runIf(process.platform === "linux")("a library is searched for", () => {
  test("in toolkits, in the files that set-up fetched, in Python packages, in the system's folders", () => {
    const order = [
      library("toolkit/lib64/libnvrtc.so.13"),
      library("set-up/lib/libnvrtc.so.13"),
      library("Python package/lib/libnvrtc.so.13"),
      library("system/libnvrtc.so.12"),
    ];
    const places = ["toolkit", "set-up", "Python package", "system"];
    for (let i = 0; i < order.length; i++) {
      const { found, tried } = find("nvrtc", order.slice(0, i));
      expect(found).toEqual({ path: order[i], place: places[i], value: 1 });
      expect(tried).toEqual(
        order.slice(0, i).map((path, j) => ({ place: `${places[j]}: ${path}`, outcome: "too old" })),
      );
    }
    expect(find("nvrtc", order).found).toBeUndefined();
    expect(find("nvrtc", order).tried).toHaveLength(4);
  });

  test("first where a variable points, and elsewhere if that is not a library", () => {
    library("toolkit/lib/libnvJitLink.so.13");
    const own = library("own/mine.so");
    vi.stubEnv("MM_PTX_NVJITLINK", own);
    expect(find("nvjitlink").found).toMatchObject({ path: own, place: "MM_PTX_NVJITLINK" });
    vi.stubEnv("MM_PTX_NVJITLINK", join(root, "nowhere.so"));
    const { found, tried } = find("nvjitlink");
    expect(found?.place).toBe("toolkit");
    expect(tried).toEqual([{ place: `MM_PTX_NVJITLINK: ${join(root, "nowhere.so")}`, outcome: "not there" }]);
  });

  test("in its newest version, and under no other name", () => {
    for (const name of ["libnvrtc.so.9", "libnvrtc.so.13", "libnvrtc.alt.so.14", "libnvrtc-builtins.so.15"])
      library(`toolkit/lib/${name}`);
    expect(find("nvrtc").found?.path).toBe(join(root, "toolkit/lib/libnvrtc.so.13"));
  });

  test("and not loaded if it is not a library", () => {
    const file = program("toolkit/lib/libnvrtc.so.13");
    const { found, tried } = find("nvrtc");
    expect(found).toBeUndefined();
    expect(tried[0]).toEqual({
      place: `toolkit: ${file}`,
      outcome: "expected a shared object (ELF), found another kind of file",
    });
    expect(tried.slice(1).map(({ outcome }) => outcome)).toEqual(["not there", "not there", "not there"]);
  });
});

test("a program is searched for on PATH first", () => {
  program("toolkit/bin/nvcc");
  expect(find("nvcc").found?.place).toBe("toolkit");
  const first = program("path/nvcc");
  expect(find("nvcc").found).toMatchObject({ place: "PATH", path: first });
  chmodSync(first, 0o644);
  expect(find("nvcc").found?.place).toBe("toolkit");
  expect(find("nvcc").tried[0]?.outcome).toMatch(/EACCES/);
});

test("versions are in the order of their numbers", () => {
  const names = ["libnvrtc.so.9", "libnvrtc.so.13.0", "libnvrtc.so", "libnvrtc.so.13.10", "libnvrtc.so.12"];
  expect(names.toSorted(byVersion)).toEqual([
    "libnvrtc.so",
    "libnvrtc.so.13.10",
    "libnvrtc.so.13.0",
    "libnvrtc.so.12",
    "libnvrtc.so.9",
  ]);
});

describe("if nothing is found", () => {
  test.each(["auto", "nvrtc", "nvcc"] as const)("a CUDA compiler suggests a remedy: %s", (backend) => {
    const error = thrownBy(() => new CudaCompiler({ backend }));
    expect(error).toMatchObject({ name: "CudaCompileError", code: "UNAVAILABLE", what: "backend" });
    for (const place of ["toolkit", "set-up", "Python package"])
      expect(error.message).toContain(`  - ${place}: ${join(root, place)}: not there\n`);
    expect(error.message.includes("MM_PTX_NVRTC")).toBe(backend !== "nvcc");
    expect(error.message.includes("MM_PTX_NVCC")).toBe(backend !== "nvrtc");
  });

  test("the backend `ptxas` suggests a remedy", () => {
    const error = thrownBy(() => new PtxCompiler({ arch: "sm_90", backend: "ptxas" }));
    expect(error).toMatchObject({ code: "UNAVAILABLE", what: "backend" });
    expect(error.message).toBe(
      "expected the `ptxas` backend, found none:\n" +
        `  - ptxas: PATH: ${join(root, "path")}: not there\n` +
        ["toolkit", "set-up", "Python package"]
          .map((name) => `  - ptxas: ${name}: ${join(root, name)}: not there\n`)
          .join("") +
        "run `npx mm-ptx fetch ptxas`, which downloads NVIDIA's; or put ptxas of a CUDA toolkit on PATH",
    );
  });

  test("a linker suggests a remedy", () => {
    const error = thrownBy(() => new Linker());
    expect(error).toMatchObject({ name: "LinkError", code: "UNAVAILABLE", what: "library" });
    expect(error.message).toContain(`  - system: ${join(root, "system")}: not there\n`);
    expect(error.message).toContain("npm run setup -- --with nvjitlink");
  });

  test.runIf(process.platform === "linux")("a file of another kind is reported as such", () => {
    const file = library("toolkit/lib64/libnvrtc.so.13");
    const error = thrownBy(() => new CudaCompiler({ backend: "nvrtc" }));
    expect(error).toMatchObject({ code: "UNAVAILABLE" });
    expect(error.message).toContain(`  - toolkit: ${file}: `);
  });
});

function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  return expect.fail("nothing was thrown");
}

test("the library that NVRTC opens by name is found beside it, with its names on Linux and Windows", () => {
  for (const name of ["libnvrtc.so.13", "libnvrtc-builtins.so.13.0", "libnvrtc-builtins.alt.so.13.0"])
    library(`linux/${name}`);
  for (const name of ["nvrtc64_130_0.dll", "nvrtc-builtins64_130.dll", "nvrtc64_130_0.alt.dll"])
    library(`windows/${name}`);
  expect(companionsOf(join(root, "linux/libnvrtc.so.13"), BUILTINS)).toEqual([
    join(root, "linux/libnvrtc-builtins.so.13.0"),
  ]);
  expect(companionsOf(join(root, "windows/nvrtc64_130_0.dll"), BUILTINS)).toEqual([
    join(root, "windows/nvrtc-builtins64_130.dll"),
  ]);
});
