// Files that are replaced as a whole: unchanged ones are left alone, modes and links are kept, and a failure
// leaves no partial file.

import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { expect, it } from "vitest";
import {
  FileError,
  isTemporary,
  namedFile,
  readBytes,
  reasonOf,
  STANDARD,
  shownName,
  statsOf,
  writeWhole,
} from "../src/whole-files.js";
import { Folder } from "./support/folder.js";

const bytes = (text: string) => Buffer.from(text);

it("a file is written with its folders, and left alone if its content is unchanged", () => {
  using folder = new Folder();
  expect(writeWhole(folder.at("a/b.ptx"), bytes("one"))).toBe(true);
  const { mtimeMs } = statSync(folder.at("a/b.ptx"));
  expect(writeWhole(folder.at("a/b.ptx"), bytes("one"))).toBe(false);
  expect(statSync(folder.at("a/b.ptx")).mtimeMs).toBe(mtimeMs);
  expect(writeWhole(folder.at("a/b.ptx"), bytes("two"))).toBe(true);
  expect(folder.read("a/b.ptx")).toBe("two");
  expect(readdirSync(folder.at("a"))).toEqual(["b.ptx"]);
});

it("modes and links are kept", () => {
  using folder = new Folder();
  chmodSync(folder.write("file", "one"), 0o640);
  symlinkSync("file", folder.at("link"));
  writeWhole(folder.at("link"), bytes("two"));
  expect(lstatSync(folder.at("link")).isSymbolicLink()).toBe(true);
  expect(folder.read("file")).toBe("two");
  expect(statSync(folder.at("file")).mode & 0o777).toBe(0o640);
});

it("a file that cannot be written or read is a FileError that says why", async () => {
  using folder = new Folder();
  mkdirSync(folder.at("folder"));
  const below = `${folder.write("file")}/below`;
  expect(() => writeWhole(folder.at("folder"), bytes("x"))).toThrow(FileError);
  expect(() => writeWhole(below, bytes("x"))).toThrow(
    /^expected a file to write, found `.*`: .*not a folder$/,
  );
  await expect(readBytes(folder.at("none"))).rejects.toThrow(
    /^expected a file to read, found `.*`: no such file$/,
  );
  expect(readdirSync(folder.path)).toEqual(["file", "folder"]);
});

it("names and reasons are short", () => {
  expect([namedFile(STANDARD), shownName(STANDARD), shownName("a.ptx")]).toEqual([
    "standard input",
    "<stdin>",
    "a.ptx",
  ]);
  expect(reasonOf(Object.assign(new Error("EACCES: x, open 'y'"), { code: "EACCES" }))).toBe("no permission");
  expect(reasonOf(new Error("EMFILE: too many open files, open 'y'"))).toBe("too many open files");
  expect(isTemporary(".a.1-x.mm-ptx-tmp")).toBe(true);
  expect(statsOf("/none/such")).toBeUndefined();
});
