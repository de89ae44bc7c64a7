// Whatever `using` disposes can also be disposed by a method, for JavaScript without `using`: `dispose`
// beside `[Symbol.dispose]`, `disposeAsync` beside `[Symbol.asyncDispose]`.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type ts from "typescript";
import { expect, it } from "vitest";
import { listFiles } from "../scripts/lib/workspace.mjs";
import { typescript } from "./support/typescript.js";
import { packagesIn, ROOT, sourcesIn } from "./support/workspace.js";

const METHODS = new Map([
  ["[Symbol.dispose]", "dispose"],
  ["[Symbol.asyncDispose]", "disposeAsync"],
]);

interface Owner {
  readonly name: string;
  readonly members: readonly string[];
}

/** The classes of a file, with the names of their members. */
function classesOf(file: string): Owner[] {
  const source = typescript.createSourceFile(
    file,
    readFileSync(join(ROOT, file), "utf8"),
    typescript.ScriptTarget.Latest,
  );
  const found: Owner[] = [];
  const visit = (node: ts.Node): void => {
    if (typescript.isClassLike(node)) {
      const members = node.members.flatMap((member) => member.name?.getText(source) ?? []);
      found.push({ name: `${file}: ${node.name?.text ?? "a class"}`, members });
    }
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const CLASSES = ["packages", "apps"].flatMap((parent) =>
  packagesIn(parent).flatMap((folder) => sourcesIn(`${folder}/src`).flatMap(classesOf)),
);

it.each([...METHODS])("every class with %s has %s", (symbol, method) => {
  const owners = CLASSES.filter(({ members }) => members.includes(symbol));
  expect(owners).not.toEqual([]);
  expect(owners.filter(({ members }) => !members.includes(method)).map(({ name }) => name)).toEqual([]);
  const unlike = CLASSES.filter(
    ({ members }) => members.includes("disposeAsync") && !members.includes("[Symbol.asyncDispose]"),
  );
  expect(unlike.map(({ name }) => name)).toEqual([]);
});

it("documents dispose of objects by `using` or by a method", () => {
  const documents = listFiles(ROOT, ".", (path) => path.endsWith(".md") && !path.includes("node_modules/"));
  expect(documents.length).toBeGreaterThan(10);
  const wrong = documents.filter((file) =>
    /\[Symbol\.(d|asyncD)ispose\]\(/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(wrong).toEqual([]);
});
