// The files that arguments of a command line refer to.

import { expect, it } from "vitest";
import { findInputs, isBelow, isPattern, noMatch, patternFolder, readInput } from "../src/inputs.js";
import { Folder } from "./support/folder.js";

it("patterns are expanded in the order of names, and each file is listed once", () => {
  using folder = new Folder();
  for (const name of ["b.ptx", "a.ptx", "out/a.ptx", "c.cubin"]) folder.write(name);
  const found = findInputs([folder.at("b.ptx"), folder.at("*.ptx"), folder.at("*.cu"), "-"]);
  expect(found).toEqual({
    paths: [folder.at("b.ptx"), folder.at("a.ptx"), "-"],
    unmatched: [folder.at("*.cu")],
  });
});

it("earlier outputs are left out unless nothing else matches", () => {
  using folder = new Folder();
  for (const name of ["a.ptx", "out/a.ptx"]) folder.write(name);
  const inOut = (pattern: string) => findInputs([folder.at(pattern)], folder.at("out")).paths;
  expect(inOut("**/*.ptx")).toEqual([folder.at("a.ptx")]);
  expect(inOut("out/*.ptx")).toEqual([folder.at("out/a.ptx")]);
});

it("the name of a file is that file, even if it looks like a pattern", () => {
  using folder = new Folder();
  const odd = folder.write("a[1].ptx");
  expect(isPattern(odd)).toBe(false);
  expect(isPattern(folder.at("b[1].ptx"))).toBe(true);
  expect(findInputs([odd]).paths).toEqual([odd]);
});

it.each([
  ["*.ptx", "."],
  ["/*.ptx", "/"],
  ["a/b/*.ptx", "a/b"],
  ["a/{b,c}/d.ptx", "a"],
  ["a/b/c.ptx", "a/b"],
])("what %s matches is in %s", (pattern, folder) => {
  expect(patternFolder(pattern)).toBe(folder);
});

it.each([
  ["a/b", "a", true],
  ["a", "a", false],
  ["b", "a", false],
  ["..b", ".", true],
])("isBelow of %s and %s is %s", (path, folder, expected) => {
  expect(isBelow(path, folder)).toBe(expected);
});

it("a missing input suggests a command, a file beside it, or a pattern", async () => {
  using folder = new Folder();
  folder.write("kernel.ptx");
  const messageOf = (path: string) => readInput(path, "*.ptx", ["inspect"]).catch(({ message }) => message);
  expect(await messageOf(folder.at("kernal.ptx"))).toMatch(/no such file, did you mean `.*kernel\.ptx`\?$/);
  expect(await messageOf(folder.path)).toMatch(/a folder, did you mean `.*\*\.ptx`\?$/);
  expect(await messageOf("inspct")).toMatch(/did you mean the command `inspect`\?$/);
  expect(noMatch("*.cu").message).toBe("expected a file, found none that matches `*.cu`");
});
