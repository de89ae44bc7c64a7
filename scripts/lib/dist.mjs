// Determines which files belong into a package's `dist/`: those that the compiler makes from `src/`, and no
// others. `tsc -b` never deletes files, so the outputs of deleted sources would remain there and be packed.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "./workspace.mjs";

/**
 * The source of a file in `dist/`.
 *
 * @param {string} path in the package, for example `dist/emit/text.d.ts.map`
 * @returns {string | undefined} for example `src/emit/text.ts`; `undefined` if the compiler does not make
 * such a file
 */
export function sourceOf(path) {
  const match = /^dist\/(.+?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(path);
  return match === null ? undefined : `src/${match[1]}.ts`;
}

/**
 * The files in `dist/` that belong to the sources of a package.
 *
 * @param {string} root
 * @param {string} folder of the package, relative to `root` as what is returned
 */
export function expectedOutputs(root, folder) {
  const sources = listFiles(root, `${folder}/src`, (path) => /(?<!\.d)\.ts$/.test(path));
  return sources.map((path) => path.replace(`${folder}/src/`, `${folder}/dist/`).replace(/\.ts$/, ".js"));
}

/**
 * The files in a package's `dist/` whose source has been deleted.
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
