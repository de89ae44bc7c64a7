// An entry for tests of the cache, and the files of its folder.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const KEY = "0123456789abcdef".repeat(4);
export const ENTRY = {
  output: Uint8Array.from({ length: 300 }, (_, i) => i & 255),
  log: "ptxas info    : ä\n",
};

export const filesIn = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map((each) => join(each.parentPath, each.name))
    : [];
