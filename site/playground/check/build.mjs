// Builds the playground into static files, which work from any folder of any server, and loads its model into Node.

import { fileURLToPath } from "node:url";
import { build, createServer } from "vite";

const configFile = fileURLToPath(new URL("../vite.config.ts", import.meta.url));

/** @returns {Promise<void>} */
export async function buildPlayground() {
  await build({ configFile, logLevel: "warn" });
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

/**
 * Calls `work` with the model.
 *
 * @template T
 * @param {(model: Model) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withModel(work) {
  const server = await createServer({
    configFile,
    logLevel: "error",
    appType: "custom",
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  });
  try {
    const names = ["compile", "evolve", "examples/index", "fragment", "kernels", "results", "run"];
    const modules = await Promise.all(names.map((name) => server.ssrLoadModule(`/src/model/${name}.ts`)));
    const entries = names.map((name, i) => [name.split("/")[0], modules[i]]);
    return await work(/** @type {Model} */ (Object.fromEntries(entries)));
  } finally {
    await server.close();
  }
}
