// Loads the addon, and the compiler library if it is also named; exits with 1 and the loader's message if one
// cannot be loaded. This is a process of its own, because a corrupt library may crash its process.

import { createRequire } from "node:module";

const [addonPath = "", libraryPath] = process.argv.slice(2);
try {
  const addon = createRequire(import.meta.url)(addonPath);
  if (libraryPath !== undefined) addon.openLibrary(libraryPath);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
