// Loads the built packages where tests import their sources, so that tests check what is published, Node loads it faster than Vite
// transforms TypeScript, and all tests of a process share one copy.

import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Plugin } from "vitest/config";
import { listFiles, packageFolders, ROOT } from "../../scripts/lib/workspace.mjs";

/** Packages whose sources changed after they were built. */
function outdated(): string[] {
  return packageFolders(ROOT).filter((folder) => {
    if (!folder.startsWith("packages/") || !existsSync(join(ROOT, folder, "tsconfig.json"))) return false;
    const record = join(ROOT, folder, "dist/tsconfig.tsbuildinfo");
    const built = existsSync(record) ? statSync(record).mtimeMs : 0;
    return listFiles(ROOT, `${folder}/src`, (file) => /\.tsx?$/.test(file)).some(
      (file) => statSync(join(ROOT, file)).mtimeMs > built,
    );
  });
}

/** Resolves imports of sources to what was built of them; does nothing if a package has changed since, so that no two versions meet. */
export function builtPackages(): Plugin[] {
  if (outdated().length > 0) return [];
  return [
    {
      name: "built-packages",
      enforce: "pre",
      resolveId(source, importer) {
        if (importer === undefined || !source.startsWith(".")) return undefined;
        const [, folder, file] =
          /^(.*\/packages\/[^/]+)\/src\/(.*)\.js$/.exec(resolve(dirname(importer), source)) ?? [];
        const built = `${folder}/dist/${file}.js`;
        return file !== undefined && existsSync(built) ? { id: built, external: true } : undefined;
      },
    },
  ];
}
