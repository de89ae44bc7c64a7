// Reads the files of a packed package from its `.tgz` into memory, because packages are small except for
// platform packages.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const BLOCK = 512;

/**
 * @typedef {{ files: Map<string, Buffer>, executables: Set<string> }} Contents the files by path, for example
 * `dist/index.js`
 */

/**
 * The regular files of a package, and which of them are executable.
 *
 * @param {string} path the path of the tarball
 * @returns {Contents}
 */
export function readTarball(path) {
  const bytes = gunzipSync(readFileSync(path));
  const text = (/** @type {number} */ start, /** @type {number} */ length) =>
    bytes.toString("utf8", start, start + length).replace(/\0.*$/s, "");
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  const executables = new Set();
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
      const whole = longName ?? (prefix === "" ? text(at, 100) : `${prefix}/${text(at, 100)}`);
      const name = whole.replace(/^package\//, "");
      if (kind === "0" || kind === "") {
        files.set(name, data);
        if ((Number.parseInt(text(at + 100, 8), 8) & 0o111) === 0o111) executables.add(name);
      }
      longName = undefined;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return { files, executables };
}
