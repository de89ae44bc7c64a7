// The bytes that a reader waits for, gzipped: until the editor takes a key, and until the first result.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { load, settled } from "./page.mjs";
import { serveFolder } from "./server.mjs";

/** @typedef {import("./test.mjs").Check} Check */

/** The most bytes until the editor takes a key, and until the first result. */
const BUDGETS = { editor: 200_000, result: 420_000 };

/** Examples that need different parts: Stack PTX, formulas with checks for races, and CSV. */
const MEASURED = ["gelu", "reduction", "semiring"];

const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(0)} kB`;

/**
 * @param {string} folder
 * @param {import("./build.mjs").Built} built
 * @param {(line: string) => void} say
 * @returns {Record<string, Check>}
 */
export function budgetChecks(folder, built, say) {
  return {
    "the files of the editor are small": async () => {
      const bytes = ["index.html", ...built.editor]
        .map((file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length)
        .reduce((sum, length) => sum + length, 0);
      say(`${kilobytes(bytes)} in the files that the editor needs`);
      return over("the files of the editor", bytes, BUDGETS.editor);
    },
    "little is fetched until the first result is there": async ({ page, url: address, open }) => {
      const problems = [];
      for (const example of MEASURED) {
        // Nothing of another server is in the browser's cache.
        const { url, log, close } = await serveFolder(folder);
        try {
          await load(page, `${url}#${example}`);
          await settled(page);
          const { editor, result, origin } = await page.evaluate(marksOfPage);
          const bytes = log
            .filter(({ at }) => at <= origin + result)
            .reduce((sum, sent) => sum + sent.bytes, 0);
          say(
            `${example}: ${editor} ms until the editor, ${kilobytes(bytes)} and ${result} ms until the first result`,
          );
          problems.push(...over(`what ${example} fetches until the first result`, bytes, BUDGETS.result));
        } finally {
          // What the page fetches later must not fail.
          await page.waitForNetworkIdle({ idleTime: 100 });
          await page.goto("about:blank");
          await close();
        }
      }
      await open(address);
      return problems;
    },
  };
}

/** When the editor and the first result were there. Runs in the page. */
function marksOfPage() {
  const at = (/** @type {string} */ name) =>
    Math.round(performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN);
  return { editor: at("editor"), result: at("result"), origin: performance.timeOrigin };
}

/**
 * @param {string} what
 * @param {number} bytes
 * @param {number} budget
 */
const over = (what, bytes, budget) =>
  bytes > 0 && bytes <= budget
    ? []
    : [`expected at most ${kilobytes(budget)} for ${what}, found ${kilobytes(bytes)}`];
