// A worker that looks like a browser to JavaScript: a context without Node's globals, which loads modules
// when they are imported. It posts the result of the page's default export, or the error as text, and the names
// of the modules that were loaded.

import { createContext, SourceTextModule } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";

/**
 * @typedef {object} Page
 * @property {Record<string, string>} modules the modules of one folder, by file name
 * @property {string} main the file name of the page's module
 * @property {boolean} compiles whether the page may compile WebAssembly
 */

/** Globals that every browser has besides those of JavaScript. */
const BROWSER_GLOBALS = {
  ...{ AbortController, AbortSignal, MessageChannel, TextDecoder, TextEncoder, URL, URLSearchParams },
  ...{ atob, btoa, crypto, performance, queueMicrotask, structuredClone, setTimeout, clearTimeout },
};

const { modules, main, compiles } = /** @type {Page} */ (workerData);
const context = createContext({ ...BROWSER_GLOBALS }, { codeGeneration: { strings: false, wasm: compiles } });
/** @type {Map<string, SourceTextModule>} */
const loaded = new Map();

/**
 * @param {string} specifier
 * @returns {SourceTextModule}
 */
function find(specifier) {
  const name = specifier.replace(/^\.\//, "");
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const source = modules[name];
  if (source === undefined) throw new Error(`expected a module of the bundle, found ${specifier}`);
  const module = new SourceTextModule(source, {
    context,
    identifier: name,
    importModuleDynamically: (/** @type {string} */ imported) => ready(imported),
  });
  loaded.set(name, module);
  return module;
}

/**
 * @param {string} specifier
 * @returns {Promise<SourceTextModule>}
 */
async function ready(specifier) {
  const module = find(specifier);
  if (module.status === "unlinked") await module.link(find);
  await module.evaluate();
  return module;
}

async function answer() {
  try {
    const { namespace } = await ready(main);
    return await /** @type {any} */ (namespace).default(compiles);
  } catch (error) {
    return String(/** @type {any} */ (error)?.stack ?? error);
  }
}

parentPort?.postMessage({ answer: await answer(), loaded: [...loaded.keys()] });
