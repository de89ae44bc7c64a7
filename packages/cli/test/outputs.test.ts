// Where outputs may go, and what is refused before anything is written.

import { symlinkSync } from "node:fs";
import { expect, it } from "vitest";
import { folderNeeded, isFolder, refuseClashes } from "../src/outputs.js";
import { UsageError } from "../src/usage-error.js";
import { Folder } from "./support/folder.js";

it("a folder is one that exists, ends in a slash or has no extension", () => {
  using folder = new Folder();
  folder.write("existing.d/file");
  folder.write("file");
  const names = ["existing.d", "new.d/", "new", "new.ptx", "file"];
  expect(names.filter((name) => isFolder(folder.at(name)))).toEqual(["existing.d", "new.d/", "new"]);
  expect(isFolder("-")).toBe(false);
});

it("several outputs need a folder", () => {
  using folder = new Folder();
  const messageOf = (out: string | undefined) => folderNeeded("2 cubins", out).message;
  expect(messageOf(undefined)).toBe("expected a folder/ for 2 cubins after `--out`, found nothing");
  expect(messageOf("-")).toBe("expected a folder/ for 2 cubins, found standard output");
  expect(messageOf("/none/a.cubin")).toMatch(
    /found `\/none\/a\.cubin`, did you mean `\/none\/a\.cubin\/`\?$/,
  );
  expect(messageOf(folder.write("a"))).toMatch(/, which is a file$/);
});

it("outputs that collide with each other or with an input are refused, links included", () => {
  using folder = new Folder();
  const [a, b] = [folder.write("a.ptx"), folder.write("b.ptx")];
  symlinkSync("a.ptx", folder.at("link"));
  const delivery = (input: string, output: string) => ({ input, output: folder.at(output) });
  const refused = (...all: Parameters<typeof refuseClashes>) => expect(() => refuseClashes(...all));
  refused([delivery(a, "a.cubin"), delivery(b, "b.cubin")]).not.toThrow();
  refused([delivery(a, "same"), delivery(b, "same")]).toThrow(UsageError);
  refused([delivery(b, "link"), delivery(a, "c")]).toThrow(
    /overwrite inputs, found `.*link`, which is an input$/,
  );
  refused([delivery(b, "c")], new Map([[folder.at("c"), "the types"]])).toThrow(/which is the types$/);
  refused([delivery(b, "c")], new Map(), new Map([[folder.at("c"), "the list"]])).toThrow(/ and the list$/);
  refused([
    { input: "-", output: "-" },
    { input: a, output: "-" },
  ]).not.toThrow();
  refused([
    { input: a, output: "/dev/null" },
    { input: b, output: "/dev/null" },
  ]).not.toThrow();
});
