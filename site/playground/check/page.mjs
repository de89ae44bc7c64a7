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
 * Waits until the page has handled the events before, and has drawn what follows from them.
 *
 * @param {Page} page
 */
export async function drawn(page) {
  await page.evaluate(
    () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  );
}

/**
 * Opens the page in a fresh document.
 *
 * @param {Page} page
 * @param {string} url
 */
export async function load(page, url) {
  await page.goto("about:blank");
  await page.goto(url);
  await until(page, "an editor", () => document.querySelector(".source .cm-content") !== null);
}

/**
 * Opens a fragment as a link does, in the document that is open if there is one, with its usual tabs.
 *
 * @param {Page} page
 * @param {string} url
 */
export async function open(page, url) {
  const [address = "", fragment = ""] = url.split("#");
  if (page.url().split("#")[0] !== address) return await load(page, url);
  await page.evaluate((wanted) => {
    for (const tab of ["rendered", "picture"]) {
      const button = document.querySelector(`[data-tab="${tab}"]`);
      if (button?.getAttribute("aria-selected") === "false") /** @type {HTMLElement} */ (button).click();
    }
    const heat = document.querySelector(".kernel input[type=checkbox]");
    if (heat instanceof HTMLInputElement && heat.checked) heat.click();
    for (const details of document.querySelectorAll("details:not(.stub)")) details.removeAttribute("open");
    const notice = document.querySelector(".notice button");
    if (notice instanceof HTMLElement) notice.click();
    // Setting the same fragment again would not be noticed.
    history.replaceState(null, "", `#${wanted}`);
    dispatchEvent(new HashChangeEvent("hashchange", { newURL: location.href }));
  }, fragment);
  await drawn(page);
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
  await drawn(page);
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
 * The text of an element; empty if the page does not have the element.
 *
 * @param {Page} page
 * @param {string} selector
 * @returns {Promise<string>}
 */
export async function textOf(page, selector) {
  return await page.evaluate((one) => document.querySelector(one)?.textContent ?? "", selector);
}

/**
 * @param {Page} page
 * @param {string} list the label of the tabs
 * @param {string} tab
 */
export async function clickTab(page, list, tab) {
  await page.click(`[role="tablist"][aria-label="${list}"] [data-tab="${tab}"]`);
}

/** @param {Page} page */
async function selectAll(page) {
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
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
  await selectAll(page);
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

/**
 * Replaces the text of an editor by pasting.
 *
 * @param {Page} page
 * @param {string} selector
 * @param {string} text
 */
export async function paste(page, selector, text) {
  await page.click(`${selector} .cm-content`);
  await selectAll(page);
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const options = { bubbles: true, cancelable: true };
    const made = new ClipboardEvent("paste", { ...options, clipboardData });
    // Firefox takes the text itself.
    const own = /** @type {ClipboardEventInit} */ ({ ...options, dataType: "text/plain", data: pasted });
    const isWhole = made.clipboardData?.getData("text/plain") === pasted;
    document.activeElement?.dispatchEvent(isWhole ? made : new ClipboardEvent("paste", own));
  }, text);
}

/**
 * Replaces what a field holds.
 *
 * @param {Page} page
 * @param {string} label
 * @param {string} text
 */
export async function fill(page, label, text) {
  await page.click(`input[aria-label="${label}"]`, { count: 3 });
  await page.keyboard.type(text);
}
