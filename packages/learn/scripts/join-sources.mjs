// Joins the C sources in native/learn into one, which the package has in dist/c with the headers and the example. An argument names
// another folder for the results.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const sources = join(root, "native/learn");
const results = resolve(process.argv[2] ?? join(root, "packages/learn/dist/c"));

const SOURCE = "mmptx_learn.c";
const HEADER = "mmptx_learn.h";
const INCLUDE = /^#include (?:"([^"]+)"|(<[^>]+>))\n/gm;
/** What guards a header against being included twice. */
const GUARD = /^#ifndef (\w+_H)\n#define \1\n\n?/m;

/** The names that need not be included again. */
const included = new Set();

/**
 * A file with the files that it includes; `mmptx_learn.c` still includes itself and its header.
 *
 * @returns {string}
 */
function joined(/** @type {string} */ file) {
  let text = readFileSync(join(sources, file), "utf8");
  const [guard] = GUARD.exec(text) ?? [];
  if (guard !== undefined) {
    included.add(file);
    text = text.replace(guard, "").replace(/\n#endif\n$/, "");
  }
  return text.trimEnd().replace(INCLUDE, (line, /** @type {string | undefined} */ own, system) => {
    if (own === SOURCE || own === HEADER) return line;
    if (included.has(own ?? system)) return "";
    if (own !== undefined) return `/* --- ${own} */\n\n${joined(own)}\n`;
    included.add(system);
    return line;
  });
}

const { version, homepage } = JSON.parse(readFileSync(join(root, "packages/learn/package.json"), "utf8"));
const [repository] = homepage.split("/tree/");
const copyright = /^Copyright .*$/m.exec(readFileSync(join(root, "LICENSE"), "utf8"))?.[0];
const head = `/* mmptx_learn ${version}. ${copyright}, MIT License.
 * Made from the files in native/learn of ${repository}; change those instead of this one. */\n`;

mkdirSync(results, { recursive: true });
writeFileSync(join(results, SOURCE), `${head}\n${joined(SOURCE)}\n`);
for (const file of [HEADER, "mmptx_learn.hpp", "example.c"])
  copyFileSync(join(sources, file), join(results, file));
