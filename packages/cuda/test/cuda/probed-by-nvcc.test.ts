// The files that a compile by nvcc depends on, derived from the headers that it has read.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dependenciesIn } from "../../src/cuda/dependency-file.js";
import { probedByNvcc } from "../../src/cuda/probed-by-nvcc.js";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "mm-ptx-probed-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes files, and returns what a compile of `source` depends on, relative to their folder. */
async function probed(source: string, files: Readonly<Record<string, string>>, read: readonly string[]) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const paths = read.map((name) => join(root, name));
  const found = await probedByNvcc(
    paths,
    [source],
    ["one", "two", "three"].map((name) => join(root, name)),
  );
  if (found === undefined) return undefined;
  const inside = (all: Iterable<string>): string[] =>
    [...all]
      .map((path) => relative(root, path))
      .filter((path) => !path.startsWith(".."))
      .sort();
  return { present: inside(found.present), absent: inside(found.absent) };
}

test("a header may appear in an earlier folder", async () => {
  expect(await probed("#include <a.h>\n", { "two/a.h": "", "three/a.h": "" }, ["two/a.h"])).toEqual({
    present: ["two/a.h"],
    absent: ["one/a.h"],
  });
});

test("a name in quotes is searched beside the including header first", async () => {
  const files = { "two/in/a.h": '#include "b.h"\n', "three/b.h": "" };
  expect(await probed('# include "in/a.h"\n', files, ["two/in/a.h", "three/b.h"])).toEqual({
    present: ["three/b.h", "two/in/a.h"],
    absent: ["one/b.h", "one/in/a.h", "two/b.h", "two/in/b.h"],
  });
});

test("a header that __has_include does not find may appear, and one that it finds may go", async () => {
  const source = '#if __has_include(<a.h>) && __has_include( "b.h" )\n#endif\n';
  expect(await probed(source, { "two/a.h": "" }, [])).toEqual({
    present: ["two/a.h"],
    absent: ["one/a.h", "one/b.h", "three/a.h", "three/b.h", "two/b.h"],
  });
});

test("a directive in an inactive branch adds only places without a file", async () => {
  expect(await probed("#if 0\n#include <a.h>\n#endif\n", { "two/a.h": "" }, [])).toEqual({
    present: [],
    absent: ["one/a.h", "three/a.h"],
  });
});

test("names that macros make are found by the header that was read", async () => {
  const source = "#define PATH(x) <in/x.h>\n#include PATH(a)\n";
  const found = await probed(source, { "three/in/a.h": "" }, ["three/in/a.h"]);
  expect(found?.present).toEqual(["three/in/a.h"]);
  expect(found?.absent).toEqual(expect.arrayContaining(["one/in/a.h", "two/in/a.h"]));
});

test.each([
  ["a macro", "#define HEADER <a.h>\n#if __has_include(HEADER)\n"],
  ["a macro that tests its argument", '#define HAS(x) __has_include(x)\n#if defined(HAS) && HAS("a.h")\n'],
  [
    "a macro that passes it on",
    "#define HAS(x) __has_include(x)\n#define ALSO(x) (defined(Y) && HAS(x))\n#elif ALSO(<a.h>)\n",
  ],
  ["another name of the test", "#define HAS __has_include\n#if HAS(<a.h>)\n"],
  ["a condition of several lines", "#if defined(X) && \\\r\n  __has_include ( \\\r\n <a.h> )\r\n"],
  ["a condition with comments", '#if 1 /* of "2" */ && __has_include/**/(<a.h>) // b\n'],
])("a name in %s counts", async (_, source) => {
  expect((await probed(`${source}#endif\n`, {}, []))?.absent).toEqual(["one/a.h", "three/a.h", "two/a.h"]);
});

test.each([
  ["#define TEXT(x) #x\n#if __has_include(TEXT(a.h))\n#endif\n"],
  ["#define TEXT(x) #x\n#define HAS(x) __has_include(TEXT(x))\n#if HAS(a.h)\n#endif\n"],
  ["#define TEXT(x) #x\n#define HAS(x) __has_include(x)\n#if HAS(TEXT(a.h))\n#endif\n"],
  ["#define TEXT(x) #x\n#define HEADER TEXT(a.h)\n#if __has_include(HEADER)\n#endif\n"],
])("a name that macros put together is not known: %j", async (source) => {
  expect(await probed(source, {}, [])).toBeUndefined();
  expect(await probed("#include <own.h>\n", { "one/own.h": source }, ["one/own.h"])).toBeUndefined();
});

test.skipIf(process.platform === "win32")("`..` leads out of the target of a link", async () => {
  mkdirSync(join(root, "target/inner"), { recursive: true });
  symlinkSync(join(root, "target/inner"), join(root, "one"));
  writeFileSync(join(root, "target/a.h"), "");
  const found = await probed('#if __has_include("../a.h") && __has_include("../b.h")\n#endif\n', {}, []);
  expect(found?.present).toEqual(["a.h"]);
  expect(found?.absent).toContain("b.h");
});

test("#include_next continues the search after a header that was found", async () => {
  const files = { "one/a.h": "#include_next <a.h>\n", "three/a.h": "" };
  expect((await probed("#include <a.h>\n", files, ["one/a.h", "three/a.h"]))?.absent).toEqual(["two/a.h"]);
});

test("folders of the host compiler are known from what it has read in them", async () => {
  const files = { "host/sys/types.h": "#include <bits/a.h>\n", "arch/bits/a.h": "" };
  const source = "#include <sys/types.h>\n#if __has_include(<extra.h>)\n#endif\n";
  const found = await probed(source, files, ["host/sys/types.h", "arch/bits/a.h"]);
  expect(found?.absent).toEqual(expect.arrayContaining(["one/extra.h", "host/extra.h", "arch/extra.h"]));
});

test("reads the list that nvcc writes for make", () => {
  const text = [
    "../out : kernel.cu \\",
    "    ../include1/with\\ space.h ../include1/a$$b.h \\",
    "    ../include1/hash\\#.h \\",
    "    /usr/include/c++/12/cmath",
    "",
  ].join("\n");
  expect(dependenciesIn(text)).toEqual([
    "kernel.cu",
    "../include1/with space.h",
    "../include1/a$b.h",
    "../include1/hash#.h",
    "/usr/include/c++/12/cmath",
  ]);
  expect(dependenciesIn("")).toEqual([]);
});
