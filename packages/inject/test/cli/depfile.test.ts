// `--depfile`: how Make and Ninja read it, odd names included.

import { spawnSync } from "node:child_process";
import { existsSync, utimesSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findOnPath } from "../../../../scripts/lib/tools.mjs";
import { oneFile } from "../../../../tests/support/one-file.js";
import { CommandLine, KERNEL } from "../support/command-line.js";

const TYPES = `{ "abi_version": 1, "data_type_infos": [
  { "name": "f32", "register_type": "f32", "mov_postfix": "f32", "register_char": "f", "register_cast_str": "" }
] }`;
const MAIN = "packages/inject/dist/cli/main.js";
const LONG_AGO = new Date(2001, 1, 1);
const NAMES = [
  "k.cu",
  "a b.cu",
  "a#b.cu",
  "a$b.cu",
  "a:b.cu",
  "a\\b.cu",
  "a\\ b.cu",
  "(a)[1]{2}.cu",
  "é~@!+,.cu",
];

let line: CommandLine;
beforeEach(() => {
  line = new CommandLine();
});
afterEach(() => line.remove());

/** What a tool prints in the folder; undefined if it is not on PATH. */
function run(tool: string, words: readonly string[]): string | undefined {
  if (findOnPath([tool], process.env) === undefined) return undefined;
  const { status, stdout, stderr } = spawnSync(tool, words, { cwd: line.folder, encoding: "utf8" });
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}

describe("a dependency file", () => {
  it("names for each output its input, the types and what they extend", async () => {
    line.write("a.cu", KERNEL);
    line.write("b.cu", KERNEL);
    line.write("deep/base.json", TYPES);
    line.write("types.json", '{ "abi_version": 1, "extends": ["./deep/base.json"], "data_type_infos": [] }');
    await line.run(["a.cu", "b.cu", "-o", "out", "--types", "types.json", "--depfile", "out/k.d"]);
    expect(line.read("out/k.d")).toBe(`out/a.cu: \\
  a.cu \\
  types.json \\
  deep/base.json
out/b.cu: \\
  b.cu \\
  types.json \\
  deep/base.json
types.json:
deep/base.json:
`);
    await line.run(["a.cu", "-o", "one.cu", "--depfile", "one.d"]);
    expect(line.read("one.d")).toBe("one.cu: \\\n  a.cu\n");
  });

  it("is left alone when nothing changed, and when an input fails", async () => {
    line.write("a.cu", KERNEL);
    const words = ["a.cu", "-o", "out.cu", "--depfile", "out.d"];
    await line.run(words);
    utimesSync(line.path("out.d"), LONG_AGO, LONG_AGO);
    await line.run(words);
    expect(line.modified("out.d")).toEqual(LONG_AGO);
    await line.run(["gone.cu", ...words]);
    expect((await line.run(["a.cu", "gone.cu", "-o", "out/", "--depfile", "new.d"])).code).toBe(1);
    expect(existsSync(line.path("new.d"))).toBe(false);
  });

  it.each(NAMES)("is read by Make with %s", async (name) => {
    line.write(name, KERNEL);
    await line.run([name, "-o", "out/", "--depfile", "k.d"]);
    line.write("Makefile", "all:\n\tfalse\ninclude k.d\n");
    const database = run("make", ["-pqrR", "-f", "Makefile", "-o", "all", "k.d"]);
    if (database === undefined) return;
    expect(database.split("\n")).toContain(`out/${name}: ${name}`);
  });

  it.each(NAMES)("is read by Ninja with %s", async (name) => {
    line.write(name, KERNEL);
    line.write("types $.json", TYPES);
    const words = [name, "-o", "out/", "-t", "types $.json", "--depfile", "k.d"];
    const escaped = (text: string) => text.replace(/[$ :]/g, "$$$&");
    const command = [process.execPath, await oneFile(MAIN), ...words].map((word) => `'${word}'`).join(" ");
    line.write(
      "build.ninja",
      `rule annotate\n  command = ${command.replaceAll("$", "$$$$")}\n  depfile = k.d\n  deps = gcc\n  restat = 1
build ${escaped(`out/${name}`)}: annotate ${escaped(name)}\n`,
    );
    if (run("ninja", []) === undefined) return;
    expect(run("ninja", ["-t", "deps"])?.split("\n").slice(1, 3)).toEqual([
      `    ${name}`,
      "    types $.json",
    ]);
    expect(run("ninja", ["-n"])).toContain("no work to do");
    line.write("types $.json", `${TYPES}\n`);
    expect(run("ninja", ["-n"])).toContain("[1/1]");
  });

  it("refuses names that neither of them can read", async () => {
    for (const name of ["a;b.cu", "a'b.cu", "a%b.cu", "a\nb.cu", "a\\#b.cu"]) {
      line.write(name, KERNEL);
      const { code, stderr } = await line.run([name, "-o", "out/", "--depfile", "k.d"]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^error: expected names that Make and Ninja can read for `--depfile`, found `/);
    }
    expect(existsSync(line.path("out"))).toBe(false);
  });
});
