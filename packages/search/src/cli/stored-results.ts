// Finished results as lines of JSON in a file. Each is appended at once, so that an ended command can continue after them.
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { quoted } from "@mm-ptx/types/internal";
import { VERSION } from "../node/version.js";
import { FileError, reasonOf } from "./framework.js";

const FILE = "results.jsonl";

/** The results in a folder that this version of the package has finished. */
export class StoredResults {
  readonly #path: string;
  readonly #results = new Map<string, unknown>();

  /** @throws FileError */
  constructor(folder: string) {
    this.#path = join(folder, FILE);
    let text = "";
    try {
      mkdirSync(folder, { recursive: true });
      text = readFileSync(this.#path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT")
        throw new FileError(`expected a folder for results, found ${quoted(folder)}: ${reasonOf(error)}`);
    }
    for (const line of text.split("\n")) {
      // A line is incomplete if the process was ended while it was written.
      if (!line.startsWith("{") || !line.endsWith("}")) continue;
      try {
        const { version, key, result } = JSON.parse(line);
        if (version === VERSION) this.#results.set(key, result);
      } catch {}
    }
  }

  find(key: string): unknown {
    return this.#results.get(key);
  }

  /** @throws FileError if the result can't be written */
  add(key: string, result: unknown): void {
    try {
      // The line feed comes first, so that an incomplete line before does not matter.
      appendFileSync(this.#path, `\n${JSON.stringify({ version: VERSION, key, result })}`);
    } catch (error) {
      throw new FileError(`a result can't be written to ${quoted(this.#path)}: ${reasonOf(error)}`);
    }
    this.#results.set(key, result);
  }
}
