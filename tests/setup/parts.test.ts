// The parts of set-up that decide something, each alone: where the archive is looked for, what a stamp
// remembers, and what is said about a missing program.

import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { locateArchive } from "../../scripts/lib/archive.mjs";
import { sourceOf } from "../../scripts/lib/dist.mjs";
import { childEnvironment } from "../../scripts/lib/process.mjs";
import { nodeProblem } from "../../scripts/lib/setup.mjs";
import { clearStamp, markRunning, readStamp, writeStamp } from "../../scripts/lib/stamps.mjs";
import { describeMissing } from "../../scripts/lib/tools.mjs";
import { hashFiles, hashSizes, packageFolders, ROOT } from "../../scripts/lib/workspace.mjs";

describe("where the archive is looked for", () => {
  const HEADER = "include/nvPTXCompiler.h";
  const LIBRARY = "lib/libnvptxcompiler_static.a";

  function locate(present: string[], environment: Record<string, string> = {}, machine = "x64") {
    const files = {
      isFile: (path: string) => present.includes(path),
      list: (folder: string) =>
        folder === "/usr/local" ? ["bin", "cuda", "cuda-9.2", "cuda-13.0", "cuda-12.4", "cudart"] : [],
    };
    return locateArchive({ root: "/tree", environment, machine, files });
  }
  const at = (folder: string, library = LIBRARY) => [`${folder}/${HEADER}`, `${folder}/${library}`];
  const fetched = "/tree/.deps/nvptxcompiler-13.0.88/nvidia/cu13";

  it("the variables come first, then the installed toolkits, then what was fetched", () => {
    const environment = { MM_PTX_NVPTXCOMPILER_DIR: "/own", CUDA_HOME: "/home", CUDA_PATH: "/path" };
    const order = ["/own", "/home", "/path", "/usr/local/cuda"];
    order.push("/usr/local/cuda-13.0", "/usr/local/cuda-12.4", "/usr/local/cuda-9.2", fetched);
    for (let first = 0; first < order.length; first++) {
      const { archive, lookedAt } = locate(
        order.slice(first).flatMap((folder) => at(folder)),
        environment,
      );
      expect(archive?.folder).toBe(order[first]);
      expect(lookedAt).toEqual(order.slice(0, first));
    }
    expect(locate([], environment)).toEqual({ archive: undefined, lookedAt: order });
  });

  it("a folder counts only with both the header and the library", () => {
    const environment = { CUDA_HOME: "/home" };
    expect(locate([`/home/${HEADER}`, ...at(fetched)], environment).archive?.folder).toBe(fetched);
    expect(locate([`/home/${LIBRARY}`, ...at(fetched)], environment).archive?.folder).toBe(fetched);
  });

  it("the library may be in lib64 or in a target's folder", () => {
    const environment = { CUDA_HOME: "/home" };
    const target = "targets/x86_64-linux/lib/libnvptxcompiler_static.a";
    expect(locate(at("/home", "lib64/libnvptxcompiler_static.a"), environment).archive?.source).toBe(
      "CUDA_HOME",
    );
    expect(locate(at("/home", target), environment).archive?.library).toBe(`/home/${target}`);
    expect(locate(at("/home", target), environment, "arm64").archive).toBeUndefined();
    const arm = "targets/sbsa-linux/lib/libnvptxcompiler_static.a";
    expect(locate(at("/home", arm), environment, "arm64").archive?.library).toBe(`/home/${arm}`);
  });

  it("an empty variable is ignored", () => {
    expect(locate([], { CUDA_HOME: "" }).lookedAt).not.toContain("");
  });
});

describe("stamps", () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "mm-ptx-stamps-"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("are read as written, and are gone when cleared or damaged", () => {
    expect(readStamp(root, "step")).toBeUndefined();
    writeStamp(root, "step", { inputs: "a", outputs: "b" });
    expect(readStamp(root, "step")).toEqual({ inputs: "a", outputs: "b" });
    writeFileSync(join(root, ".setup/step.json"), '{"inputs":"a"');
    expect(readStamp(root, "step")).toBeUndefined();
    writeFileSync(join(root, ".setup/step.json"), '{"inputs":"a"}');
    expect(readStamp(root, "step")).toBeUndefined();
    clearStamp(root, "step");
    clearStamp(root, "step");
  });

  it("a mark shows that the previous run was interrupted", () => {
    const first = markRunning(root, "step");
    expect(first.cutOff).toBe(false);
    const second = markRunning(root, "step");
    expect(second.cutOff).toBe(true);
    second.done();
    expect(markRunning(root, "step").cutOff).toBe(false);
  });

  it("hash contents, not times", () => {
    const file = join(root, "a.txt");
    writeFileSync(file, "one");
    const before = hashFiles(root, ["a.txt", "gone.txt"]);
    utimesSync(file, 1, 1);
    expect(hashFiles(root, ["a.txt", "gone.txt"])).toBe(before);
    writeFileSync(file, "two");
    expect(hashFiles(root, ["a.txt", "gone.txt"])).not.toBe(before);
    expect(hashFiles(root, ["a.txt"], ["x"])).not.toBe(hashFiles(root, ["a.txt"]));
  });

  it("notice a missing output", () => {
    writeFileSync(join(root, "a"), "1");
    expect(hashSizes(root, ["a"])).toBeTypeOf("string");
    expect(hashSizes(root, ["a", "b"])).toBeUndefined();
  });
});

describe("messages", () => {
  it.each(["20.19.0", "20.20.2", "22.1.0", "24.0.0"])("say nothing about Node %s", (version) => {
    expect(nodeProblem(version)).toBeUndefined();
  });

  it.each(["18.20.0", "20.9.0", "20.18.9"])("say that Node %s is too old", (version) => {
    expect(nodeProblem(version)).toMatch(`expected Node 20.19 or later, found ${version}`);
  });

  it("say how to install a missing program", () => {
    expect(describeMissing(["cmake"], { PATH: "" })).toBe(
      "CMake is missing (install: `apt-get install -y cmake`)",
    );
    expect(describeMissing(["compiler", "make", "cmake"], {})).toBe(
      "a C++17 compiler, make and CMake are missing (install: `apt-get install -y g++ make cmake`)",
    );
  });

  it("npm's own settings are not passed on to the programs that set-up starts", () => {
    const environment = childEnvironment({
      PATH: "/bin",
      npm_config_loglevel: "silent",
      npm_config_registry: "kept",
      npm_lifecycle_event: "start",
      npm_package_json: "package.json",
    });
    expect(environment).toMatchObject({ PATH: "/bin", CI: "true", npm_config_registry: "kept" });
    expect(Object.keys(environment)).not.toContain("npm_config_loglevel");
    expect(Object.keys(environment)).not.toContain("npm_lifecycle_event");
  });
});

it.each([
  ["dist/index.js", "src/index.ts"],
  ["dist/emit/text.js.map", "src/emit/text.ts"],
  ["dist/emit/text.d.ts", "src/emit/text.ts"],
  ["dist/a.b/c.d.d.ts.map", "src/a.b/c.d.ts"],
  ["dist/tsconfig.tsbuildinfo", undefined],
  ["dist/table.json", undefined],
  ["src/index.ts", undefined],
  ["include/index.js", undefined],
])("%s is compiled from %s", (path, source) => {
  expect(sourceOf(path)).toBe(source);
});

it("the workspace's packages are found", () => {
  expect(packageFolders(ROOT)).toEqual(
    expect.arrayContaining(["packages/types", "packages/cuda", "native", "bench"]),
  );
});
