// The list of the files that a compile depends on: which changes of the file system it notices.

import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { smoke } from "../../../../../tests/support/counts.js";
import {
  currentFiles,
  decodeFileList,
  encodeFileList,
  type FileList,
  fingerprintOf,
  listFiles,
} from "../../../src/cuda/cache/file-list.js";

let folder = "";
const at = (name: string): string => join(folder, name);
const write = (name: string, text: string): void => {
  mkdirSync(join(at(name), ".."), { recursive: true });
  writeFileSync(at(name), text);
};
/** After all earlier changes of files. */
const later = (): number => Date.now() + 1000;
const list = async (present: readonly string[], absent: readonly string[] = []): Promise<FileList> => {
  const made = await listFiles({ present: present.map(at), absent: absent.map(at) }, later());
  expect(made).toBeDefined();
  return decodeFileList(encodeFileList(made!));
};
const isCurrent = (made: FileList): boolean => {
  const current = currentFiles(made);
  return current !== undefined && fingerprintOf(current) === fingerprintOf(made);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mm-ptx-files-"));
  write("one/a.h", "first");
  write("one/b.h", "other");
  utimesSync(at("one/a.h"), 1000, 1000);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("is current as long as nothing changes", async () => {
  const made = await list(["one/a.h", "one/a.h", "one/b.h"], ["two/a.h", "one/c.h"]);
  expect(made.files).toHaveLength(2);
  expect(currentFiles(made)).toBe(made);
});

test.each<[change: string, make: () => void]>([
  ["a file of another size", () => write("one/a.h", "longer")],
  ["a file of the same size", () => write("one/a.h", "First")],
  [
    "a file of the same size and modification time",
    () => {
      write("one/a.h", "First");
      utimesSync(at("one/a.h"), 1000, 1000);
    },
  ],
  [
    "another file under the name",
    () => {
      write("new", "First");
      utimesSync(at("new"), 1000, 1000);
      renameSync(at("new"), at("one/a.h"));
    },
  ],
  ["a removed file", () => rmSync(at("one/a.h"))],
  [
    "a folder in place of a file",
    () => {
      rmSync(at("one/a.h"));
      mkdirSync(at("one/a.h"));
    },
  ],
  ["a file where there was none", () => write("one/c.h", "")],
  ["a file in a folder that did not exist", () => write("two/deep/a.h", "")],
  ["a link where there was nothing", () => symlinkSync(at("one/a.h"), at("one/c.h"))],
])("notices %s", async (_, make) => {
  const made = await list(["one/a.h", "one/b.h"], ["two/deep/a.h", "one/c.h"]);
  make();
  expect(isCurrent(made)).toBe(false);
});

test("does not notice other files in the folders that it knows", async () => {
  const made = await list(["one/a.h"], ["one/c.h"]);
  write("one/d.h", "");
  expect(currentFiles(made)).toBe(made);
});

test("reads a touched file once, and not again", async () => {
  const made = await list(["one/a.h"]);
  utimesSync(at("one/a.h"), 1, 1);
  // The change is old enough that a later one would look different.
  await new Promise((resolve) => setTimeout(resolve, 60));
  const current = currentFiles(made);
  expect(current).not.toBe(made);
  expect(fingerprintOf(current!)).toBe(fingerprintOf(made));
  expect(currentFiles(current!)).toBe(current);
});

test("a file that has just changed is read again each time", async () => {
  const made = await list(["one/a.h"]);
  write("one/a.h", "first");
  const current = currentFiles(made)!;
  expect(currentFiles(current)).not.toBe(current);
});

test("a file with its earlier contents has its earlier fingerprint", async () => {
  const made = await list(["one/a.h"]);
  write("one/a.h", "second");
  const second = currentFiles(made)!;
  expect(fingerprintOf(second)).not.toBe(fingerprintOf(made));
  write("one/a.h", "first");
  expect(fingerprintOf(currentFiles(second)!)).toBe(fingerprintOf(made));
});

test("a folder that a compiler has opened is the same whatever is in it", async () => {
  const made = await list(["one"]);
  write("one/new.h", "");
  expect(isCurrent(made)).toBe(true);
  rmSync(at("one"), { recursive: true });
  write("one", "a file");
  expect(isCurrent(made)).toBe(false);
});

test.each<[why: string, make: () => void]>([
  ["a file is missing", () => rmSync(at("one/a.h"))],
  ["a file is now where there was none", () => write("one/c.h", "")],
  ["a link to nothing is where there was no file", () => symlinkSync(at("nothing"), at("one/c.h"))],
  ["a header contains the time", () => write("one/a.h", "int x = sizeof(__TIME__);")],
])("no list is made if %s", async (_, make) => {
  make();
  expect(await listFiles({ present: [at("one/a.h")], absent: [at("one/c.h")] }, later())).toBeUndefined();
});

const FOLDERS = ["one", "two", "two/deep"];
const NAMES = ["a.h", "b.h", "deep/c.h"];
const places = fc
  .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES))
  .map((parts) => parts.join("/"));
const changes = fc.oneof(
  fc.record({ write: places, text: fc.constantFrom("x", "y", "long") }),
  fc.record({ remove: fc.oneof(places, fc.constantFrom(...FOLDERS)) }),
  fc.record({ move: fc.constantFrom("one", "two"), to: fc.constantFrom("one", "two", "aside") }),
);

function apply(change: { write?: string; text?: string; remove?: string; move?: string; to?: string }): void {
  try {
    if (change.write !== undefined) write(change.write, change.text!);
    if (change.remove !== undefined) rmSync(at(change.remove), { recursive: true });
    if (change.move !== undefined) renameSync(at(change.move), at(change.to!));
  } catch {
    // A file is in the place of a folder, or there is nothing to remove or move.
  }
}

/** What a compiler finds under each name, and where it looks. */
function search(): { readonly found: string; readonly present: string[]; readonly absent: string[] } {
  const [present, absent, found] = [[] as string[], [] as string[], [] as (string | undefined)[]];
  for (const name of NAMES) {
    const place = FOLDERS.map((each) => `${each}/${name}`).find((each) => {
      const there = statSync(at(each), { throwIfNoEntry: false })?.isFile() === true;
      (there ? present : absent).push(each);
      return there;
    });
    found.push(place, place && readFileSync(at(place), "utf8"));
  }
  return { found: JSON.stringify(found), present, absent };
}

test("is never current if a compiler would find something else", async () => {
  const someChanges = fc.array(changes, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(someChanges, someChanges, async (first, second) => {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      for (const change of first) apply(change);
      const before = search();
      const made = await list(before.present, before.absent);
      for (const change of second) apply(change);
      if (search().found !== before.found) expect(isCurrent(made)).toBe(false);
    }),
    { numRuns: smoke(2000) },
  );
});

test("no list is made if a file has changed since the compile began", async () => {
  const path = at("one/a.h");
  expect(await listFiles({ present: [path], absent: [] }, statSync(path).ctimeMs - 1)).toBeUndefined();
  expect(readFileSync(path, "utf8")).toBe("first");
});
