// A packed package as a browser gets it: bundled with all its dependencies it imports nothing of Node, keeps to its size,
// and works in a JavaScript context that has nothing of Node, with WebAssembly and where a page forbids it.

import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { say } from "./console.mjs";
import { specifiersOf, withInstalled } from "./installed.mjs";

/** @typedef {import("./pack.mjs").Packed} Packed */

/**
 * The packages for browsers, what their main entry may weigh in bytes, minified and gzipped, and a sentence in JavaScript
 * over `main` and the other entries by their subpath, which gives `true` when the package works.
 *
 * @type {Record<string, { budget?: number, works: string }>}
 */
const BROWSER_PACKAGES = {
  "@mm-ptx/types": {
    works:
      "main.parseStackDescription({ abi_version: 1, stack_types: [{ name: 'F32', literal_prefix: 'f32' }], arg_types: [], instructions: [] }).stackTypes.length === 1",
  },
  "@mm-ptx/ptx": { works: "main.ARCHITECTURES.length > 0" },
  "@mm-ptx/inject": {
    works: `main.parsePtx("// PTX_INJECT_START f\\n// PTX_INJECT_END\\n").renderInto({ f: "{}" }, new Uint8Array(3)) === 3`,
  },
  "@mm-ptx/stack": {
    budget: 40 * 1024,
    works: `new main.StackCompiler(entries["./default"].table).compile(
      main.StackProgram.of(main.input(0), entries["./default"].ptx.negFtzF32),
      { registers: [main.register("x", 0), main.register("y", 0)], requests: [1] },
    ).includes("neg.ftz.f32 %_s0_0, %x;")`,
  },
  "@mm-ptx/ast": {
    budget: 25 * 1024,
    works: `new main.AstCompiler({ kind: "ast", fingerprint: "", bases: [], instructions: [{ ptx: "neg.ftz.f32", name: "neg.ftz.f32", args: 1 }] })
      .compile(main.AstProgram.fromWords(Uint32Array.of(1, 0, 3 | (1 << 16), 0)), { inputs: ["x"], output: "y" })
      .includes("neg.ftz.f32 %ast0, %x;")`,
  },
};

/** What every browser has besides the language. */
const BROWSER_GLOBALS = { TextDecoder, TextEncoder, URL, atob, btoa, crypto, performance, structuredClone };

/**
 * @param {Packed} packed
 * @param {readonly Packed[]} all every packed package
 * @returns {Promise<string[]>} problems
 */
export async function checkBrowser(packed, all) {
  const expected = BROWSER_PACKAGES[packed.name];
  if (expected === undefined) return [];
  return await withInstalled(packed, all, async (folder) => {
    // What is made for Node says so in its name.
    const entries = specifiersOf(packed).modules.filter((specifier) => !/\/(node|cli)$/.test(specifier));
    const problems = [];
    const main = await bundle(folder, `export * from ${JSON.stringify(packed.name)};`);
    if ("errors" in main) problems.push(...main.errors);
    else {
      const size = gzipSync(main.code, { level: 9 }).length;
      say(`${packed.name}: browser: ${(size / 1024).toFixed(1)} KiB minified and gzipped`);
      if (expected.budget !== undefined && size > expected.budget) {
        problems.push(`expected at most ${expected.budget} bytes minified and gzipped, found ${size}`);
      }
    }
    const names = entries.map((specifier) => JSON.stringify(specifier));
    const whole = await bundle(
      folder,
      [
        `export * as main from ${JSON.stringify(packed.name)};`,
        ...names.map((name, index) => `import * as entry${index} from ${name};`),
        `export const entries = {${names.map((name, index) => `${name.replace(packed.name, ".")}: entry${index}`).join()}};`,
      ].join("\n"),
    );
    if ("errors" in whole) return [...new Set([...problems, ...whole.errors])];
    for (const webAssembly of [true, false]) {
      const context = createContext({ ...BROWSER_GLOBALS });
      if (!webAssembly) runInContext("delete globalThis.WebAssembly", context);
      const where = webAssembly ? "in a browser" : "in a browser without WebAssembly";
      try {
        const sentence = `${whole.code};(({ main, entries }) => ${expected.works})(bundled)`;
        if (runInContext(sentence, context) !== true) problems.push(`expected it to work ${where}`);
      } catch (error) {
        problems.push(`expected it to work ${where}, found ${error}`);
      }
    }
    return problems;
  });
}

/**
 * @param {string} folder
 * @param {string} contents of the module to bundle
 * @returns {Promise<{ code: string } | { errors: string[] }>}
 */
async function bundle(folder, contents) {
  const { build } = await import("esbuild");
  const result = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    platform: "browser",
    format: "iife",
    globalName: "bundled",
    target: "es2022",
    logLevel: "silent",
  }).catch((error) => error);
  if (result.outputFiles === undefined) {
    return {
      errors: (result.errors ?? [{ text: String(result) }]).map((/** @type {any} */ { text }) => text),
    };
  }
  return { code: result.outputFiles[0].text };
}
