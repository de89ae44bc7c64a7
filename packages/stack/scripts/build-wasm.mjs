// Compiles assembly/index.ts to WebAssembly and writes it as src/wasm/module.ts (ignored by git): a module that carries
// its bytes needs no file access, so the package works the same in Node and in a browser. An unchanged result is left
// alone, so that the TypeScript build behind it has nothing to do.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = `${root}src/wasm/module.ts`;

const files = new Map();
const { error, stderr } = await asc.main(
  [
    "assembly/index.ts",
    "--outFile",
    "module.wasm",
    "--optimizeLevel",
    "3",
    "--shrinkLevel",
    "0",
    "--runtime",
    "stub",
    "--importMemory",
    "--noExportMemory",
    "--noAssert",
    "--enable",
    "simd",
  ],
  {
    readFile: (name) => (existsSync(`${root}${name}`) ? readFileSync(`${root}${name}`, "utf8") : null),
    writeFile: (name, contents) => void files.set(name, contents),
    listFiles: () => [],
  },
);
const wasm = files.get("module.wasm");
if (error !== null || wasm === undefined) {
  console.error(stderr.toString());
  throw error ?? new Error("assemblyscript gave no module");
}

const text = [
  "// Compiled from assembly/index.ts by scripts/build-wasm.mjs.",
  "/** The WebAssembly module, in base64. */",
  `export const MODULE = "${Buffer.from(wasm).toString("base64")}";`,
  "",
].join("\n");
mkdirSync(`${root}src/wasm`, { recursive: true });
if (!existsSync(target) || readFileSync(target, "utf8") !== text) writeFileSync(target, text);
