// Reads the files of a packed package from its `.tgz`, all in memory: packages are small, the platform package aside.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const BLOCK = 512;

/**
 * The regular files by their path in the package, for example `dist/index.js`.
 *
 * @param {string} path of the tarball
 * @returns {Map<string, Buffer>}
 */
export function readTarball(path) {
  const bytes = gunzipSync(readFileSync(path));
  const text = (/** @type {number} */ start, /** @type {number} */ length) =>
    bytes.toString("utf8", start, start + length).replace(/\0.*$/s, "");
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  let longName;
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const kind = text(at + 156, 1);
    const data = bytes.subarray(at + BLOCK, at + BLOCK + size);
    if (kind === "x") {
      // A record of the extended header is `LENGTH path=NAME\n`.
      longName = /\d+ path=(.*)\n/.exec(data.toString("utf8"))?.[1];
    } else {
      const prefix = text(at + 345, 155);
      const name = longName ?? (prefix === "" ? text(at, 100) : `${prefix}/${text(at, 100)}`);
      if (kind === "0" || kind === "") files.set(name.replace(/^package\//, ""), data);
      longName = undefined;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
