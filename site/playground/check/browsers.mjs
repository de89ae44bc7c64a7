// The browsers that the tests run in, if they are installed.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import puppeteer from "puppeteer-core";

/**
 * @typedef {object} Installed
 * @property {"Chromium" | "Firefox"} name
 * @property {string} path
 */

/** @type {Readonly<Record<Installed["name"], readonly string[]>>} */
const PROGRAMS = {
  Chromium: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"],
  Firefox: ["firefox-esr", "firefox"],
};

/**
 * The browsers on PATH, with a note for each one that is missing.
 *
 * @param {string} [path]
 * @returns {{ found: Installed[], missing: string[] }}
 */
export function findBrowsers(path = process.env.PATH ?? "") {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  /** @type {Installed[]} */
  const found = [];
  /** @type {string[]} */
  const missing = [];
  for (const name of /** @type {Installed["name"][]} */ (Object.keys(PROGRAMS))) {
    const file = PROGRAMS[name]
      .flatMap((program) => folders.map((folder) => join(folder, program)))
      .find(existsSync);
    if (file === undefined) missing.push(name);
    else found.push({ name, path: file });
  }
  return { found, missing };
}

/** The milliseconds that a browser may take to start on a busy machine. */
const START = 120_000;

/**
 * @param {Installed} browser
 * @returns {Promise<import("puppeteer-core").Browser>}
 */
export async function openBrowser({ name, path }) {
  if (name === "Firefox") {
    return await puppeteer.launch({
      browser: "firefox",
      protocol: "webDriverBiDi",
      executablePath: path,
      headless: true,
      timeout: START,
      // The page copies its link.
      extraPrefsFirefox: { "dom.events.testing.asyncClipboard": true },
    });
  }
  // Chromium's own sandbox does not start for root, as in most containers.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return await puppeteer.launch({ executablePath: path, headless: true, timeout: START, args });
}
