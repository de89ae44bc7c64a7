// The workspace as its tests see it: the packages with their manifests, their sources, and their imports.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const ROOT = resolve(fileURLToPath(new URL("../..", import.meta.url)));

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly man?: readonly string[];
  readonly files?: readonly string[];
  readonly private?: boolean;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly bin?: Record<string, string>;
  /** The operating systems of a platform package. */
  readonly os?: readonly string[];
  readonly exports?: Record<string, string | Record<string, string>>;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

export interface Import {
  /** The specifier as written, for example `@mm-ptx/types/core`. */
  readonly specifier: string;
  readonly line: number;
  /** Whether the import disappears when compiled. */
  readonly typeOnly: boolean;
  /** Whether the import is dynamic. */
  readonly later: boolean;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
}

/** Folders directly below `parent` that are packages, for example `packages/stack`. */
export function packagesIn(parent: string): string[] {
  if (!existsSync(join(ROOT, parent))) return [];
  return readdirSync(join(ROOT, parent))
    .map((name) => posix.join(parent, name))
    .filter((folder) => existsSync(join(ROOT, folder, "package.json")))
    .sort();
}

/** The source files below a folder, relative to the root. */
export function sourcesIn(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mts|js|mjs)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
    .sort();
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

function readImports(file: string): Import[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: Import[] = [];
  const add = (node: ts.Expression, typeOnly: boolean, later = false) => {
    if (!ts.isStringLiteralLike(node)) return;
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push({ specifier: node.text, line, typeOnly, later });
  };
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      add(node.moduleSpecifier, node.isTypeOnly);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal as ts.Expression, true);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      if (node.arguments[0] !== undefined) add(node.arguments[0], false, true);
    } else if (
      ts.isCallExpression(node) &&
      /^(require|import\.meta)(\.resolve)?$/.test(node.expression.getText())
    ) {
      if (node.arguments[0] !== undefined) add(node.arguments[0], false);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
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

/** The entries of a package that are modules, by subpath: `.` to `packages/stack/src/index.ts`. */
export function moduleEntries(folder: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const [subpath, target] of Object.entries(readManifest(folder).exports ?? {})) {
    const file = typeof target === "string" ? target : target.types;
    if (file?.endsWith(".d.ts")) {
      entries.set(
        subpath,
        posix
          .join(folder, file)
          .replace("/dist/", "/src/")
          .replace(/\.d\.ts$/, ".ts"),
      );
    }
  }
  return entries;
}
