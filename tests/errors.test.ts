// docs/errors.md lists exactly the codes of every error class, and a test expects each of them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { COMMAND_CODES, commandHelp } from "../packages/cli/dist/help.js";
import { PtxCompileError } from "../packages/cuda/dist/index.js";
import { CAUSES } from "../packages/cuda/dist/ptx/hints.js";
import { findingsSarif } from "../packages/emulator/dist/view/index.js";
import { PtxError } from "../packages/ptx/dist/index.js";
import { MmPtxError } from "../packages/types/dist/core/index.js";
import { errorHelp } from "../packages/types/dist/internal/index.js";
import { packagesIn, ROOT, readManifest, sourcesIn } from "./support/workspace.js";

interface Sarif {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly helpUri: string }[] } };
  }[];
}

interface ErrorClass {
  readonly name: string;
  /** The folder of the class's package. */
  readonly folder: string;
  readonly codes: readonly string[];
}

function errorClasses(): ErrorClass[] {
  const found: ErrorClass[] = [];
  for (const folder of packagesIn("packages")) {
    const texts = sourcesIn(`${folder}/src`).map((file) => readFileSync(join(ROOT, file), "utf8"));
    for (const [, name, code] of texts
      .join("\n")
      .matchAll(/class (\w+) extends (?:MmPtx|Tool)Error<([^,>]+)/g)) {
      found.push({ name: name!, folder, codes: codesOf(code!, texts).sort() });
    }
  }
  return found;
}

/** The codes of a union, or of a named one; the members of a union may be other unions. */
function codesOf(code: string, texts: readonly string[]): string[] {
  const members = code.replace(/\/\*.*?\*\//gs, "").match(/"?\w+/g) ?? [];
  return members.flatMap((member) =>
    member.startsWith('"') ? [member.slice(1)] : codesOf(unionNamed(member, texts), texts),
  );
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
      return [
        heading,
        [...section.matchAll(/^\| <a id="\S+"><\/a>`(\w+)` \|/gm)].map((match) => match[1]!).sort(),
      ];
    }),
  );
}

const CLASSES = errorClasses();

/** The address that an error or a finding links to, as a document and an anchor of this repository. */
function placeIn(address: string): readonly [document: string, anchor: string] {
  const documents = `${WEB}/blob/main/`;
  expect(address.startsWith(documents)).toBe(true);
  const [document = "", anchor = ""] = address.slice(documents.length).split("#");
  return [document, anchor];
}

const WEB = readManifest(".").repository!.url.replace(/^git\+(.*)\.git$/, "$1");
const anchorsIn = (document: string): readonly string[] =>
  [...readFileSync(join(ROOT, document), "utf8").matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id!);

it("docs/errors.md lists the codes of every error class", () => {
  const inSources = CLASSES.map(({ name, folder, codes }) => [
    `\`${name}\` of \`${readManifest(folder).name}\``,
    codes,
  ]);
  inSources.push(["Command lines", [...COMMAND_CODES].sort()]);
  expect(Object.fromEntries(codesInDocument())).toEqual(Object.fromEntries(inSources));
});

it("the help of every code, hint and finding is a place of the documents", () => {
  const { rules } = (findingsSarif([]) as Sarif).runs[0]!.tool.driver;
  const addresses = [
    ...CLASSES.flatMap(({ name, codes }) => codes.map((code) => errorHelp(name, code))),
    ...COMMAND_CODES.map(commandHelp),
    ...CAUSES.map(({ name }) => new PtxCompileError("SYNTAX", "", { hint: "", hintName: name }).help!),
    ...rules.map(({ helpUri }) => helpUri),
  ];
  const places = addresses.map(placeIn);
  const documents = [...new Set(places.map(([document]) => document))];
  expect(documents).toEqual(["docs/errors.md", "docs/hints.md", "docs/guide/emulator.md"]);
  const anchors = documents.flatMap((document) => anchorsIn(document).map((anchor) => [document, anchor]));
  expect(new Set(anchors.map(String)).size).toBe(anchors.length);
  // None leads to nothing, and none of the anchors is left over.
  expect(anchors.map(String).sort()).toEqual(places.map(String).sort());
});

it("an error knows the page that explains it, unless its class has none", () => {
  expect(new PtxError("SYNTAX", "").help).toBe(errorHelp("PtxError", "SYNTAX"));
  expect(new PtxCompileError("TIMEOUT", "").help).toBe(errorHelp("PtxCompileError", "TIMEOUT"));
  expect(new MmPtxError("OTHER", "").help).toBeUndefined();
});

it.each(CLASSES)("a test expects each code of $name", ({ folder, codes }) => {
  const files = [...sourcesIn(`${folder}/test`), ...sourcesIn("tests")];
  const texts = files.map((file) => readFileSync(join(ROOT, file), "utf8"));
  expect(codes.filter((code) => !texts.some((text) => text.includes(`"${code}"`)))).toEqual([]);
});

it("every error class has a fixed name", () => {
  const files = ["packages", "apps"].flatMap(packagesIn).flatMap((folder) => sourcesIn(`${folder}/src`));
  const texts = files.map((file) => readFileSync(join(ROOT, file), "utf8")).join("\n");
  const classes = [...texts.matchAll(/class (\w+) extends (?:MmPtx|Tool)Error<[^{]*\{\s*([^\n]*)/g)];
  expect(classes.length).toBeGreaterThan(CLASSES.length);
  for (const [, name, first] of classes) expect(first).toBe(`override readonly name: string = "${name}";`);
});

it("a minified program sees the names of errors", async () => {
  const contents = `
    import { PtxError, readModule } from "@mm-ptx/ptx";
    try { readModule(1); } catch (error) { console.log(PtxError.name, error.name); }`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(ROOT, "packages/inject") },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    write: false,
  });
  const lines: string[][] = [];
  new Function("console", outputFiles[0]!.text)({ log: (...words: string[]) => lines.push(words) });
  expect(lines[0]![0]).not.toBe("PtxError");
  expect(lines[0]![1]).toBe("PtxError");
});
