// What a browser loads: the sizes in README.md, and a page that is built for WebAssembly alone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build, type Format } from "esbuild";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../tests/support/workspace.js";
import { Table, Trees } from "../src/index.js";
import { syntheticRows } from "./support/data.js";

const PACKAGE = join(ROOT, "packages/learn");
const MODELS = ["linear", "mlp", "neighbours", "pca", "trees"];
const NAMES = ["Linear", "Mlp", "Neighbours", "Pca", "Table", "Trees"];
const ONLY = { MM_PTX_WEBASSEMBLY_ONLY: "true" };

/** A page's script, minified, with all that it loads. */
async function bundled(contents: string, define = {}, format: Format = "esm"): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(PACKAGE, "src"), loader: "ts" },
    ...{ bundle: true, minify: true, write: false, target: "es2022", define },
    ...{ format, globalName: "page", logLevel: "error" },
  });
  return outputFiles[0]!.text;
}

/** The scripts whose sizes README.md limits, by the first words of a row. */
const SCRIPTS: Readonly<Record<string, () => Promise<string>>> = {
  "the backend": () =>
    bundled(MODELS.map((model) => `export * from "./${model}/webassembly.js";`).join("\n"), ONLY),
  "all models": () => bundled(`export { ${NAMES} } from "./index.js";`),
  "all models, WebAssembly alone": () => bundled(`export { ${NAMES} } from "./index.js";`, ONLY),
  "`Trees`": () => bundled(`export { Table, Trees } from "./index.js";`, ONLY),
  "`Linear`": () => bundled(`export { Linear } from "./index.js";`, ONLY),
  "`Mlp`": () => bundled(`export { Mlp } from "./index.js";`, ONLY),
  "`Neighbours`": () => bundled(`export { Neighbours, Table } from "./index.js";`, ONLY),
  "`Pca`": () => bundled(`export { Pca } from "./index.js";`, ONLY),
};

const text = readFileSync(join(PACKAGE, "README.md"), "utf8");
const ROWS = [...text.matchAll(/^\| (.+?)(?: \(.*\))? \| at most ([\d.]+) KB \|$/gm)];

describe("what a browser loads", () => {
  it("has a limit for each script", () => {
    expect(ROWS.map(([, name]) => name)).toEqual(Object.keys(SCRIPTS));
  });

  it.each(ROWS.map(([, name, limit]) => [name!, Number(limit)] as const))(
    "%s: at most %d KB, minified and gzipped",
    async (name, limit) => {
      const { length } = gzipSync(await SCRIPTS[name]!(), { level: 9 });
      expect(length).toBeLessThanOrEqual(limit * 1000);
      // A limit that is far above the size says nothing.
      expect(length).toBeGreaterThan(limit * 1000 * 0.95);
    },
  );
});

describe("a page for WebAssembly alone", () => {
  const { rows, labels } = syntheticRows(200, 3, 1);
  const page = bundled(`export { Table, Trees } from "./index.js";`, ONLY, "iife");
  const start = async (wasm: boolean) => {
    const context = createContext({ rows, labels }, { codeGeneration: { strings: false, wasm } });
    runInContext(await page, context);
    return (expression: string): unknown =>
      runInContext(
        `(() => {
          const table = new page.Table({ columns: 3, capacity: 200 });
          table.addAll(Float32Array.from(rows), Float32Array.from(labels));
          return ${expression};
        })()`,
        context,
      );
  };

  it("has no other backend", async () => {
    expect(await page).not.toMatch(/createRequire/);
    const run = await start(true);
    expect(run("new page.Trees(table).backend")).toBe("webassembly");
    for (const backend of ["javascript", "native"]) {
      expect(() => run(`new page.Trees(table, { backend: "${backend}" })`)).toThrow(
        expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining(backend) }),
      );
    }
  });

  it("saves the same bytes as any other", async () => {
    const run = await start(true);
    const saved = run("(() => { const trees = new page.Trees(table); trees.fit(); return trees.save(); })()");
    const table = new Table({ columns: 3, capacity: 200 });
    table.addAll(rows, labels);
    const trees = new Trees(table, { backend: "javascript" });
    trees.fit();
    expect(Array.from(saved as Uint8Array)).toEqual(Array.from(trees.save()));
  });

  it("says so where WebAssembly can't be compiled", async () => {
    const run = await start(false);
    expect(() => run("new page.Trees(table)")).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringContaining("WebAssembly") }),
    );
  });
});
