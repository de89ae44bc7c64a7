// The models in C outside of Node: the source that the package contains compiles everywhere and has the bits of JavaScript, and models go
// from C++ to JavaScript and back.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findOnPath } from "../../../../scripts/lib/tools.mjs";
import { ROOT } from "../../../../tests/support/workspace.js";
import { Linear, Mlp, Pca, Table, Trees } from "../../src/index.js";
import { hashOf, OBLIVIOUS_TREES, syntheticRows } from "../support/data.js";

const LIBRARY = join(ROOT, "native/build/learn/libmmptx_learn.a");
const [cc, cxx] = ["cc", "c++"].map((name) => findOnPath([name], process.env));
/** Compilers are slow on busy machines. */
const PATIENCE_MS = 240_000;
const folder = mkdtempSync(join(tmpdir(), "mm-ptx-learn-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const compilers = ["cc", "clang", "aarch64-linux-gnu-gcc"].filter((name) => findOnPath([name], process.env));
/** The results for arm64 run in QEMU. */
const runners = ["qemu-aarch64-static"].filter((name) => findOnPath([name], process.env));
const STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];

describe("the source and the header that the package contains", () => {
  const pair = join(folder, "c");
  beforeAll(() => {
    execFileSync(process.execPath, [join(ROOT, "packages/learn/scripts/join-sources.mjs"), pair]);
  });

  const objects = new Map<string, string>();
  /** The object file that a compiler makes of the source, once, because that takes seconds. */
  const objectOf = (compiler: string): string => {
    const object = join(pair, `${compiler}.o`);
    if (!objects.has(compiler)) {
      execFileSync(compiler, [...STRICT, "-O1", "-c", "mmptx_learn.c", "-o", object], { cwd: pair });
      objects.set(compiler, object);
    }
    return object;
  };

  it("are all that the library needs", () => {
    const source = readFileSync(join(pair, "mmptx_learn.c"), "utf8");
    const included = [...source.matchAll(/^ *# *include "(.*)"$/gm)].map(([, name]) => name);
    expect(new Set(included)).toEqual(new Set(["mmptx_learn.c", "mmptx_learn.h"]));
    const system = [...source.matchAll(/^ *# *include <(.*)>$/gm)].map(([, name]) => name);
    expect(system).toEqual([...new Set(system)]);
  });

  it.each(compilers)(
    "compile without warnings, and define no other names: %s",
    { timeout: PATIENCE_MS },
    (compiler) => {
      const object = objectOf(compiler);
      if (findOnPath(["nm"], process.env) === undefined) return;
      const names = execFileSync("nm", ["-g", "--defined-only", object], { encoding: "utf8" });
      expect(names.match(/ T mmptx_learn_/g)!.length).toBeGreaterThan(30);
      expect(names.split("\n").filter((line) => !/ T mmptx_learn_|^$/.test(line))).toEqual([]);
    },
  );

  it.skipIf(cxx === undefined)("are called from C++", () => {
    writeFileSync(join(folder, "header.cpp"), '#include "mmptx_learn.h"\n');
    const options = ["-std=c++11", ...STRICT.slice(1), "-fsyntax-only", `-I${pair}`];
    execFileSync(cxx!, [...options, join(folder, "header.cpp")]);
  });

  it.each(compilers)("fit the same trees as JavaScript: %s", { timeout: PATIENCE_MS }, (compiler) => {
    const run = compiler.startsWith("aarch64") ? runners : [""];
    if (run.length === 0) return;
    const { rows, labels } = syntheticRows(2000, 8, 1);
    writeFileSync(join(folder, "rows"), rows);
    writeFileSync(join(folder, "labels"), labels);
    const [program, source] = [join(folder, "trees"), join(ROOT, "native/test/learn_trees.c")];
    const options = ["-O1", `-I${pair}`, ...(run[0] === "" ? [] : ["-static"])];
    execFileSync(compiler, [...options, source, objectOf(compiler), "-lm", "-o", program]);
    const command = [...run, program, "rows", "labels"].filter((word) => word !== "");
    const isas = execFileSync(command[0]!, command.slice(1), { cwd: folder, encoding: "utf8" })
      .trim()
      .split("\n");
    expect(isas).toContain("portable");
    for (const isa of isas) expect(hashOf(readFileSync(join(folder, isa))), isa).toBe(OBLIVIOUS_TREES);
  });

  it.skipIf(cc === undefined)("fit the trees of the example", { timeout: PATIENCE_MS }, () => {
    execFileSync(cc!, [...STRICT, "-O1", "example.c", objectOf("cc"), "-lm", "-o", "example"], { cwd: pair });
    expect(execFileSync(join(pair, "example"), { encoding: "utf8" })).toMatch(
      /^[a-z0-9]+: an error of [0-9]\.[0-9] % is left, in [0-9]+ bytes\n$/,
    );
  });
});

it.skipIf(cxx === undefined || !existsSync(LIBRARY))(
  "models go from C++ to JavaScript and back",
  () => {
    const [columns, count] = [5, 300];
    const rows = Float32Array.from({ length: columns * count }, (_, index) => Math.sin(index * index));
    const labels = Float32Array.from(
      { length: count },
      (_, row) => rows[5 * row]! * rows[5 * row + 1]! + (rows[5 * row + 2]! > 0.3 ? 1 : 0),
    );
    const table = new Table({ columns, capacity: count });
    table.addAll(rows, labels);
    const backend = "javascript";
    const trees = new Trees(table, { backend });
    trees.fit();
    const linear = new Linear({ columns, backend });
    linear.fit(table);
    linear.update(rows.subarray(0, columns), 0.1);
    const mlp = new Mlp({ columns, backend });
    mlp.fit(table, 3);
    const pca = new Pca({ columns, components: 2, backend });
    pca.update(rows);
    const saved = { trees: trees.save(), linear: linear.save(), mlp: mlp.save(), pca: pca.save() };
    for (const [kind, bytes] of Object.entries(saved))
      writeFileSync(join(folder, `${kind}.javascript`), bytes);
    writeFileSync(join(folder, "rows.f32"), rows);
    writeFileSync(join(folder, "labels.f32"), labels);
    const program = join(folder, "exchange");
    const source = join(ROOT, "native/test/learn_exchange.cpp");
    execFileSync(cxx!, ["-std=c++17", "-Wall", "-Wextra", "-Werror", source, LIBRARY, "-lm", "-o", program]);
    execFileSync(program, [folder, `${columns}`]);
    for (const [kind, bytes] of Object.entries(saved)) {
      for (const end of ["native", "again"])
        expect(readFileSync(join(folder, `${kind}.${end}`)).equals(bytes), `${kind}.${end}`).toBe(true);
    }
  },
  PATIENCE_MS,
);
