// What belongs into a package's `dist/`: the files that the compiler makes of `src/`, and no others. `tsc -b` never
// deletes, so what it made of a source that is gone stays there, and would be packed.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "./workspace.mjs";

/**
 * The source that the compiler makes a file of `dist/` from.
 *
 * @param {string} path in the package, for example `dist/emit/text.d.ts.map`
 * @returns {string | undefined} for example `src/emit/text.ts`; `undefined` for what the compiler does not make
 */
export function sourceOf(path) {
  const match = /^dist\/(.+?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(path);
  return match === null ? undefined : `src/${match[1]}.ts`;
}

/**
 * The files that the sources of a package become.
 *
 * @param {string} root
 * @param {string} folder of the package, relative to `root` as what is returned
 */
export function expectedOutputs(root, folder) {
  const sources = listFiles(root, `${folder}/src`, (path) => /(?<!\.d)\.ts$/.test(path));
  return sources.map((path) => path.replace(`${folder}/src/`, `${folder}/dist/`).replace(/\.ts$/, ".js"));
}

/**
 * The files of a package's `dist/` whose source is gone.
 *
 * @param {string} root
 * @param {string} folder of the package, relative to `root` as what is returned
 */
export function orphans(root, folder) {
  return listFiles(root, `${folder}/dist`, (path) => {
    const source = sourceOf(path.slice(folder.length + 1));
    return source !== undefined && !existsSync(join(root, folder, source));
  });
}
