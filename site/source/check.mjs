// Checks the built site as static files: every link of every page leads to a file of the site and, if it names a
// place, to an element with that name. Addresses of other sites are not opened.

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../../scripts/lib/workspace.mjs";

/**
 * @param {string} text
 * @param {RegExp} attribute
 */
const values = (text, attribute) => [...text.matchAll(attribute)].map(([, value = ""]) => unescaped(value));

/** @param {string} value */
const unescaped = (value) =>
  value
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

/**
 * @param {string} folder of the built site
 * @param {string} base the path under which it is served, such as `/` or `/mm-ptx/`
 * @param {{ leaveOut?: RegExp }} [options] `leaveOut`: addresses below `base` that this build does not have
 * @returns {{ page: string, problems: string[] }[]} every page, in the order of their names
 */
export function checkSite(folder, base, { leaveOut } = {}) {
  const pages = listFiles("/", folder, (name) => name.endsWith(".html")).map((name) => `/${name}`);
  /** @type {Map<string, Set<string>>} */
  const places = new Map();
  const placesOf = (/** @type {string} */ file) => {
    let found = places.get(file);
    if (found === undefined) {
      found = new Set(values(readFileSync(file, "utf8"), /\sid="([^"]*)"/g));
      places.set(file, found);
    }
    return found;
  };
  return pages.map((file) => {
    const page = file.slice(folder.length + 1);
    const text = readFileSync(file, "utf8");
    const targets = new Set(values(text, /<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g));
    const problems = [...targets].flatMap((target) => {
      const problem = problemOf(target);
      return problem === undefined ? [] : [`\`${target}\`: ${problem}`];
    });
    return { page, problems };

    /** @param {string} target */
    function problemOf(target) {
      const { origin, pathname, hash } = new URL(target, `http://site.invalid${base}${page}`);
      if (origin !== "http://site.invalid") return undefined;
      if (!pathname.startsWith(base)) return `expected an address below \`${base}\``;
      const path = `/${decodeURIComponent(pathname.slice(base.length))}`;
      if (leaveOut?.test(path)) return undefined;
      const named = join(folder, path);
      const found = existsSync(named) && statSync(named).isDirectory() ? join(named, "index.html") : named;
      if (!existsSync(found)) return "there is no such file";
      if (hash.length > 1 && !placesOf(found).has(decodeURIComponent(hash.slice(1)))) {
        return "the page has no such place";
      }
      return undefined;
    }
  });
}
