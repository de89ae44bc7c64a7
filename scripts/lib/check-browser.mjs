// Checks a packed package as a browser gets it: bundled with all its dependencies, it imports nothing from
// Node, stays below its size limit, and works in a JavaScript context without Node's globals, both with
// WebAssembly and if a page forbids it.

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { say } from "./console.mjs";
import { specifiersOf, withInstalled } from "./installed.mjs";
import { ROOT } from "./workspace.mjs";

/** @typedef {import("./pack.mjs").Packed} Packed */

/**
 * What is expected of a package for browsers.
 *
 * @typedef {object} Expected
 * @property {number} [budget] the most bytes of the main entry, minified and gzipped, without the modules that
 * it loads later
 * @property {{ page: string, budget: number }} [typical] a page, and the most bytes of all modules that it loads
 */

/**
 * The packages for browsers. `works` is a JavaScript expression over `main` and the other entries by their
 * subpath, which is `true` if the package works; `page` is a module whose default export returns `true` if it
 * does.
 *
 * @type {Record<string, Expected & ({ works: string } | { page: string })>}
 */
const BROWSER_PACKAGES = {
  "@mm-ptx/types": {
    works:
      "main.parseStackDescription({ abi_version: 1, stack_types: [{ name: 'F32', literal_prefix: 'f32' }], arg_types: [], instructions: [] }).stackTypes.length === 1",
  },
  "@mm-ptx/ptx": { works: "main.ARCHITECTURES.length > 0" },
  "@mm-ptx/columns": {
    page: "packages/columns/scripts/page.mjs",
    typical: { page: "packages/columns/scripts/typical-page.mjs", budget: 25_850 },
  },
  "@mm-ptx/inject": {
    works: `main.parsePtx("// PTX_INJECT_START f\\n// PTX_INJECT_END\\n").renderInto({ f: "{}" }, new Uint8Array(3)) === 3`,
  },
  "@mm-ptx/stack": {
    // A tenth of it makes straight-line code.
    budget: 54 * 1024,
    works: `new main.StackCompiler(entries["./default"].table).compile(
      main.StackProgram.of(main.input(0), entries["./default"].ptx.negFtzF32),
      { registers: [main.register("x", 0), main.register("y", 0)], requests: [1] },
    ).includes("neg.ftz.f32 %_s0_0, %x;")`,
  },
  "@mm-ptx/ast": {
    // Half of it is the machine of @mm-ptx/columns, on which the interpreter runs; a sixth checks kernel files.
    budget: 50 * 1024,
    works: `new main.AstCompiler({ kind: "ast", fingerprint: "", bases: [], instructions: [{ ptx: "neg.ftz.f32", name: "neg.ftz.f32", args: 1 }] })
      .compile(main.AstProgram.fromWords(Uint32Array.of(1, 0, 3 | (1 << 16), 0)), { inputs: ["x"], output: "y" })
      .includes("neg.ftz.f32 %ast0, %x;")`,
  },
  "@mm-ptx/learn": {
    // A quarter of it is WebAssembly; one model takes less than half of it.
    budget: 31 * 1024,
    works: `(() => {
      const rows = new main.Table({ columns: 1, capacity: 2 });
      rows.addAll(Float32Array.of(0, 1), Float32Array.of(3, 3));
      const trees = new main.Trees(rows);
      trees.fit();
      const scores = new Float32Array(1);
      main.Trees.load(trees.save()).predictInto(Float32Array.of(5), scores);
      return scores[0] === 3;
    })()`,
  },
  "@mm-ptx/search": { page: "packages/search/scripts/searches.mjs" },
  "@mm-ptx/emulator": { budget: 60.25 * 1024, page: "packages/emulator/scripts/page.mjs" },
};

/**
 * @param {Packed} packed
 * @param {readonly Packed[]} all every packed package
 * @returns {Promise<string[]>} problems
 */
export async function checkBrowser(packed, all) {
  const expected = BROWSER_PACKAGES[packed.name];
  if (expected === undefined) return [];
  return await withInstalled(packed, all, async (folder) => {
    const problems = [];
    const main = await bundle(folder, `export * from ${JSON.stringify(packed.name)};`);
    if ("errors" in main) problems.push(...main.errors);
    else {
      const first = sizeOf(main, main.first);
      const whole = sizeOf(main, Object.keys(main.modules));
      const later = first === whole ? "" : `, with what it loads later ${kibibytes(whole)}`;
      say(`${packed.name}: browser: ${kibibytes(first)} minified and gzipped${later}`);
      if (expected.budget !== undefined && first > expected.budget) {
        problems.push(`expected at most ${expected.budget} bytes minified and gzipped, found ${first}`);
      }
    }
    if (expected.typical !== undefined) {
      problems.push(...(await checkTypical(packed.name, folder, expected.typical)));
    }
    const page =
      "page" in expected
        ? readFileSync(join(ROOT, expected.page), "utf8")
        : sentencePage(packed, expected.works);
    const whole = await bundle(folder, page);
    if ("errors" in whole) return [...new Set([...problems, ...whole.errors])];
    for (const compiles of [true, false]) {
      const where = compiles ? "in a browser" : "in a page that forbids WebAssembly";
      const { answer } = await answerOf(whole, compiles);
      if (answer !== true) problems.push(`expected it to work ${where}, found ${answer}`);
    }
    return problems;
  });
}

