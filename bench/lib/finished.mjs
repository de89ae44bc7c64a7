// Results of long measurements, so that they can be stopped and taken up again: one JSON line for each finished part in
// `out/bench/NAME.jsonl`. Results that other sources of the packages gave are not used.

import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The parts that are finished, and a way to finish more. */
export class Finished {
  /** @type {Map<string, unknown>} */
  #results = new Map();
  #path;
  #sources;

  /**
   * @param {string} name the name of the benchmark
   * @param {Readonly<Record<string, RegExp>>} sources which of the built files of which packages determine the results
   */
  constructor(name, sources) {
    const folder = join(ROOT, "out/bench");
    mkdirSync(folder, { recursive: true });
    this.#path = join(folder, `${name}.jsonl`);
    this.#sources = fingerprint(sources);
    if (!existsSync(this.#path)) return;
    for (const line of readFileSync(this.#path, "utf8").split("\n")) {
      // The last line may be torn.
      if (!line.endsWith("}")) continue;
      const { key, sources, result } = JSON.parse(line);
      if (sources === this.#sources) this.#results.set(key, result);
    }
  }

  /**
   * The result of a part: the stored one, or that of `make`, which is then stored unless it is `undefined`.
   *
   * @template Result
   * @param {string} key
   * @param {() => Result | Promise<Result>} make
   * @returns {Promise<Result>}
   */
  async result(key, make) {
    const known = this.#results.get(key);
    if (known !== undefined) return /** @type {Result} */ (known);
    const result = await make();
    if (result === undefined) return result;
    this.#results.set(key, result);
    // The line feed comes first, so that a torn line before does not matter.
    appendFileSync(this.#path, `\n${JSON.stringify({ key, sources: this.#sources, result })}`);
    return result;
  }
}

/**
 * A hash of built files.
 *
 * @param {Readonly<Record<string, RegExp>>} sources
 */
function fingerprint(sources) {
  const hash = createHash("sha256");
  for (const [name, pattern] of Object.entries(sources)) {
    const folder = join(ROOT, "packages", name, "dist");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((each) => each.endsWith(".js") && pattern.test(each)).sort()) {
      hash.update(file).update(readFileSync(join(folder, file)));
    }
  }
  return hash.digest("hex").slice(0, 16);
}
