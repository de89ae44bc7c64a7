// Checks the declarations of all packages together, because starting a compiler takes longer than most of them: as a
// program reads them under both kinds of module resolution, and as the oldest supported TypeScript reads them in a program for
// Node, without the DOM library. Each package finds what it declares alone.

import { execFile } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { specifiersOf, withAllInstalled } from "./installed.mjs";
import { ROOT } from "./workspace.mjs";

/** @typedef {import("./pack.mjs").Packed} Packed */

const execute = promisify(execFile);

/** TypeScript's own declarations are the larger part of what it would check otherwise. */
const STRICT = [
  ...["--strict", "--noEmit", "--exactOptionalPropertyTypes", "--skipDefaultLibCheck", "--pretty", "false"],
  ...["--target", "es2022"],
];
const NODENEXT = ["--module", "nodenext", "--moduleResolution", "nodenext"];
const NEW = ["--ignoreConfig", "--lib", "es2022,dom", "--types", ""];

/** The compilers, with their options. */
const COMPILERS = {
  nodenext: { tsc: "typescript-native", words: [...NEW, ...NODENEXT] },
  bundler: {
    tsc: "typescript-native",
    words: [...NEW, "--module", "esnext", "--moduleResolution", "bundler"],
  },
  "the oldest": {
    tsc: "typescript-oldest",
    words: ["--lib", "es2022", "--types", "node", ...NODENEXT],
    hasNode: true,
  },
};

/**
 * @param {readonly Packed[]} all every packed package
 * @returns {Promise<[string, string[]][]>} the problems by compiler
 */
export async function checkDeclarations(all) {
  /** @type {[string, string[]][]} */
  const found = [];
  for (const [name, compiler] of Object.entries(COMPILERS)) {
    found.push([`TypeScript, ${name}`, await problemsWith({ hasNode: false, ...compiler }, all)]);
  }
  return found;
}

/**
 * @param {{ tsc: string, words: string[], hasNode: boolean }} compiler
 * @param {readonly Packed[]} all
 */
function problemsWith({ tsc, words, hasNode }, all) {
  return withAllInstalled(all, all, async (folder) => {
    if (hasNode) {
      const place = join(folder, "node_modules/@types");
      mkdirSync(place, { recursive: true });
      symlinkSync(realpathSync(join(ROOT, "node_modules/@types/node")), join(place, "node"), "dir");
    }
    const lines = all
      .flatMap((packed) => specifiersOf(packed).modules)
      .map((specifier, index) => `export * as m${index} from ${JSON.stringify(specifier)};`);
    writeFileSync(join(folder, "imports.ts"), `${lines.join("\n")}\n`);
    const program = join(ROOT, "node_modules", tsc, "bin/tsc");
    const ended = await execute(process.execPath, [program, ...STRICT, ...words, "imports.ts"], {
      cwd: folder,
    }).catch((error) => error);
    return ended.code === undefined
      ? []
      : String(ended.stdout || ended.message)
          .trim()
          .split("\n");
  });
}
