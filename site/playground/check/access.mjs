// Who reads without a mouse, without eyes, on a phone, at night, or under a strict policy.

import axeCore from "axe-core";
import { drawn, settled, until } from "./page.mjs";

/** @typedef {import("./test.mjs").Check} Check */

/** @param {import("puppeteer-core").Page} page */
async function axe(page) {
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(axeCore.source);
  const violations = await page.evaluate(async () => {
    const { violations: found } = await /** @type {any} */ (globalThis).axe.run(document, {
      resultTypes: ["violations"],
    });
    return found.map((/** @type {any} */ { id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes
        .slice(0, 3)
        .map((/** @type {any} */ { html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`),
    }));
  });
  return violations
    .filter((/** @type {any} */ { impact }) => impact === "serious" || impact === "critical")
    .map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.join(" | ")}`);
}

/** @type {Record<string, Check>} */
export const ACCESS_CHECKS = {
  "axe finds nothing serious": async ({ page, url, open }) => {
    await open(`${url}#reduction`);
    await settled(page);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    const light = await axe(page);
    await open(`${url}#semiring`);
    await settled(page);
    return [...light, ...(await axe(page))];
  },
  "the keyboard reaches everything, and arrows change tabs": async ({ page, url, open }) => {
    await open(`${url}#gelu`);
    await settled(page);
    await page.evaluate(() => {
      const reached = /** @type {string[]} */ ([]);
      Object.assign(globalThis, { reached });
      addEventListener("focusin", ({ target }) => {
        const at = /** @type {Element} */ (target);
        reached.push(at.getAttribute("aria-label") ?? at.textContent ?? "");
      });
      document.body.tabIndex = -1;
      document.body.focus();
    });
    for (let i = 0; i < 48; i++) await page.keyboard.press("Tab");
    const reached = await page.evaluate(
      () => /** @type {{ reached: string[] }} */ (/** @type {unknown} */ (globalThis)).reached,
    );
    const wanted = [
      "GELU gate",
      "Copy link",
      "Language",
      "Stack PTX program of the site activation",
      "Mutate",
      "Rendered",
      "Plot",
      "scale",
    ];
    const problems = wanted
      .filter((name) => !reached.includes(name))
      .map((name) => `expected Tab to reach \`${name}\``);
    await page.focus('[data-tab="rendered"]');
    await page.keyboard.press("ArrowRight");
    await until(
      page,
      "the marked kernel",
      () => document.activeElement?.getAttribute("data-tab") === "marked",
    );
    await page.keyboard.press("ArrowLeft");
    return problems;
  },
  "it fits a phone": async ({ page, url, open, picture }) => {
    await page.setViewport({ width: 390, height: 844 });
    await open(`${url}#gelu`);
    await settled(page);
    await drawn(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    await picture("phone", true);
    await page.setViewport({ width: 1440, height: 960 });
    return width <= 390 ? [] : [`expected a page of 390 pixels, found ${width}`];
  },
};

/** @type {Record<string, Check>} */
export const DARK_CHECKS = {
  "axe finds nothing serious in the dark": async ({ page, url, open, picture }) => {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    await open(`${url}#reduction`);
    await settled(page);
    await picture("dark");
    const problems = await axe(page);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
    return problems;
  },
};
