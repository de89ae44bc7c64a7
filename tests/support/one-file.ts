// Built programs and packages as one file each, for tests that start many processes: Node takes several times as long to load
// hundreds of modules.

import { existsSync, readFileSync, renameSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ROOT } from "./workspace.js";

/**
 * A module with everything that it imports, in a file that this run of the tests keeps. The parts know their places as before,
 * so that they find workers, native libraries and other files.
 *
 * @param entry a built module, relative to the root of the workspace
 * @param options `movable`: the file is copied to another place, around which its parts know theirs
 * @returns the path of the file
 */
export async function oneFile(entry: string, { movable = false } = {}): Promise<string> {
  const name = `${movable ? "movable-" : ""}${entry.replaceAll("/", "-")}`;
  const file = join(process.env.MM_PTX_TEST_PROGRAMS!, name.replace(/\.js$/, ".mjs"));
  if (existsSync(file)) return file;
  // Another process may make the same file.
  const unfinished = `${file}.${process.pid}`;
  const placeOf = (path: string): string => {
    if (!movable) return JSON.stringify(pathToFileURL(path).href);
    const from = relative(dirname(join(ROOT, entry)), path);
    return `new URL(${JSON.stringify(from)}, import.meta.url).href`;
  };
  await build({
    entryPoints: [join(ROOT, entry)],
    outfile: unfinished,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
    // Dependencies in the older form load Node's modules with it.
    banner: { js: 'globalThis.require = process.getBuiltinModule("module").createRequire(import.meta.url);' },
    plugins: [
      {
        name: "places",
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.js$/ }, ({ path }) => ({
            contents: readFileSync(path, "utf8").replaceAll("import.meta.url", placeOf(path)),
          })),
      },
    ],
  });
  renameSync(unfinished, file);
  return file;
}
