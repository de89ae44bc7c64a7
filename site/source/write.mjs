// Writes the source of the site into an ignored folder: each document as the page that it is, with the address of
// its document, and the pictures that documents show.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../../scripts/lib/workspace.mjs";
import { pictureFile, REPOSITORY } from "./links.mjs";
import { PICTURES } from "./markdown.mjs";
import { pageOf, SOURCES } from "./pages.mjs";

/** The folder of the site's source. */
export const GENERATED = join(ROOT, "site/.generated");

/** Pictures in Markdown, and in the blocks of pages that only the site has. */
const PICTURE = /!\[[^\]]*\]\(([^)\s]+)[^)]*\)/g;

export function writeDocuments() {
  rmSync(GENERATED, { recursive: true, force: true });
  for (const source of SOURCES) {
    const text = readFileSync(join(ROOT, source), "utf8");
    write(join(GENERATED, pageOf(source)), withSource(text, source));
    for (const [, target = ""] of text.matchAll(PICTURE)) {
      const file = pictureFile(target, source);
      if (file === undefined) continue;
      const to = join(GENERATED, "public", PICTURES, file);
      mkdirSync(dirname(to), { recursive: true });
      cpSync(join(ROOT, file), to);
    }
  }
}

/**
 * @param {string} text
 * @param {string} source
 */
function withSource(text, source) {
  const line = `source: ${REPOSITORY}/blob/main/${source}\n`;
  return text.startsWith("---\n") ? text.replace("---\n", `---\n${line}`) : `---\n${line}---\n\n${text}`;
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
