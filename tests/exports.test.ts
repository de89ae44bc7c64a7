// Pins the exported names of every published package, types included, so that adding or losing one is a
// decision. `UPDATE_GOLDENS=1 npm test -- tests/exports.test.ts` rewrites the list.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type ts from "typescript";
import { expect, it } from "vitest";
import { typescript } from "./support/typescript.js";
import { moduleEntries, packagesIn, ROOT, readManifest } from "./support/workspace.js";

const GOLDEN = join(ROOT, "tests/goldens/exports.json");

const PUBLISHED = packagesIn("packages").filter((folder) => readManifest(folder).private !== true);

/** Exported names by import specifier, read from the built declarations; types are marked. */
function exportedNames(): Record<string, string[]> {
  const declarations = new Map<string, string>();
  for (const folder of PUBLISHED) {
    for (const [subpath, source] of moduleEntries(folder)) {
      const specifier = readManifest(folder).name + subpath.slice(1);
      const file = source.replace("/src/", "/dist/").replace(/\.ts$/, ".d.ts");
      expect(existsSync(join(ROOT, file)), `expected ${specifier} to be built, found no ${file}`).toBe(true);
      declarations.set(specifier, join(ROOT, file));
    }
  }
  const program = typescript.createProgram([...declarations.values()], {
    module: typescript.ModuleKind.NodeNext,
    moduleResolution: typescript.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const names = [...declarations].map(([specifier, file]): [string, string[]] => {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(file)!);
    const exported = symbol === undefined ? [] : checker.getExportsOfModule(symbol);
    return [specifier, exported.map((one) => (isValue(checker, one) ? one.name : `type ${one.name}`)).sort()];
  });
  return Object.fromEntries(names.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A class that is exported with `export type` can only be imported as a type. */
function isValue(checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
  const typeOnly = symbol.declarations?.some(
    (declaration) =>
      typescript.isExportSpecifier(declaration) && typescript.isTypeOnlyExportDeclaration(declaration),
  );
  if (typeOnly) return false;
  const target = symbol.flags & typescript.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return (target.flags & typescript.SymbolFlags.Value) !== 0;
}

const found = exportedNames();

it("every package exports the names that the golden lists", () => {
  if (process.env.UPDATE_GOLDENS === "1") {
    mkdirSync(dirname(GOLDEN), { recursive: true });
    writeFileSync(GOLDEN, `${JSON.stringify(found, null, 2)}\n`);
  }
  expect(found).toEqual(JSON.parse(readFileSync(GOLDEN, "utf8")));
});

it("every value in the declarations is exported", async () => {
  const missing: string[] = [];
  for (const folder of PUBLISHED) {
    for (const [subpath, source] of moduleEntries(folder)) {
      const specifier = readManifest(folder).name + subpath.slice(1);
      const built = join(ROOT, source.replace("/src/", "/dist/").replace(/\.ts$/, ".js"));
      const module: Record<string, unknown> = await import(built);
      const promised = found[specifier] ?? [];
      missing.push(
        ...promised
          .filter((name) => !name.startsWith("type ") && !(name in module))
          .map((name) => `${specifier}: ${name}`),
      );
    }
  }
  expect(missing).toEqual([]);
});
