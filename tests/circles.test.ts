// Files import each other in one direction. With a circle of values, the value that a file sees depends on
// which file was loaded first; with a circle of types through several folders, none of them can be understood
// without the others.

import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { circlesOf, type ImportGraph } from "./support/circles.js";
import { importsOf } from "./support/imports.js";
import { packagesIn, sourcesIn } from "./support/workspace.js";

/** The imports of each source file below a folder that stay in the folder. */
function importsBelow(folder: string, which: "values" | "values and types"): ImportGraph {
  const files = sourcesIn(folder);
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const imported = importsOf(file)
        .filter(({ specifier, typeOnly }) => specifier.startsWith(".") && (which !== "values" || !typeOnly))
        .map(({ specifier }) => posix.join(posix.dirname(file), specifier))
        .map((path) => (known.has(path) ? path : path.replace(/\.js$/, ".ts")));
      return [file, [...new Set(imported)].filter((path) => known.has(path))];
    }),
  );
}

const isBetweenFolders = (from: string, to: string) => posix.dirname(from) !== posix.dirname(to);
const told = (circles: readonly (readonly string[])[]) => circles.map((circle) => circle.join(" -> "));

describe.each([...packagesIn("packages"), ...packagesIn("apps")])("in %s", (folder) => {
  it("no values are imported in a circle", () => {
    expect(told(circlesOf(importsBelow(`${folder}/src`, "values")))).toEqual([]);
  });

  it("no types are imported in a circle through several folders", () => {
    const imports = importsBelow(`${folder}/src`, "values and types");
    expect(told(circlesOf(imports, isBetweenFolders))).toEqual([]);
  });
});

describe("a circle is found", () => {
  const graph = (imports: Record<string, string>) =>
    new Map(Object.entries(imports).map(([file, all]) => [file, all.split(" ").filter(Boolean)]));

  it.each<[string, Record<string, string>, string[]]>([
    ["none in a tree", { a: "b c", b: "c", c: "" }, []],
    ["of a file with itself", { a: "a" }, ["a -> a"]],
    ["of two", { a: "b", b: "a c", c: "" }, ["a -> b -> a"]],
    ["after others, once, by its shortest path", { a: "b", b: "c", c: "d b", d: "b" }, ["b -> c -> b"]],
    ["twice where there are two", { a: "b", b: "a c", c: "d", d: "c" }, ["a -> b -> a", "c -> d -> c"]],
    ["not through files that are elsewhere", { a: "x", b: "a" }, []],
  ])("%s", (_, imports, expected) => {
    expect(told(circlesOf(graph(imports)))).toEqual(expected);
  });

  it("between folders if it leaves one, also by a longer way", () => {
    const inFolders = graph({ "f/a": "f/b g/c", "f/b": "f/a", "g/c": "f/b", "h/d": "h/e", "h/e": "h/d" });
    expect(told(circlesOf(inFolders, isBetweenFolders))).toEqual(["f/a -> g/c -> f/b -> f/a"]);
  });

  it("in the real sources, all of which are read", () => {
    const imports = importsBelow("packages/emulator/src", "values and types");
    const edges = [...imports.values()].flat();
    expect(edges.length).toBeGreaterThan(imports.size);
    expect(importsBelow("packages/emulator/src", "values").get("packages/emulator/src/index.ts")).toContain(
      "packages/emulator/src/error.ts",
    );
  });
});