/**
 * Checks that a page works and what it loads, and that there is more to load.
 *
 * @param {string} name
 * @param {string} folder
 * @param {{ page: string, budget: number }} typical
 * @returns {Promise<string[]>} problems
 */
async function checkTypical(name, folder, { page, budget }) {
  const bundled = await bundle(folder, readFileSync(join(ROOT, page), "utf8"));
  if ("errors" in bundled) return bundled.errors;
  const { answer, loaded } = await answerOf(bundled, true);
  if (answer !== true) return [`expected ${page} to work, found ${answer}`];
  const size = sizeOf(bundled, loaded);
  say(`${name}: browser: ${page} loads ${kibibytes(size)}`);
  const problems = [];
  if (size > budget) problems.push(`expected ${page} to load at most ${budget} bytes, found ${size}`);
  if (loaded.length === Object.keys(bundled.modules).length) {
    problems.push(`expected ${page} not to need every module, found that it loads all ${loaded.length}`);
  }
  return problems;
}

/**
 * A page that imports all entries of a package, and returns the value of an expression over them.
 *
 * @param {Packed} packed
 * @param {string} sentence
 */
function sentencePage(packed, sentence) {
  // Entries for Node have it in their names, and command lines are for Node as well.
  const entries = specifiersOf(packed).modules.filter((specifier) => !/\/(command|node)$/.test(specifier));
  const names = entries.map((specifier) => JSON.stringify(specifier));
  return [
    `import * as main from ${JSON.stringify(packed.name)};`,
    ...names.map((name, index) => `import * as entry${index} from ${name};`),
    `const entries = {${names.map((name, index) => `${name.replace(packed.name, ".")}: entry${index}`).join()}};`,
    `export default () => ${sentence};`,
  ].join("\n");
}

const kibibytes = (/** @type {number} */ bytes) => `${(bytes / 1024).toFixed(1)} KiB`;

/**
 * @typedef {object} Bundle
 * @property {Record<string, string>} modules the modules by file name
 * @property {string} main the file name of the entry
 * @property {readonly string[]} first the entry and the modules that it imports; the others are loaded later
 */

/**
 * The bytes of some modules of a bundle, which are gzipped one by one, as they are transferred.
 *
 * @param {Bundle} bundle
 * @param {readonly string[]} names
 */
function sizeOf({ modules }, names) {
  return names.reduce((sum, name) => sum + gzipSync(modules[name] ?? "", { level: 9 }).length, 0);
}

/**
 * @param {string} folder
 * @param {string} contents the text of the module to bundle
 * @returns {Promise<Bundle | { errors: string[] }>}
 */
async function bundle(folder, contents) {
  const { build } = await import("esbuild");
  const result = await build({
    stdin: { contents, resolveDir: folder, sourcefile: "page.js" },
    bundle: true,
    minify: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: folder,
    absWorkingDir: folder,
    platform: "browser",
    format: "esm",
    target: "es2022",
    logLevel: "silent",
  }).catch((error) => error);
  if (result.outputFiles === undefined) {
    return {
      errors: (result.errors ?? [{ text: String(result) }]).map((/** @type {any} */ { text }) => text),
    };
  }
  /** @type {Record<string, { entryPoint?: string, imports: { path: string, kind: string }[] }>} */
  const outputs = result.metafile.outputs;
  const main = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === "page.js") ?? "";
  const first = new Set([main]);
  for (const name of first) {
    for (const { path, kind } of outputs[name]?.imports ?? []) {
      if (kind === "import-statement") first.add(path);
    }
  }
  return {
    modules: Object.fromEntries(
      result.outputFiles.map((/** @type {any} */ { path, text }) => [basename(path), text]),
    ),
    main,
    first: [...first],
  };
}

/**
 * The result of a page in a browser, and the names of the modules that it loaded.
 *
 * @param {Bundle} bundle
 * @param {boolean} compiles whether the page may compile WebAssembly
 * @returns {Promise<{ answer: unknown, loaded: readonly string[] }>}
 */
async function answerOf({ modules, main }, compiles) {
  const worker = new Worker(new URL("./browser-realm.mjs", import.meta.url), {
    workerData: { modules, main, compiles },
    execArgv: ["--experimental-vm-modules", "--no-warnings"],
  });
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => resolve({ answer: "no answer", loaded: [] }));
    });
  } finally {
    await worker.terminate();
  }
}
