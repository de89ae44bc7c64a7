// Built programs and packages as one file each, for tests that start many processes: Node takes several times as long to load
// hundreds of modules.

import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ROOT } from "./workspace.js";

/**
 * A module with everything that it imports, in a file that this run of the tests keeps. The parts know their places as before,
 * so that they find workers, native libraries and other files.
 *
 * @param entry a built module, relative to the root of the workspace
 * @returns the path of the file
 */
export async function oneFile(entry: string): Promise<string> {
  const file = join(process.env.MM_PTX_TEST_PROGRAMS!, entry.replaceAll("/", "-").replace(/\.js$/, ".mjs"));
  if (existsSync(file)) return file;
  // Another process may make the same file.
  const unfinished = `${file}.${process.pid}`;
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
            contents: readFileSync(path, "utf8").replaceAll(
              "import.meta.url",
              JSON.stringify(pathToFileURL(path).href),
            ),
          })),
      },
    ],
  });
  renameSync(unfinished, file);
  return file;
}
