// Real paths of files, through links that lead to files, to nothing or in circles; folders that are created
// with their parents.

import { existsSync, symlinkSync } from "node:fs";
import { expect, it } from "vitest";
import { makeFolder, placeOf } from "../src/places.js";
import { Folder } from "./support/folder.js";

it("all paths to a file resolve to the same place", () => {
  using folder = new Folder();
  folder.write("deep/file.ptx");
  symlinkSync(folder.at("deep"), folder.at("link"));
  symlinkSync("link/file.ptx", folder.at("second"));
  for (const path of ["deep/file.ptx", "deep/../deep/file.ptx", "link/file.ptx", "second"]) {
    expect(placeOf(folder.at(path))).toBe(folder.at("deep/file.ptx"));
  }
});

it("a link to a file that does not exist yet resolves to its target", () => {
  using folder = new Folder();
  makeFolder(folder.at("a/b/c"));
  symlinkSync("a/b/new.ptx", folder.at("link"));
  expect(placeOf(folder.at("link"))).toBe(folder.at("a/b/new.ptx"));
  expect(placeOf(folder.at("none/new.ptx"))).toBe(folder.at("none/new.ptx"));
});

it("links in a circle end", () => {
  using folder = new Folder();
  symlinkSync("two", folder.at("one"));
  symlinkSync("one", folder.at("two"));
  expect([folder.at("one"), folder.at("two")]).toContain(placeOf(folder.at("one")));
});

it("a folder is created with its parents, and again without harm", () => {
  using folder = new Folder();
  makeFolder(folder.at("a/b/c"));
  makeFolder(folder.at("a/b/c"));
  expect(existsSync(folder.at("a/b/c"))).toBe(true);
  expect(() => makeFolder(`${folder.write("file")}/below`)).toThrow("ENOTDIR");
});
