// The models in C outside of Node: the example compiles without warnings in C99, and models go from C++ to JavaScript and back.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { findOnPath } from "../../../../scripts/lib/tools.mjs";
import { ROOT } from "../../../../tests/support/workspace.js";
import { Linear, Mlp, Pca, Table, Trees } from "../../src/index.js";

const SOURCES = join(ROOT, "native/learn");
const LIBRARY = join(ROOT, "native/build/learn/libmmptx_learn.a");
const [cc, cxx] = ["cc", "c++"].map((name) => findOnPath([name], process.env));
/** Compilers are slow on busy machines. */
const PATIENCE_MS = 240_000;
const folder = mkdtempSync(join(tmpdir(), "mm-ptx-learn-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.skipIf(cc === undefined)(
  "the example in C99 compiles without warnings and runs",
  () => {
    const program = join(folder, "example");
    const options = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];
    execFileSync(cc!, [...options, "mmptx_learn.c", "example.c", "-lm", "-o", program], { cwd: SOURCES });
    expect(execFileSync(program, { encoding: "utf8" })).toMatch(
      /^[a-z0-9]+: an error of [0-9]\.[0-9] % is left, in [0-9]+ bytes\n$/,
    );
  },
  PATIENCE_MS,
);

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
