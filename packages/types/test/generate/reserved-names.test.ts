// Names of a description may be any word, including reserved words and every name that generated files use
// themselves. The words are extracted from generated code, so that names added there are tried here too.

import { afterAll, beforeAll, expect, it } from "vitest";
import { typescript } from "../../../../tests/support/typescript.js";
import {
  generateCHeader,
  generatePython,
  generateTypeScript,
  generateTypeScriptModules,
} from "../../src/index.js";
import { GeneratedFolder, isOnPath } from "../support/generated.js";
import { stackTableOf, tablesOf } from "../support/tables.js";

let folder: GeneratedFolder;
beforeAll(() => {
  folder = new GeneratedFolder();
});
afterAll(() => folder.remove());

const KEYWORDS = Array.from(
  { length: typescript.SyntaxKind.LastKeyword - typescript.SyntaxKind.FirstKeyword + 1 },
  (_, at) => String(typescript.tokenToString(typescript.SyntaxKind.FirstKeyword + at)),
);
const GLOBALS = ["arguments", "eval", "exports", "globalThis", "module", "require"];

/** A table with an encoder of each kind. */
const small = stackTableOf(["A", "B", "C"]);
const ALL_KINDS = {
  ...small,
  stackTypes: small.stackTypes.map((type, at) => ({
    ...type,
    constantType: (["f32", "s32", "u32"] as const)[at]!,
  })),
};

/** The words of texts, each once however it is written. */
function wordsOf(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []);
  return [...new Map([...words, ...KEYWORDS, ...GLOBALS].map((word) => [plain(word), word])).values()];
}

const plain = (word: string) => word.replaceAll("_", "").toLowerCase();

it("TypeScript takes every word", async () => {
  const generated = [generateTypeScript(ALL_KINDS), ...Object.values(generateTypeScriptModules(ALL_KINDS))];
  // `deepFreeze` as DEEP_FREEZE, which becomes that again.
  const names = wordsOf(generated).map((word) => word.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase());
  expect(names).toEqual(expect.arrayContaining(["DEEP_FREEZE", "META_OF_ANY", "CONSTANT_BITS", "YIELD"]));

  const files = tablesOf(names).flatMap((table, at) => {
    folder.write(`${at}.ts`, generateTypeScript(table));
    const modules = Object.entries(generateTypeScriptModules(table));
    return [
      `${at}.ts`,
      ...modules.map(([name, text]) => {
        folder.write(`${at}/${name}`, text);
        return `${at}/${name}`;
      }),
    ];
  });
  expect(folder.typeErrors(...files)).toEqual([]);
  const [one, several] = await Promise.all(
    ["0.js", "0/index.js"].map((file) => import(`${folder.path}/${file}`)),
  );
  expect(Object.keys(one).sort()).toEqual(Object.keys(several).sort());
  expect(one.metaOfAny_(1)).toEqual(several.metaOfAny_(1));
});

it.skipIf(!isOnPath("gcc"))("C takes every word", () => {
  const names = wordsOf([generateCHeader(ALL_KINDS, { prefix: "p" })]);
  const includes = tablesOf(names).map((table, at) => {
    folder.write(`p${at}.h`, generateCHeader(table, { prefix: "p" }));
    folder.write(`p${at}.c`, `#include "p${at}.h"\nint main(void) { return 0; }\n`);
    return `p${at}.c`;
  });
  for (const file of includes)
    folder.run("gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", file);
});

it.skipIf(!isOnPath("python3"))("Python takes every word", () => {
  const names = wordsOf([generatePython(ALL_KINDS)]);
  const modules = tablesOf(names).map((table, at) => {
    folder.write(`m${at}.py`, generatePython(table));
    return `m${at}`;
  });
  const calls = "assert m0.input(1) != m0.meta_constant(1) != m1.routine(1, 1)";
  folder.run("python3", "-B", "-W", "error", "-c", `import ${modules.join(", ")}\n${calls}`);
});
