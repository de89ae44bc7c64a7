// Loads the addon, and with it the compiler library when that is named as well; ends with 1 and the loader's words when
// one can't be loaded. A process of its own, because a damaged library may take its process down.

import { createRequire } from "node:module";

const [addonPath = "", libraryPath] = process.argv.slice(2);
try {
  const addon = createRequire(import.meta.url)(addonPath);
  if (libraryPath !== undefined) addon.openLibrary(libraryPath);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
