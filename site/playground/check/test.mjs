// Tests the built playground in the browsers that are installed.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ACCESS_CHECKS, DARK_CHECKS } from "./access.mjs";
import { findBrowsers, openBrowser } from "./browsers.mjs";
import { budgetChecks } from "./budget.mjs";
import { loadModel } from "./build.mjs";
import { exampleChecks, RACE_CHECKS } from "./examples.mjs";
import { OWN_CHECKS } from "./own.mjs";
import { drawn, open } from "./page.mjs";
import { policyChecks } from "./policy.mjs";
import { serveFolder } from "./server.mjs";
import { typeProblems } from "./types.mjs";
import { useChecks } from "./use.mjs";

/**
 * @typedef {object} Place what a check works with
 * @property {import("puppeteer-core").Page} page
 * @property {string} url of the playground, with a slash at its end
 * @property {(url: string) => Promise<void>} open opens a link in the document of the checks before
 * @property {(name: string, whole?: boolean) => Promise<void>} picture takes a picture of the page
 */

/** @typedef {(place: Place) => Promise<string[]>} Check returns problems */

/** @typedef {{ browser: string, check: string, problems: string[], milliseconds: number }} Finding */

/**
 * @param {object} options
 * @param {string} options.folder the built files
 * @param {import("./build.mjs").Built} options.built
 * @param {string | undefined} options.only a word in the names of the checks to run; all by default
 * @param {string} options.pictures a folder for pictures of the examples, which is emptied
 * @param {(line: string) => void} options.say
 * @returns {Promise<Finding[]>} without those of browsers that are not installed
 */
export async function testPlayground({ folder, built, only = "", pictures, say }) {
  const { found, missing } = findBrowsers();
  for (const name of missing) say(`${name} is not installed, so the playground is not tested in it`);
  rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures, { recursive: true });
  const model = loadModel();
  const began = performance.now();
  const types = typeProblems().then((problems) => {
    return { browser: "all browsers", check: "types", problems, milliseconds: performance.now() - began };
  });
  const findings = await Promise.all(
    found.map(async (installed) => {
      const tell = (/** @type {string} */ line) => say(`${installed.name}: ${line}`);
      /** @type {Record<string, Check>} */
      const checks = {
        ...budgetChecks(folder, built, tell),
        ...exampleChecks(await model),
        ...RACE_CHECKS,
        ...useChecks(await model),
        ...OWN_CHECKS,
        ...ACCESS_CHECKS,
        // WebDriver BiDi can't choose colors.
        ...(installed.name === "Chromium" ? DARK_CHECKS : {}),
        ...policyChecks(folder),
      };
      const chosen = Object.fromEntries(Object.entries(checks).filter(([name]) => name.includes(only)));
      const target = installed.name === "Chromium" ? pictures : undefined;
      return await runChecks(installed, folder, chosen, target);
    }),
  );
  return [await types, ...findings.flat()];
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
      open: (url) => open(page, url),
      picture: async (name, whole = false) => {
        if (pictures === undefined) return;
        await drawn(page);
        await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: whole });
      },
    };
    for (const [check, run] of Object.entries(checks)) {
      errors.length = 0;
      const began = performance.now();
      const problems = await run(place).catch((error) => [String(error.message ?? error)]);
      const milliseconds = Math.round(performance.now() - began);
      findings.push({ browser: installed.name, check, problems: [...problems, ...errors], milliseconds });
    }
  } finally {
    await browser.close();
    await served.close();
  }
  return findings;
}
