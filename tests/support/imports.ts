// What source files import, and what loading them reaches.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import type ts from "typescript";
import { typescript } from "./typescript.js";
import { ROOT } from "./workspace.js";

export interface Import {
  /** The specifier as written, for example `@mm-ptx/types/core`. */
  readonly specifier: string;
  readonly line: number;
  /** Whether the import disappears when compiled. */
  readonly typeOnly: boolean;
  /** Whether the import is dynamic. */
  readonly later: boolean;
}

const known = new Map<string, readonly Import[]>();

/** Everything that a file imports or re-exports, dynamic imports of a constant included. Each file is read once. */
export function importsOf(file: string): readonly Import[] {
  let imports = known.get(file);
  if (imports === undefined) {
    imports = readImports(file);
    known.set(file, imports);
  }
  return imports;
}

/** Whether a file may import something elsewhere than in a statement of its own. */
const IMPORTS_BELOW = /\bimport\s*(?:[(.]|\/[*/])|\brequire\b|\bdeclare\s+(?:module|namespace|global)\b/;

function readImports(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest);
  const isDeep = IMPORTS_BELOW.test(text);
  const found: Import[] = [];
  const add = (node: ts.Expression, typeOnly: boolean, later = false) => {
    if (!typescript.isStringLiteralLike(node)) return;
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    found.push({ specifier: node.text, line, typeOnly, later });
  };
  const visit = (node: ts.Node) => {
    if (typescript.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === typescript.SyntaxKind.TypeKeyword);
    } else if (typescript.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      add(node.moduleSpecifier, node.isTypeOnly);
    } else if (typescript.isImportTypeNode(node) && typescript.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal as ts.Expression, true);
    } else if (
      typescript.isCallExpression(node) &&
      node.expression.kind === typescript.SyntaxKind.ImportKeyword
    ) {
      if (node.arguments[0] !== undefined) add(node.arguments[0], false, true);
    } else if (
      typescript.isCallExpression(node) &&
      /^(require|import\.meta)(\.resolve)?$/.test(node.expression.getText(source))
    ) {
      if (node.arguments[0] !== undefined) add(node.arguments[0], false);
    }
    if (isDeep) typescript.forEachChild(node, visit);
  };
  source.statements.forEach(visit);
  return found;
}

/** The package that a bare specifier names: `@mm-ptx/types/core` is of `@mm-ptx/types`. */
export function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** All source files that loading `entry` loads at run time in its own package, at once or also later. */
export function reachableFrom(entry: string, when: "at once" | "ever" = "ever"): string[] {
  const seen = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file) || !existsSync(join(ROOT, file))) continue;
    seen.add(file);
    for (const { specifier, typeOnly, later } of importsOf(file)) {
      if (
        typeOnly ||
        (later && when === "at once") ||
        !specifier.startsWith(".") ||
        specifier.endsWith(".json")
      )
        continue;
      waiting.push(posix.join(dirname(file), specifier).replace(/\.js$/, ".ts"));
    }
  }
  return [...seen].sort();
}
