// The addon's step of set-up, in a small checkout with stand-ins for the programs that it starts: when it is
// skipped, what makes it run again, and that neither a damaged result nor leftovers of an earlier build make
// it fail permanently.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SetupTree } from "../support/setup-tree.js";

const LINUX = process.platform === "linux";
const ADDON = `packages/cuda/npm/${process.platform}-${process.arch}/mmptx.node`;

let tree: SetupTree;
beforeEach(() => {
  tree = new SetupTree();
});
afterEach(() => tree.dispose());

describe.runIf(LINUX)("the addon", () => {
  it("is skipped with one sentence if there is no compiler, and the rest continues", async () => {
    tree.addProgram("make");
    tree.addProgram("apt-get");
    const { code, stderr } = await tree.run();
    expect(code).toBe(0);
    expect(tree.takeCalls()).toEqual(["install", "build"]);
    const sentence = stderr.split("\n").filter((line) => line.includes("missing"));
    expect(sentence).toEqual([
      "set-up: the native addon is not built: a C++17 compiler and CMake are missing " +
        "(install: `apt-get install -y g++ cmake`); nothing can compile PTX here",
    ]);
  });

  it("is skipped, with a message, if ptxas compiles instead", async () => {
    tree.addProgram("ptxas");
    const { code, stderr } = await tree.run();
    expect(code).toBe(0);
    expect(stderr).toContain("`ptxas` on PATH compiles PTX instead");
  });

  it("is built with the archive that the environment names", async () => {
    tree.addCompiler();
    const archive = tree.addArchive();
    const { code, stderr } = await tree.run(archive);
    expect(code).toBe(0);
    expect(tree.takeCalls().sort()).toEqual(["addon", "build", "install"]);
    expect(stderr).toContain("with nvPTXCompiler from MM_PTX_NVPTXCOMPILER_DIR");
    expect(stderr).not.toContain("compile PTX");

    await tree.run(archive);
    expect(tree.takeCalls()).toEqual([]);
    tree.remove(ADDON);
    await tree.run(archive);
    expect(tree.takeCalls()).toEqual(["addon"]);
    tree.write("native/pool.cpp", "int changed;");
    await tree.run(archive);
    expect(tree.takeCalls()).toEqual(["addon"]);
  });

  it("is reported if the folder named for the archive has none", async () => {
    const { code, stderr } = await tree.run({ MM_PTX_NVPTXCOMPILER_DIR: "/nowhere" });
    expect(code).toBe(0);
    expect(stderr).toContain("expected nvPTXCompiler in `/nowhere` (MM_PTX_NVPTXCOMPILER_DIR), found none");
  });

  it("is kept if the compiler is gone, and the changes are reported", async () => {
    tree.addCompiler();
    const archive = tree.addArchive();
    await tree.run(archive);
    tree.takeCalls();
    tree.remove("bin/cmake");
    const unchanged = await tree.run(archive);
    expect(unchanged.stderr).toMatch(/addon\s+up to date/);
    expect(unchanged.stderr).not.toContain("missing");
    tree.write("native/pool.cpp", "int changed;");
    const changed = await tree.run(archive);
    expect(changed.code).toBe(0);
    expect(changed.stderr).toMatch(/CMake is missing .*; the one built earlier is used/);
    expect(tree.takeCalls()).toEqual([]);
  });

  it("that fails to build shows the end of the output and stops nothing else", async () => {
    tree.addCompiler();
    tree.write("broken-addon", "");
    const { code, stderr } = await tree.run(tree.addArchive());
    expect(code).toBe(1);
    expect(tree.takeCalls().sort()).toEqual(["addon", "build", "install"]);
    expect(stderr).toContain("    the reason of the failure\nset-up: the native addon could not be built");
    tree.remove("broken-addon");
    expect((await tree.run(tree.addArchive())).code).toBe(0);
    expect(tree.takeCalls()).toEqual(["addon"]);
  });

  it("that was damaged is rebuilt, even if it kept its length", async () => {
    tree.addCompiler();
    await tree.run(tree.addArchive());
    tree.takeCalls();
    for (const garbage of ["garbage", "ADDON"]) {
      tree.write(ADDON, garbage);
      expect((await tree.run(tree.addArchive())).code).toBe(0);
      expect(tree.takeCalls()).toEqual(["addon"]);
      expect(tree.read(ADDON)).toBe("addon");
    }
  });

  it("that cannot be loaded is built from scratch, and only what loads counts as done", async () => {
    tree.addCompiler();
    tree.write("native/build/mmptx.node", "garbage");
    const mended = await tree.run(tree.addArchive());
    expect(mended.code).toBe(0);
    expect(tree.takeCalls().sort()).toEqual(["addon", "addon", "build", "install"]);

    tree.write("unloadable-addon", "");
    tree.remove(ADDON);
    const { code, stderr } = await tree.run(tree.addArchive());
    expect(code).toBe(1);
    expect(stderr).toContain(
      "    invalid ELF header\nset-up: the native addon was built but can't be loaded",
    );
    expect(stderr).toContain("nothing can compile PTX here");
    expect(tree.exists(ADDON)).toBe(false);
    tree.remove("unloadable-addon");
    expect((await tree.run(tree.addArchive())).code).toBe(0);
  });

  it("is built from scratch if the build's cache is from another folder", async () => {
    tree.addCompiler();
    tree.write("native/build/CMakeCache.txt", "/elsewhere");
    const { code, stderr } = await tree.run(tree.addArchive());
    expect(code).toBe(0);
    expect(stderr).not.toContain("another place");
    expect(tree.takeCalls().sort()).toEqual(["addon", "build", "install"]);
  });
});
