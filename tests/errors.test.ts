// docs/errors.md lists every code of every error class, and no other.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packagesIn, ROOT, readManifest, sourcesIn } from "./support/workspace.js";

/** Codes by the heading that they stand under: the class and its package. */
function codesInSources(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const folder of packagesIn("packages")) {
    const texts = sourcesIn(`${folder}/src`).map((file) => readFileSync(join(ROOT, file), "utf8"));
    for (const [, name, code] of texts.join("\n").matchAll(/class (\w+) extends MmPtxError<([^>]+)>/g)) {
      const union = code!.startsWith('"') ? code! : unionNamed(code!, texts);
      const codes = [...union.matchAll(/"(\w+)"/g)].map((match) => match[1]!);
      found.set(`\`${name}\` of \`${readManifest(folder).name}\``, codes.sort());
    }
  }
  return found;
}

function unionNamed(name: string, texts: readonly string[]): string {
  const declaration = new RegExp(`type ${name} =([^;]*);`).exec(texts.join("\n"));
  expect(declaration, `expected a type ${name}`).not.toBeNull();
  return declaration![1]!;
}

function codesInDocument(): Map<string, string[]> {
  const sections = readFileSync(join(ROOT, "docs/errors.md"), "utf8").split(/^## /m).slice(1);
  return new Map(
    sections.map((section): [string, string[]] => {
      const heading = section.slice(0, section.indexOf("\n"));
      return [heading, [...section.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]!).sort()];
    }),
  );
}

it("docs/errors.md lists the codes of every error class", () => {
  const sorted = (codes: Map<string, string[]>) => Object.fromEntries([...codes].sort());
  expect(sorted(codesInDocument())).toEqual(sorted(codesInSources()));
});
