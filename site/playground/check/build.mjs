// Builds the playground into static files, which work from any folder of any server, and loads its model into Node.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const OUT = fileURLToPath(new URL("../../../out", import.meta.url));

/** Where the page is built. */
const PAGE = join(OUT, "playground");

/** @type {import("esbuild").BuildOptions & { metafile: true, loader: {} }} */
const OPTIONS = {
  absWorkingDir: HERE,
  bundle: true,
  // The page and its worker share what both use.
  splitting: true,
  format: "esm",
  metafile: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".ptx": "text" },
  logLevel: "warning",
};

/** Modules that the page never calls, with the names that others import of them: kernel files are for Node. */
const UNUSED = /** @type {const} */ ([
  ["inject/dist/binary/fingerprint.js", ["fingerprintOf"]],
  ["inject/dist/binary/read.js", ["readBytes"]],
  ["inject/dist/binary/write.js", ["writeBytes"]],
]);

/** Leaves them out. @type {import("esbuild").Plugin} */
const withoutUnused = {
  name: "unused",
  setup(bundle) {
    for (const [path, names] of UNUSED) {
      bundle.onLoad({ filter: new RegExp(`${path.replaceAll(".", "\\.")}$`) }, () => ({
        contents: names
          .map((name) => `export const ${name} = () => { throw new Error("not part of the playground"); };`)
          .join("\n"),
      }));
    }
  },
};

/** The parts of the emulator that most launches load. */
const LAUNCH_PARTS = [
  "device/run-launch.js",
  "run/finding-log.js",
  "wasm/index.js",
  "wasm/elementary/module.js",
];

/**
 * The built files that a reader loads, by what needs them first, relative to the folder of the page.
 *
 * @typedef {object} Built
 * @property {string[]} editor what the editor needs, without the page itself and the kernel
 * @property {string[]} compilers what compiling needs in addition
 */

/** @returns {Promise<Built>} */
export async function buildPlayground() {
  rmSync(PAGE, { recursive: true, force: true });
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: ["src/main.tsx", "src/worker/run-worker.ts"],
    outdir: join(PAGE, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    minify: true,
    target: "es2022",
    platform: "browser",
    plugins: [withoutUnused],
    legalComments: "none",
  });
  /** @type {Map<string, string>} outputs by their entries */
  const outputs = new Map();
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
    if (entryPoint !== undefined) outputs.set(entryPoint, path);
  }
  const main = outputOf("src/main.tsx");
  const style = metafile.outputs[main]?.cssBundle;
  if (style === undefined) throw new Error("expected a style sheet of the page, found none");
  const editor = [...new Set([...closure(main), ...closure(outputOf("src/editor/create.ts"))])];
  const compilers = closure(outputOf("src/model/compile.ts")).filter((path) => !editor.includes(path));
  const worker = ["src/worker/run-worker.ts", ...LAUNCH_PARTS.map(partOf)].flatMap((entry) =>
    closure(outputOf(entry)),
  );
  const later = [...new Set([...compilers, ...worker])].filter((path) => !editor.includes(path));
  const address = (/** @type {string} */ path) => `./assets/${basename(path)}`;
  const preload = (/** @type {string} */ path, more = "") =>
    `<link rel="modulepreload" href="${address(path)}"${more} />`;
  const head = [
    `<link rel="stylesheet" href="${address(style)}" />`,
    ...editor.filter((path) => path !== main).map((path) => preload(path)),
    `<meta name="later" content="${later.map(address).join(" ")}" />`,
    `<meta name="run-worker" content="${address(outputOf("src/worker/run-worker.ts"))}" />`,
    `<script type="module" src="${address(main)}"></script>`,
  ];
  mkdirSync(PAGE, { recursive: true });
  cpSync(join(HERE, "public"), PAGE, { recursive: true });
  const page = readFileSync(join(HERE, "index.html"), "utf8");
  writeFileSync(join(PAGE, "index.html"), page.replace("<!-- files -->", head.join("\n    ")));
  return {
    editor: [...editor, style].map(address),
    compilers: compilers.map(address),
  };

  /** @param {string} part */
  function partOf(part) {
    const entry = [...outputs.keys()].find((path) => path.endsWith(`/packages/emulator/dist/${part}`));
    if (entry === undefined) throw new Error(`expected ${part} of the emulator to be loaded by itself`);
    return entry;
  }

  /** @param {string} entry */
  function outputOf(entry) {
    const path = outputs.get(entry);
    if (path === undefined) throw new Error(`expected ${entry} among what was built`);
    return path;
  }

  /**
   * A file with all that it imports before it runs.
   *
   * @param {string} path
   * @returns {string[]}
   */
  function closure(path) {
    const found = [path];
    for (const one of found) {
      for (const { kind, path: imported } of metafile.outputs[one]?.imports ?? []) {
        if (kind === "import-statement" && !found.includes(imported)) found.push(imported);
      }
    }
    return found;
  }
}

/**
 * The parts of the playground that compile and run, with which tests compute what the page has to show.
 *
 * @typedef {object} Model
 * @property {typeof import("../src/model/compile.js")} compile
 * @property {typeof import("../src/model/evolve.js")} evolve
 * @property {typeof import("../src/model/examples/index.js")} examples
 * @property {typeof import("../src/model/fragment.js")} fragment
 * @property {typeof import("../src/model/kernels.js")} kernels
 * @property {typeof import("../src/model/results.js")} results
 * @property {typeof import("../src/model/run.js")} run
 */

/** @returns {Promise<Model>} */
export async function loadModel() {
  const names = ["compile", "evolve", "examples/index", "fragment", "kernels", "results", "run"];
  const folder = join(OUT, "playground-model");
  rmSync(folder, { recursive: true, force: true });
  await build({
    ...OPTIONS,
    entryPoints: names.map((name) => `src/model/${name}.ts`),
    outbase: "src/model",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    platform: "node",
    target: "node20",
  });
  const modules = await Promise.all(names.map((name) => import(`${pathToFileURL(join(folder, name))}.mjs`)));
  const entries = names.map((name, i) => [name.split("/")[0], modules[i]]);
  return /** @type {Model} */ (Object.fromEntries(entries));
}
