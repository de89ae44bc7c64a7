// Compiles AssemblyScript to WebAssembly inside a TypeScript module, which git ignores. A module that
// contains its bytes needs no file access, so a package works the same in Node and in a browser.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const FLAGS = [
  ...["--optimizeLevel", "3"],
  ...["--shrinkLevel", "0"],
  ...["--runtime", "stub"],
  "--importMemory",
  "--noExportMemory",
  "--noAssert",
  ...["--enable", "simd"],
];

/** @typedef {{ readonly name: string, readonly encode: (bytes: Uint8Array) => string }} Encoding */

/** @type {Encoding} */
const HEX = { name: "hexadecimal digits", encode: (bytes) => Buffer.from(bytes).toString("hex") };

/**
 * Compiles `assembly/ENTRY.ts` of a package and writes its bytes as a string `MODULE` of `target`. If the result is
 * unchanged, the file is not written, so that the TypeScript build has nothing to do.
 *
 * @param {{ main(args: string[], host: object): Promise<any> }} asc the compiler that the package depends on
 * @param {object} options
 * @param {string} options.root the root of the package, with a final slash
 * @param {string} options.entry
 * @param {string} options.target relative to `root`
 * @param {readonly string[]} [options.flags] flags in addition to those of all modules
 * @param {(name: string) => string} [options.locate] returns the path of a source, relative to `root`
 * @param {Encoding} [options.encoding] how the bytes become text; hexadecimal digits by default
 */
export async function compileAssembly(
  asc,
  { root, entry, target, flags = [], locate = (name) => name, encoding = HEX },
) {
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  const { error, stderr } = await asc.main(
    [`assembly/${entry}.ts`, "--outFile", "module.wasm", ...FLAGS, ...flags],
    {
      readFile: (/** @type {string} */ name) => {
        const path = root + locate(name);
        return existsSync(path) ? readFileSync(path, "utf8") : null;
      },
      writeFile: (/** @type {string} */ name, /** @type {Uint8Array} */ contents) =>
        void files.set(name, contents),
      listFiles: () => [],
    },
  );
  const wasm = files.get("module.wasm");
  if (error !== null || wasm === undefined) {
    console.error(stderr.toString());
    throw error ?? new Error("expected a module from AssemblyScript, found none");
  }
  const text = [
    `// Compiled from assembly/${entry}.ts by scripts/build-wasm.mjs.`,
    `/** The WebAssembly module, in ${encoding.name}. */`,
    `export const MODULE = ${JSON.stringify(encoding.encode(wasm))};`,
    "",
  ].join("\n");
  const path = root + target;
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}
