// Private members of classes use `#name`, which also hides them at run time. TypeScript's `private` is for
// constructors, which have no alternative.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type ts from "typescript";
import { expect, it } from "vitest";
import { typescript } from "./support/typescript.js";
import { packagesIn, ROOT, sourcesIn } from "./support/workspace.js";

const FOLDERS = [...packagesIn("packages").map((folder) => `${folder}/src`), ...packagesIn("apps")];

/** The places of `private` members and of constructor parameters that make such members. */
function privateMembers(path: string, text: string): string[] {
  // Parsing takes long, and few files have the word.
  if (!/\bprivate\b/.test(text)) return [];
  const file = typescript.createSourceFile(path, text, typescript.ScriptTarget.ES2022, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isMember = typescript.isClassElement(node) && !typescript.isConstructorDeclaration(node);
    if (isMember || typescript.isParameter(node)) {
      const modifiers = typescript.canHaveModifiers(node) ? typescript.getModifiers(node) : undefined;
      if (modifiers?.some(({ kind }) => kind === typescript.SyntaxKind.PrivateKeyword))
        found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    typescript.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

it("no member is declared with `private`", () => {
  const files = FOLDERS.flatMap((folder) => sourcesIn(folder));
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => privateMembers(file, readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
});

it("the check finds fields, methods and parameters, but not constructors", () => {
  const text =
    "class A {\n  private a = 1;\n  private constructor(private b: number) {}\n  private c() {}\n  #d = 2;\n}";
  expect(privateMembers("a.ts", text)).toEqual(["a.ts:2", "a.ts:3", "a.ts:4"]);
});
