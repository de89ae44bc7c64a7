// Tries the binaries for another platform on this machine: @mm-ptx/cuda with that platform's package and with the compiler
// library that a clone builds.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "./console.mjs";
import { withEmulated } from "./emulators.mjs";
import { putCompilerBeside, withCopies } from "./installed.mjs";
import { ROOT } from "./workspace.mjs";

/** @typedef {import("./pack.mjs").Packed} Packed */

/**
 * @param {string} platform one that can be emulated here
 * @param {Packed} cuda
 * @param {readonly Packed[]} all
 * @param {string} compiler the path of the compiler library for that platform
 * @returns {Promise<string[]>} problems
 */
export function checkEmulated(platform, cuda, all, compiler) {
  return withCopies(cuda, all, async (folder) => {
    putCompilerBeside(folder, platform, compiler);
    const file = join(folder, "compile.mjs");
    writeFileSync(file, readFileSync(join(ROOT, "scripts/lib/try-compile.mjs")));
    return withEmulated(platform, folder, async (run, { backends }) => {
      say(await run(file, backends));
      return [];
    });
  });
}
