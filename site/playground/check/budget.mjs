// The bytes that a reader waits for, gzipped: until the editor takes a key, and until the first result.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { settled } from "./page.mjs";

/** @typedef {import("./test.mjs").Check} Check */

/** The most bytes until the editor takes a key, and until the first result. */
const BUDGETS = { editor: 200_000, result: 450_000 };

const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(0)} kB`;

/**
 * The files of the build that the editor needs: the page, its entry with all that it imports, and the editor's chunk.
 *
 * @param {string} folder
 */
function editorFiles(folder) {
  /** @type {Record<string, { file: string, imports?: string[], css?: string[] }>} */
  const manifest = JSON.parse(readFileSync(join(folder, ".vite/manifest.json"), "utf8"));
  const files = new Set(["index.html"]);
  const pending = ["index.html", "src/editor/create.ts", "kernels/gelu.ptx?raw"];
  for (const name of pending) {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`expected ${name} in the manifest of the build`);
    files.add(chunk.file);
    for (const file of chunk.css ?? []) files.add(file);
    for (const imported of chunk.imports ?? []) if (!pending.includes(imported)) pending.push(imported);
  }
  return [...files];
}

/**
 * @param {string} folder
 * @param {(line: string) => void} say
 * @returns {Record<string, Check>}
 */
export function budgetChecks(folder, say) {
  return {
    "the files of the editor are small": async () => {
      const bytes = editorFiles(folder).reduce(
        (sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length,
        0,
      );
      say(`${kilobytes(bytes)} in the files that the editor needs`);
      return over("the files of the editor", bytes, BUDGETS.editor);
    },
    "little is fetched until the editor and the first result are there": async ({ page, log, url, open }) => {
      const problems = [];
      // The second one loads the most: formulas, and the checks of the emulator.
      for (const example of ["gelu", "reduction"]) {
        log.length = 0;
        await open(`${url}#${example}`);
        await settled(page);
        const { before, editor, result } = await page.evaluate(marksOfPage);
        const early = log.filter(({ path }) => path === "/index.html" || before.includes(path));
        const first = sum(early);
        const whole = sum(log);
        say(
          `${example}: ${kilobytes(first)} and ${editor} ms until the editor, ${kilobytes(whole)} and ${result} ms until the first result`,
        );
        problems.push(
          ...over("what is fetched until the editor takes a key", first, BUDGETS.editor),
          ...over("what is fetched until the first result", whole, BUDGETS.result),
        );
      }
      return problems;
    },
  };
}

const sum = (/** @type {readonly { bytes: number }[]} */ sent) =>
  sent.reduce((all, { bytes }) => all + bytes, 0);

/** What the page has fetched before the editor was there, and when the editor and the first result were. Runs in the page. */
function marksOfPage() {
  const at = (/** @type {string} */ name) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN;
  const before = performance
    .getEntriesByType("resource")
    .filter(({ startTime }) => startTime < at("editor"))
    .map(({ name }) => new URL(name).pathname);
  return { before, editor: Math.round(at("editor")), result: Math.round(at("result")) };
}

/**
 * @param {string} what
 * @param {number} bytes
 * @param {number} budget
 */
const over = (what, bytes, budget) =>
  bytes <= budget ? [] : [`expected at most ${kilobytes(budget)} for ${what}, found ${kilobytes(bytes)}`];
