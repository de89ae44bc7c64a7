// What a reader does on the page, and what it shows, in words of the tests.

/** @typedef {import("puppeteer-core").Page} Page */

/** The milliseconds after which something that the page should show counts as missing. */
const PATIENCE = 20_000;

/**
 * Waits until a function returns a true value in the page.
 *
 * @param {Page} page
 * @param {string} what for the message
 * @param {(...args: any[]) => unknown} test runs in the page
 * @param {unknown[]} args
 */
export async function until(page, what, test, ...args) {
  try {
    await page.waitForFunction(test, { timeout: PATIENCE, polling: 30 }, ...args);
  } catch {
    const shown = await page.evaluate(() => document.querySelector(".outcome")?.textContent ?? "");
    throw new Error(`expected ${what}; the page says: ${shown}`);
  }
}

/**
 * Opens the page at a fragment in a fresh document.
 *
 * @param {Page} page
 * @param {string} url
 */
export async function open(page, url) {
  await page.goto("about:blank");
  await page.goto(url);
  await until(page, "an editor", () => document.querySelector(".source .cm-content") !== null);
}

/**
 * Waits for the launch that belongs to what is on the page.
 *
 * @param {Page} page
 * @param {"done" | "failed"} [state]
 */
export async function settled(page, state = "done") {
  await until(
    page,
    `the launch to be ${state}`,
    (wanted) => document.querySelector(".outcome")?.getAttribute("data-state") === wanted,
    state,
  );
}

/**
 * Does something that changes the state, and waits for the launch that follows from it.
 *
 * @param {Page} page
 * @param {() => Promise<unknown>} act
 * @param {"done" | "failed"} [state]
 */
export async function after(page, act, state = "done") {
  await act();
  // A change is noticed at once, but the browser may deliver the event later.
  await new Promise((resolve) => setTimeout(resolve, 60));
  await settled(page, state);
}

/**
 * The results as CSV, from the link below the table.
 *
 * @param {Page} page
 * @returns {Promise<string>}
 */
export async function resultsOf(page) {
  await clickTab(page, "Form of the result", "table");
  await until(page, "a table", () => document.querySelector(".values a[download]") !== null);
  return await page.evaluate(async () => {
    const link = /** @type {HTMLAnchorElement} */ (document.querySelector(".values a[download]"));
    return await (await fetch(link.href)).text();
  });
}

/**
 * @param {Page} page
 * @param {string} list the label of the tabs
 * @param {string} tab
 */
export async function clickTab(page, list, tab) {
  await page.click(`[role="tablist"][aria-label="${list}"] [data-tab="${tab}"]`);
}

/**
 * Replaces the text of an editor as a reader would: with the keyboard.
 *
 * @param {Page} page
 * @param {string} selector
 * @param {string} text
 */
export async function type(page, selector, text) {
  await page.click(`${selector} .cm-content`);
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.press("Delete");
  for (const [i, line] of text.split("\n").entries()) {
    // An open list of completions would take the line end.
    if (i > 0) {
      await page.keyboard.press("Escape");
      await page.keyboard.press("Enter");
    }
    await page.keyboard.type(line);
  }
  await page.keyboard.press("Escape");
}
