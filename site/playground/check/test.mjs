// Tests the built playground in the browsers that are installed.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ACCESS_CHECKS, DARK_CHECKS } from "./access.mjs";
import { findBrowsers, openBrowser } from "./browsers.mjs";
import { budgetChecks } from "./budget.mjs";
import { withModel } from "./build.mjs";
import { exampleChecks, RACE_CHECKS } from "./examples.mjs";
import { open } from "./page.mjs";
import { policyChecks } from "./policy.mjs";
import { serveFolder } from "./server.mjs";
import { typeProblems } from "./types.mjs";
import { useChecks } from "./use.mjs";

/**
 * @typedef {object} Place what a check works with
 * @property {import("puppeteer-core").Page} page
 * @property {string} url of the playground, with a slash at its end
 * @property {import("./server.mjs").Served["log"]} log what the browser has fetched
 * @property {(url: string) => Promise<void>} open opens a fresh document and waits for its editor
 * @property {(name: string, whole?: boolean) => Promise<void>} picture takes a picture of the page
 */

/** @typedef {(place: Place) => Promise<string[]>} Check returns problems */

/** @typedef {{ browser: string, check: string, problems: string[] }} Finding */

/**
 * @param {object} options
 * @param {string} options.folder the built files
 * @param {string} options.pictures a folder for pictures of the examples, which is emptied
 * @param {(line: string) => void} options.say
 * @returns {Promise<Finding[]>} without those of browsers that are not installed
 */
export async function testPlayground({ folder, pictures, say }) {
  const { found, missing } = findBrowsers();
  for (const name of missing) say(`${name} is not installed, so the playground is not tested in it`);
  const types = { browser: "all browsers", check: "types", problems: await typeProblems() };
  if (found.length === 0) return [types];
  rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures, { recursive: true });
  return await withModel(async (model) => {
    const findings = await Promise.all(
      found.map(async (installed) => {
        const tell = (/** @type {string} */ line) => say(`${installed.name}: ${line}`);
        const checks = {
          ...budgetChecks(folder, tell),
          ...exampleChecks(model),
          ...RACE_CHECKS,
          ...useChecks(model),
          ...ACCESS_CHECKS,
          // WebDriver BiDi can't choose colors.
          ...(installed.name === "Chromium" ? DARK_CHECKS : {}),
          ...policyChecks(folder),
        };
        const target = installed.name === "Chromium" ? pictures : undefined;
        return await runChecks(installed, folder, checks, target);
      }),
    );
    return [types, ...findings.flat()];
  });
}

/**
 * @param {import("./browsers.mjs").Installed} installed
 * @param {string} folder
 * @param {Record<string, Check>} checks
 * @param {string | undefined} pictures
 * @returns {Promise<Finding[]>}
 */
async function runChecks(installed, folder, checks, pictures) {
  const served = await serveFolder(folder);
  const browser = await openBrowser(installed);
  /** @type {Finding[]} */
  const findings = [];
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1440, height: 960 });
    /** @type {string[]} */
    const errors = [];
    page.on("pageerror", (error) => {
      const { message } = /** @type {Error} */ (error);
      // Firefox reports that a policy forbids WebAssembly, which one of the checks wants.
      if (!/^Content-Security-Policy: .* WebAssembly/.test(message))
        errors.push(`the page threw: ${message}`);
    });
    /** @type {Place} */
    const place = {
      page,
      url: served.url,
      log: served.log,
      open: (url) => open(page, url),
      picture: async (name, whole = false) => {
        if (pictures === undefined) return;
        // Plots and pictures are drawn in the next frame.
        await new Promise((resolve) => setTimeout(resolve, 250));
        await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: whole });
      },
    };
    for (const [check, run] of Object.entries(checks)) {
      errors.length = 0;
      const problems = await run(place).catch((error) => [String(error.message ?? error)]);
      findings.push({ browser: installed.name, check, problems: [...problems, ...errors] });
    }
  } finally {
    await browser.close();
    await served.close();
  }
  return findings;
}
